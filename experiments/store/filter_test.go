package store

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// A comma within the value of an option that lists words is part of it.
func TestFilterWithCommas(t *testing.T) {
	for text, want := range map[string]map[string][]string{
		"meta-paths=APA,APVPA,dim=20":                {"meta-paths": {"APA,APVPA"}, "dim": {"20"}},
		"seed=1,meta-paths=APA,meta-paths=APA,APPA":  {"seed": {"1"}, "meta-paths": {"APA", "APA,APPA"}},
		"aspect-context=venue,author,method=asp2vec": {"aspect-context": {"venue,author"}, "method": {"asp2vec"}},
	} {
		if f, err := ParseFilter(text); err != nil || !reflect.DeepEqual(f.want, want) {
			t.Errorf("%s: %v, %v; expected %v", text, f.want, err, want)
		}
	}
	for _, text := range []string{"method=asp2vec,deepwalk", "epsilon=.1,.5", "selection=gumbel,softmax", "meta-paths=APA,", "dataset=cora,ppi"} {
		if f, err := ParseFilter(text); err == nil || !strings.Contains(err.Error(), "expected name=value") {
			t.Errorf("%s: %v, error %v", text, f.want, err)
		}
	}
	var records []results.Record
	for _, paths := range []string{"APA", "APA,APVPA"} {
		o := call.Of(methods.Options(hetnet.MethodM2V, graphs.Validated))(t)
		graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.MetaPaths = paths })
		records = append(records, recordtest.Of(t, "DBLP", "standard", o, .5, .5))
	}
	f, err := ParseFilter("dataset=dblp,meta-paths=APA,APVPA")
	if picked := f.Pick(records); err != nil || len(picked) != 1 || !bytes.Equal(picked[0].Options, records[1].Options) {
		t.Errorf("picked %d of two records, %v", len(picked), err)
	}
}
