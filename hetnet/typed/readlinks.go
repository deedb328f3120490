package typed

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/network"
)

// links reads a file of links, or of pairs to rank, of whose vertices those of no link are counted.
func (b *builder) links(path string, l yamlfile.Entry[linkFile], typ LinkType, pairs bool) (links Links, repeated int, err error) {
	columns := l.Value.Columns
	if columns == nil {
		columns = []string{"source", "target"}
	}
	source, target, weight, when := slices.Index(columns, "source"), slices.Index(columns, "target"), slices.Index(columns, "weight"), slices.Index(columns, "time")
	for _, c := range columns {
		if !slices.Contains([]string{"source", "target", "weight", "time", "-"}, c) {
			return links, 0, fmt.Errorf("typed: links %s: column %q: want source, target, weight, time, or - for others", l.Name, c)
		}
	}
	if source < 0 || target < 0 {
		return links, 0, fmt.Errorf("typed: links %s: columns %s: want source and target among them", l.Name, strings.Join(columns, ", "))
	}
	seen := map[[2]int32]bool{}
	err = eachLine(path, func(fields []string, at func(format string, args ...any) error) error {
		if len(fields) < len(columns) {
			return at("%d columns: want %s", len(fields), strings.Join(columns, ", "))
		}
		var ends [2]int32
		unknown := false
		for i, c := range []int{source, target} {
			t := []int{typ.From, typ.To}[i]
			name := fields[c]
			if l.Value.Subtract != 0 {
				x, err := strconv.ParseInt(name, 10, 64)
				if err != nil {
					return at("%.40q: want a whole number, from which %d is to be subtracted", name, l.Value.Subtract)
				}
				name = strconv.FormatInt(x-l.Value.Subtract, 10)
			}
			if err := network.CheckID([]byte(name)); err != nil {
				return at("name %.40q %v", name, err)
			}
			v, there := b.places[t][name]
			unknown = unknown || !there
			if !there {
				if len(b.n.Names[t]) == math.MaxInt32 {
					return at("more than %d vertices: want fewer", math.MaxInt32)
				}
				v = b.vertex(t, name)
			}
			ends[i] = v
		}
		key := ends
		if typ.From == typ.To && !typ.Directed && key[0] > key[1] {
			key[0], key[1] = key[1], key[0]
		}
		if seen[key] {
			repeated++
			return nil
		}
		seen[key] = true
		if unknown && pairs {
			b.report.Unknown++
		}
		if weight >= 0 {
			w, err := strconv.ParseFloat(fields[weight], 32)
			if err != nil || !(w > 0) || math.IsInf(w, 0) {
				return at("weight %.40q: want a finite number above 0", fields[weight])
			}
			links.Weight = append(links.Weight, float32(w))
		}
		if when >= 0 {
			t, err := strconv.ParseInt(fields[when], 10, 64)
			if err != nil {
				return at("time %.40q: want a whole number", fields[when])
			}
			links.Time = append(links.Time, t)
		}
		links.From, links.To = append(links.From, ends[0]), append(links.To, ends[1])
		return nil
	})
	if err == nil && !pairs && len(links.From) == 0 {
		err = fmt.Errorf("typed: %s has no link: want some of %s", path, l.Name)
	}
	return links, repeated, err
}

// maxLine is how long a line of links or contents may be, in bytes.
const maxLine = 1 << 20

// eachLine calls do for the fields of each line of a file, and lets it make errors about that line.
func eachLine(path string, do func(fields []string, at func(format string, args ...any) error) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("typed: %w", err)
	}
	defer file.Close()
	lines, err := network.NewTextLines(file, path, maxLine, "names of vertices")
	if err != nil {
		return err
	}
	at := func(format string, args ...any) error {
		return fmt.Errorf("typed: %s:%d: %s", path, lines.Line(), fmt.Sprintf(format, args...))
	}
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' || text[0] == '%' {
			continue
		}
		if err := do(splitFields(string(line)), at); err != nil {
			return err
		}
	}
}

// splitFields parts a line at tabs or, without any, at commas or, without these, at spaces.
func splitFields(line string) []string {
	for _, separator := range []string{"\t", ","} {
		if strings.Contains(line, separator) {
			fields := strings.Split(line, separator)
			for i := range fields {
				fields[i] = strings.TrimSpace(fields[i])
			}
			return fields
		}
	}
	return strings.Fields(line)
}
