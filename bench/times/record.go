package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

const schema = "asp2vec-times-1"

// record is what measurements leave, network by network.
type record struct {
	Schema   string           `json:"schema"`
	Networks []*networkRecord `json:"networks"`
}

// networkRecord is one measurement: enough to repeat it and to judge it.
type networkRecord struct {
	Name        string        `json:"name"`
	Vertices    int           `json:"vertices"`
	Links       int           `json:"training_links"`
	Test        int           `json:"test_links"`
	Directed    bool          `json:"directed"`
	Checksum    string        `json:"split_sha256"`
	Degrees     float64       `json:"degree_product_auc"` // of links ranked by the product of the training degrees of their ends
	Started     time.Time     `json:"started"`
	Command     string        `json:"command"` // that would repeat it, given the same split
	Seed        uint64        `json:"seed"`
	Threads     int           `json:"threads"`
	Rounds      int           `json:"rounds"`
	Dim         int           `json:"dim"`
	Aspects     int           `json:"aspects"`
	DeepWalkDim int           `json:"deepwalk_dim"`
	Limit       float64       `json:"limit_cpu_seconds"`
	Host        results.Host  `json:"host"`
	Code        results.Code  `json:"code"`
	Load        [2]string     `json:"load"`               // averages before and after
	Sittings    []sitting     `json:"sittings,omitempty"` // before this one, of a measurement that was resumed
	Contestants []*contestant `json:"contestants"`
}

func (n *networkRecord) finish() { n.Load[1] = machine.Load() }

// find returns the network of a name, or nil.
func (r *record) find(name string) *networkRecord {
	if i := slices.IndexFunc(r.Networks, func(n *networkRecord) bool { return n.Name == name }); i >= 0 {
		return r.Networks[i]
	}
	return nil
}

// resume takes the runs of an earlier measurement of the same split, those of contestants that are not in this one too. What was
// missing then is tried again.
func (n *networkRecord) resume(old *networkRecord) {
	if old == nil || old.Checksum != n.Checksum || old.Seed != n.Seed || old.Threads != n.Threads {
		return
	}
	var first []*contestant // those of old that are no more
	for _, was := range old.Contestants {
		if len(was.Runs) == 0 {
			continue
		}
		if i := slices.IndexFunc(n.Contestants, func(c *contestant) bool { return c.same(was) }); i >= 0 {
			n.Contestants[i].Runs = was.Runs
		} else {
			first = append(first, was)
		}
	}
	for _, c := range first {
		c.kept = true
	}
	n.Contestants = append(first, n.Contestants...)
	n.Sittings = append(old.Sittings, sitting{old.Started, old.Command, old.Load, old.Code.Commit})
}

// same says whether two contestants run the same.
func (c *contestant) same(d *contestant) bool {
	return c.Name == d.Name && c.Method == d.Method && c.Setting == d.Setting && where.ReplaceAllString(c.Command, "") == where.ReplaceAllString(d.Command, "")
}

// where a command leaves its results depends on the number of contestants.
var where = regexp.MustCompile(`--(out|save) [0-9]+`)

// sitting is an earlier part of a measurement that was resumed.
type sitting struct {
	Started time.Time `json:"started"`
	Command string    `json:"command"`
	Load    [2]string `json:"load"`
	Commit  string    `json:"commit"`
}

// replace puts a network in the place of one of the same name, or at the end.
func (r *record) replace(n *networkRecord) {
	r.Schema = schema
	if i := slices.IndexFunc(r.Networks, func(old *networkRecord) bool { return old.Name == n.Name }); i >= 0 {
		r.Networks[i] = n
		return
	}
	r.Networks = append(r.Networks, n)
}

// measured says whether anything was.
func (r *record) measured() bool {
	return slices.ContainsFunc(r.Networks, func(n *networkRecord) bool {
		return slices.ContainsFunc(n.Contestants, func(c *contestant) bool { return c.Missing == "" && len(c.Runs) > 0 })
	})
}

func (r *record) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, r); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if r.Schema != schema {
		return fmt.Errorf("%s: schema %q: want %q", path, r.Schema, schema)
	}
	return nil
}

func (r *record) write(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		e.SetEscapeHTML(false)
		return e.Encode(r)
	})
}

// draw writes NAME.json, NAME.md, NAME.svg and NAME.png.
func (r *record) draw(dir, name string) error {
	if err := r.write(filepath.Join(dir, name+".json")); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(dir, name+".md"), func(w io.Writer) error {
		r.markdown(w, name)
		return nil
	}); err != nil {
		return err
	}
	picture, err := r.picture()
	if err != nil {
		return err
	}
	for _, format := range plot.UsualPictures {
		if err := picture.Write(filepath.Join(dir, name+"."+format), format); err != nil {
			return err
		}
	}
	return nil
}
