package experiments

import "github.com/asp2vec/asp2vec/network/formats"

// OwnData is where a data set of the user's lies: the file of a network, which each seed parts by the paper's rule, the folder of a
// split, or a network with types, the folder or the file of its schema. Paths are absolute.
type OwnData struct {
	Network  string `json:"network,omitempty"`
	Split    string `json:"split,omitempty"`
	Schema   string `json:"schema,omitempty"`
	Directed bool   `json:"directed,omitempty"` // of a file that does not tell
}

// source returns where the data of the data set come from.
func (o OwnData) source() Source {
	s := Source{Network: o.Network, Split: o.Split, Schema: o.Schema, Directed: o.Directed && o.Split != ""}
	if o.Directed {
		s.Read.Direction = formats.Directed
	}
	return s
}
