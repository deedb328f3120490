package formats

import (
	"errors"
	"fmt"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Places of what is needed in the tables of Arrow's schema. Source: Schema.fbs, File.fbs and Message.fbs of the Arrow format.
const (
	footerSchema   = 6
	messageHeader  = 8
	schemaFields   = 6
	schemaMetadata = 8
	fieldChildren  = 14
	fieldMetadata  = 16
)

// deepestField is how deep the fields of a schema may be nested.
const deepestField = 64

// checkSchema returns an error for a file or stream of Arrow whose schema has lists that are longer than what holds them. The
// library makes room for as many elements as a list says it has (arrow-go v18.8.0): 5 kB could take any memory. It panics on offsets
// that lead nowhere.
func checkSchema(f io.ReaderAt, size int64, file bool) error {
	at, slot := int64(0), flatbuffers.VOffsetT(messageHeader)
	var word [8]byte
	if file { // ... footer, its length, "ARROW1"
		end := size - int64(len(arrowFileMagic)) - 4
		if end < 0 {
			return io.ErrUnexpectedEOF
		}
		if _, err := f.ReadAt(word[4:], end); err != nil {
			return err
		}
		at, slot = end-int64(flatbuffers.GetUint32(word[4:])), footerSchema
		size = end
	} else { // -1, which old streams do not have, the message's length, the message
		if _, err := f.ReadAt(word[:], 0); err != nil {
			return err
		}
		length := word[:4]
		if at = 4; string(length) == arrowStreamMagic {
			length, at = word[4:], 8
		}
		end := at + int64(flatbuffers.GetUint32(length))
		if end > size {
			return nil // the library says what is wrong
		}
		size = end
	}
	if at < 0 || size-at < flatbuffers.SizeUOffsetT {
		return nil
	}
	buf := make([]byte, size-at)
	if _, err := f.ReadAt(buf, at); err != nil {
		return err
	}
	root := flatbuffers.Table{Bytes: buf, Pos: flatbuffers.GetUOffsetT(buf)}
	place := flatbuffers.UOffsetT(root.Offset(slot))
	if place == 0 {
		return nil
	}
	c := &schemaCheck{left: len(buf)}
	return c.lists(flatbuffers.Table{Bytes: buf, Pos: root.Indirect(root.Pos + place)}, schemaFields, schemaMetadata, 0)
}

// schemaCheck counts down the fields that a schema may have, since several lists may share theirs.
type schemaCheck struct{ left int }

// lists checks the lists of fields and of metadata of a schema or field.
func (c *schemaCheck) lists(t flatbuffers.Table, fields, metadata flatbuffers.VOffsetT, depth int) error {
	if depth > deepestField {
		return fmt.Errorf("its fields are nested more than %d deep", deepestField)
	}
	if _, _, err := list(t, metadata); err != nil {
		return err
	}
	start, n, err := list(t, fields)
	if err != nil {
		return err
	}
	if c.left -= n; c.left < 0 {
		return errors.New("it says that it has more fields than it has bytes")
	}
	for i := range n {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(i*flatbuffers.SizeUOffsetT))}
		if err := c.lists(field, fieldChildren, fieldMetadata, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// list returns where a list of words of four bytes begins and how many it has, 0 if there is none.
func list(t flatbuffers.Table, slot flatbuffers.VOffsetT) (start flatbuffers.UOffsetT, n int, err error) {
	place := flatbuffers.UOffsetT(t.Offset(slot))
	if place == 0 {
		return 0, 0, nil
	}
	start, n = t.Vector(place), t.VectorLen(place)
	if n < 0 || n > (len(t.Bytes)-int(start))/flatbuffers.SizeUOffsetT {
		return 0, 0, fmt.Errorf("a list of its schema says that it has %d elements, more than fit", n)
	}
	return start, n, nil
}
