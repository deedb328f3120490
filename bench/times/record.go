package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
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
	Load        [2]string     `json:"load"` // averages before and after
	Contestants []*contestant `json:"contestants"`
}

func (n *networkRecord) finish() { n.Load[1] = machine.Load() }

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
	for _, format := range results.PictureFormats {
		if err := picture.Write(filepath.Join(dir, name+"."+format), format); err != nil {
			return err
		}
	}
	return nil
}
