package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
	"gonum.org/v1/gonum/stat"
)

// constants are the options that the study tries values of.
var constants = []string{"pairs-per-vertex", "rate-sum", "degree-power", "spread-power", "directed-share", "rate-end", "dense-degree", "max-norm", "warm-up-share", "embedding", "lambda",
	"embedding-scale", "facet-copies", "scoring"}

// study is the validation AUC of each setting of each method on each network, under each seed.
type study struct {
	networks []string // in the order of their number of vertices
	methods  []string
	settings map[string][]string             // of a method, in the order in which they were first run
	auc      map[string]map[string][]float64 // by method and setting, then by network
	hours    map[string]float64              // of training and scoring, by method
	rates    map[string]rateSum              // by method and setting
}

// rateSum is a setting as the picture shows it.
type rateSum struct {
	sum, degree, spread float64
	plain               bool // with as many pairs as the others of the picture
}

func newStudy(records []results.Record) (*study, error) {
	s := &study{settings: map[string][]string{}, auc: map[string]map[string][]float64{}, hours: map[string]float64{}, rates: map[string]rateSum{}}
	vertices := map[string]int{}
	values := map[string]map[string]map[string]bool{} // of a method's constants
	options := make([]map[string]any, len(records))
	for i, r := range records {
		if err := json.Unmarshal(r.Options, &options[i]); err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
		if values[r.Method] == nil {
			values[r.Method] = map[string]map[string]bool{}
		}
		for _, name := range constants {
			if _, ok := options[i][name]; !ok && name == "spread-power" {
				options[i][name] = 0. // a record from before there was the option
			}
			if v, ok := options[i][name]; ok {
				if values[r.Method][name] == nil {
					values[r.Method][name] = map[string]bool{}
				}
				values[r.Method][name][fmt.Sprint(v)] = true
			}
		}
	}
	for i, r := range records {
		score, ok := r.Metrics["validation_auc"]
		if !ok || r.Error != "" || r.Interrupted {
			continue
		}
		var parts []string
		for _, name := range constants {
			if len(values[r.Method][name]) > 1 {
				parts = append(parts, fmt.Sprintf("%s %v", name, options[i][name]))
			}
		}
		setting := strings.Join(parts, ", ")
		key := r.Method + " " + setting
		if s.auc[key] == nil {
			s.auc[key] = map[string][]float64{}
			s.settings[r.Method] = append(s.settings[r.Method], setting)
		}
		sum, _ := options[i]["rate-sum"].(float64)
		power, _ := options[i]["degree-power"].(float64)
		spread, _ := options[i]["spread-power"].(float64)
		pairs, _ := options[i]["pairs-per-vertex"].(float64)
		s.rates[key] = rateSum{sum, power, spread, pairs == 1000}
		s.auc[key][r.Dataset.Name] = append(s.auc[key][r.Dataset.Name], score)
		vertices[r.Dataset.Name] = r.Dataset.Vertices
		s.hours[r.Method] += (r.TrainSeconds + r.EvalSeconds) / 3600
	}
	s.methods = slices.Sorted(maps.Keys(s.settings))
	s.networks = slices.SortedFunc(maps.Keys(vertices), func(a, b string) int { return cmp.Compare(vertices[a], vertices[b]) })
	return s, nil
}

// markdown writes a table of settings and networks for each method, and what is chosen when a network is left out.
func (s *study) markdown() string {
	var b strings.Builder
	b.WriteString("<!-- written by go run ./bench/recipe -->\n")
	for _, method := range s.methods {
		fmt.Fprintf(&b, "\n### %s\n\n| validation AUC |", method)
		for _, n := range s.networks {
			fmt.Fprintf(&b, " %s |", n)
		}
		b.WriteString("\n|:--|" + strings.Repeat("--:|", len(s.networks)) + "\n")
		runs := 0
		for _, setting := range s.settings[method] {
			fmt.Fprintf(&b, "| %s |", setting)
			for _, n := range s.networks {
				x := s.auc[method+" "+setting][n]
				runs += len(x)
				b.WriteString(" " + cell(x) + " |")
			}
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "\n%d runs, %.1f hours on one thread each.\n", runs, s.hours[method])
		if lines := s.leaveOneOut(method); len(lines) > 0 {
			b.WriteString("\nChosen on all networks but one, and what that costs on the one left out, against the best setting there:\n\n")
			b.WriteString("| left out | chosen on the others | there | best there | lost |\n|:--|:--|--:|--:|--:|\n")
			for _, l := range lines {
				fmt.Fprintf(&b, "| %s | %s | %.4f | %.4f | %.4f |\n", l.network, l.setting, l.there, l.best, l.best-l.there)
			}
		}
	}
	return b.String()
}

func cell(x []float64) string {
	switch len(x) {
	case 0:
		return "–"
	case 1:
		return fmt.Sprintf("%.4f (1)", x[0])
	}
	return fmt.Sprintf("%.4f ± %.4f", stat.Mean(x, nil), stat.StdDev(x, nil))
}

// leftOut is a setting chosen without a network.
type leftOut struct {
	network, setting string
	there, best      float64 // its mean AUC on the network, and that of the best setting on it
}

// leaveOneOut chooses, for each network that every setting was run on, the setting that loses least in the mean against the best
// of each of the others.
func (s *study) leaveOneOut(method string) (out []leftOut) {
	settings := s.settings[method]
	var networks []string
	for _, n := range s.networks {
		if !slices.ContainsFunc(settings, func(setting string) bool { return len(s.auc[method+" "+setting][n]) == 0 }) {
			networks = append(networks, n)
		}
	}
	if len(settings) < 2 || len(networks) < 3 {
		return nil
	}
	mean := func(setting, network string) float64 { return stat.Mean(s.auc[method+" "+setting][network], nil) }
	best := map[string]float64{}
	for _, n := range networks {
		for _, setting := range settings {
			best[n] = max(best[n], mean(setting, n))
		}
	}
	for _, left := range networks {
		least, chosen := math.Inf(1), ""
		for _, setting := range settings {
			lost := 0.
			for _, n := range networks {
				if n != left {
					lost += best[n] - mean(setting, n)
				}
			}
			if lost < least {
				least, chosen = lost, setting
			}
		}
		out = append(out, leftOut{left, chosen, mean(chosen, left), best[left]})
	}
	return out
}

// picture draws the AUC of DeepWalk with the sums of rates that were tried, network by network: sums as they are, over the root of
// the mean degree (d), and over a power of the spread of degrees (s).
func (s *study) picture() (*plot.Picture, error) {
	var panels []plot.SweepPanel
	for _, n := range s.networks {
		p := plot.SweepPanel{Title: n}
		for _, rule := range []struct {
			degree, spread float64
			mark           string
		}{{0, 0, ""}, {0.5, 0, "d"}, {0, 1.5, "s"}} {
			for _, setting := range s.settings["deepwalk"] {
				key := "deepwalk " + setting
				r, x := s.rates[key], s.auc[key][n]
				if r.degree != rule.degree || r.spread != rule.spread || !r.plain || len(x) == 0 {
					continue
				}
				label := strings.TrimPrefix(fmt.Sprintf("%g%s", r.sum, rule.mark), "0")
				v := render.Value{Mean: stat.Mean(x, nil), N: len(x)}
				if len(x) > 1 {
					v.SD = stat.StdDev(x, nil)
				}
				p.Points = append(p.Points, plot.SweepPoint{X: float64(len(p.Points)), Label: label, Value: v})
			}
		}
		if len(p.Points) > 0 {
			panels = append(panels, p)
		}
	}
	return plot.DrawSweep("sum of the rates", panels)
}
