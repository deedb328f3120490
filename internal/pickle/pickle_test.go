package pickle

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func readFile(path string) (any, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// get returns the value of a key of a dict.
func get(t *testing.T, v any, key string) any {
	t.Helper()
	entries, ok := Entries(v)
	if !ok {
		t.Fatalf("%s: expected a dict", Kind(v))
	}
	for _, e := range entries {
		if e.Key == key {
			return e.Value
		}
	}
	t.Fatalf("no %q", key)
	return nil
}

// One value, pickled by Python in each protocol (testdata/make.py), is the same; only what may be an escape of protocol 0 is not read.
func TestProtocols(t *testing.T) {
	for protocol := range 6 {
		t.Run(fmt.Sprint(protocol), func(t *testing.T) {
			v, err := readFile(fmt.Sprintf("testdata/protocol%d.pkl", protocol))
			if protocol < 2 {
				call.Refused(t, "has a backslash in protocol 0 or 1")(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if get(t, v, "isDirected") != true || get(t, v, "remove_percent") != 0.5 || get(t, v, "num_nodes") != 4 {
				t.Errorf("got %v", v)
			}
			index, _ := Entries(get(t, v, "index"))
			var keys []string
			for _, e := range index {
				key, ok := Text(e.Key)
				if !ok || e.Value != len(keys) {
					t.Errorf("key %v, value %v", e.Key, e.Value)
				}
				keys = append(keys, key)
			}
			if want := []string{"a", "7", "ü\\\n€", "3"}; !reflect.DeepEqual(keys, want) {
				t.Errorf("keys %q: expected %q", keys, want)
			}
			train, err := get(t, v, "train_edges").(*Array).Pairs()
			if want := [][2]int32{{0, 1}, {1, 2}, {2, 3}}; err != nil || !reflect.DeepEqual(train, want) {
				t.Errorf("train %v, %v: expected %v", train, err, want)
			}
			labels := get(t, v, "label_matrix").(*Array)
			if !reflect.DeepEqual(labels.Shape, []int{4, 3}) || labels.At(1, 2) != 1.0 || labels.At(1, 0) != 0.0 {
				t.Errorf("labels %+v", labels)
			}
			call.Refused(t)(labels.Pairs())
			more, _ := Items(get(t, v, "more"))
			pair, _ := Items(more[6])
			if len(more) != 9 || more[0] != nil || more[1] != true || more[2] != false || more[3] != -5 ||
				more[4].(*big.Int).String() != "100000000000000000000" || more[5] != -1.5 || !reflect.DeepEqual(pair, []any{1, 2}) ||
				!bytes.Equal(more[7].([]byte), []byte("\x00\xff\n\\")) || more[8] != "" {
				t.Errorf("more %v", more)
			}
		})
	}
}

// What Python 2 wrote: strings of bytes, also as data of arrays, and Fortran's order and other byte orders.
func TestArrays(t *testing.T) {
	array := func(dtype, order, shape, fortran, data string) string {
		return "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n" + shape + "cnumpy\ndtype\n(S'" + dtype +
			"'\nI0\nI1\ntR(I3\nS'" + order + "'\nNNNI-1\nI-1\nI0\ntb" + fortran + "U" + string(rune(len(data))) + data + "tb."
	}
	for _, c := range []struct {
		pickle, want string
	}{
		{array("i4", "<", "(I1\nI2\nt", "I00\n", "\x01\x00\x00\x00\xfe\xff\xff\xff"), "[1 -2]"},
		{array("i4", ">", "(I1\nI2\nt", "I00\n", "\x00\x00\x00\x01\xff\xff\xff\xfe"), "[1 -2]"},
		{array("i1", "|", "(I2\nI2\nt", "I01\n", "\x01\x02\x03\x04"), "[1 3 2 4]"},
		{array("u2", "<", "(I1\nI2\nt", "I00\n", "\xff\xff\n\t"), "[65535 2314]"},
		{array("b1", "|", "(I1\nI2\nt", "I00\n", "\x00\x01"), "[0 1]"},
		{array("f4", "<", "(I1\nI1\nt", "I00\n", "\x00\x00\x80?"), "[1]"},
		{array("i4", "<", "(I1\nI2\nt", "I00\n", "\x01\x00"), "error: has an array [1 2] of i4 in 2 bytes: expected 8"},
		{array("i4", "<", "(I99999\nI99999\nt", "I00\n", ""), "error: has an array [99999 99999] of i4 in 0 bytes: expected 39999200004"},
		{array("i4", "<", "(I2147483647\nI2147483647\nI2147483647\nt", "I00\n", ""), "error: has an array: shape [2147483647"},
		{array("V4", "<", "(I1\nt", "I00\n", "abcd"), `error: has an array of type "<V4": expected`},
		{array("O8", "|", "(I2\nt", "I00\n", ""), `error: has an array of type "<O8": expected`},
	} {
		v, err := decode([]byte(c.pickle))
		got := fmt.Sprintf("error: %v", err)
		if a, ok := v.(*Array); ok && err == nil {
			var all []float64
			for i := range a.Shape[0] {
				for j := range a.Shape[1] {
					all = append(all, a.At(i, j))
				}
			}
			got = fmt.Sprint(all)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("got %s: expected %s", got, c.want)
		}
	}
}

// Whatever is in a file, one line says what is wrong with it, and no code is run.
func TestRefused(t *testing.T) {
	whole := call.Of(os.ReadFile("testdata/protocol3.pkl"))(t)
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"truncated", "is damaged", whole[:len(whole)/2]},
		{"no end", "is damaged", whole[:len(whole)-1]},
		{"text", "no pickle", []byte("#vertex label\n")},
		{"system", `names "os.system", which is not known here and is never run`, []byte("cos\nsystem\n(S'echo hi'\ntR.")},
		{"inst", `names "subprocess.Popen"`, []byte("(S'x'\nisubprocess\nPopen\n.")},
		{"reconstructor", "expected", []byte("ccopy_reg\n_reconstructor\n(c__builtin__\nlist\nc__builtin__\nobject\nNtR.")},
		{"persistent", "is damaged", []byte("I1\nPfile\n.")},
		{"protocol", "protocol: 9", []byte("\x80\x09N.")},
		{"opcode", "no pickle", []byte("\x80\x02\xff")},
		{"frame", "1099511627776 bytes follow, and 2 are there", []byte("\x80\x04\x95\x00\x00\x00\x00\x00\x01\x00\x00N.")},
		{"text", "255 bytes follow, and 1 are there", []byte("(I1\nK\x07U\xff.")},
		{"opcode that ends a line", `0xa '\n'`, []byte("\x80\x02\n")},
		{"stack", "is damaged", []byte("0.")},
		{"odd dict", "is damaged", []byte("(I1\nd.")},
		{"unhashable", "is damaged", []byte("\x80\x04\x8f(C\x01a\x90.")},
		{"number", "is damaged", []byte("Ix\n.")},
		{"escape", "has a backslash", []byte(`S'\q'` + "\n.")},
		{"itself", "is damaged", []byte("]q\x00h\x00ah\x00)R.")}, // a list that holds itself is called
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.pkl")
			call.File(t, path, c.data)
			v, err := readFile(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "pickle: "+path+": ") ||
				strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
				t.Errorf("got %v, error %v: expected one line with %q", v, err, c.want)
			}
		})
	}
	call.Refused(t)(readFile(t.TempDir()))
}
