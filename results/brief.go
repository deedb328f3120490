package results

import (
	"bytes"
	"slices"
)

// ParseBrief returns the record of a line of a store without its epochs, which are most of a line and are passed over unread. It returns
// an error for a line that is no record, or lacks what each has.
func ParseBrief(line []byte) (Record, error) {
	short, cut := withoutEpochs(line)
	r, err := ParseRecord(short)
	if err != nil && cut {
		r, err = ParseRecord(line)
	}
	r.Epochs = nil
	return r, err
}

// withoutEpochs returns a line without its list of epochs, and whether that is how Line writes it. A quotation mark within a text is
// written with a backslash, so that what is looked for is a key; no other key "epochs" has a list; and no epoch has a list of
// objects, so that the first end of one is the end of this.
func withoutEpochs(line []byte) (short []byte, cut bool) {
	before, rest, begins := bytes.Cut(line, []byte(`,"epochs":[{`))
	_, after, ends := bytes.Cut(rest, []byte(`}],"`))
	if !begins || !ends {
		return line, false
	}
	return slices.Concat(before, []byte(`,"`), after), true
}
