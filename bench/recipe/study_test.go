package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// made returns a record of a run of DeepWalk with a sum of rates.
func made(network string, vertices int, sum, auc float64) results.Record {
	return results.Record{
		Method: "deepwalk", Options: json.RawMessage(fmt.Sprintf(`{"pairs-per-vertex":1000,"rate-sum":%v,"degree-power":0}`, sum)),
		Dataset: results.Dataset{Name: network, Vertices: vertices}, Metrics: results.Metrics{"validation_auc": auc}, TrainSeconds: 1800,
	}
}

// Two networks like the sum 1, the third 2: chosen without the third it is 1, which loses .3 there; without either of the others
// it is 2, since the third network would lose more than the one that is left.
func TestLeaveOneOut(t *testing.T) {
	var records []results.Record
	for i, r := range []struct {
		network  string
		one, two float64
	}{{"a", .8, .7}, {"b", .8, .7}, {"c", .5, .8}} {
		records = append(records, made(r.network, 10+i, 1, r.one), made(r.network, 10+i, 2, r.two))
	}
	records = append(records, made("d", 13, 1, .99)) // not under both: not to be compared
	failed := made("d", 13, 2, .99)
	failed.Error = "it diverged"
	s, err := newStudy(append(records, failed))
	if err != nil {
		t.Fatal(err)
	}
	got := s.leaveOneOut("deepwalk")
	want := []leftOut{{"a", "rate-sum 2", .7, .8}, {"b", "rate-sum 2", .7, .8}, {"c", "rate-sum 1", .5, .8}}
	if len(got) != len(want) {
		t.Fatalf("%d networks left out, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	text := s.markdown()
	for _, part := range []string{"| rate-sum 1 | 0.8000 (1) | 0.8000 (1) | 0.5000 (1) | 0.9900 (1) |", "7 runs, 3.5 hours", "| c | rate-sum 1 | 0.5000 | 0.8000 | 0.3000 |"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
