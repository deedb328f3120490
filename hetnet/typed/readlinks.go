package typed

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/network"
)

// asKeys turns what package network says of flags into what a schema has for them.
var asKeys = strings.NewReplacer("--header=false", "header: false", "--header", "header: true", "--columns", "columns:")

var columnsFlag = regexp.MustCompile(`--columns ((?:-,)*source[\w=,-]*[\w-])`)

// ofSchema returns an error of package network in the words of a schema.
func ofSchema(err error) error {
	if err == nil || !strings.Contains(err.Error(), "--") {
		return err
	}
	return fmt.Errorf("typed: %s", strings.TrimPrefix(asKeys.Replace(columnsFlag.ReplaceAllString(err.Error(), "columns: [$1]")), "network: "))
}

// options returns how a file of links is read: by the rules for all files of links, but for what the schema says.
func (l linkFile) options() (o network.ReadOptions, err error) {
	o.Directed = l.Directed
	if l.Header != nil {
		o.Header = map[bool]network.Header{true: network.HeaderYes, false: network.HeaderNo}[*l.Header]
	}
	o.Columns, err = network.ParseColumns(strings.Join(l.Columns, ","))
	return o, err
}

// links reads a file of links.
func (b *builder) links(path string, l yamlfile.Entry[linkFile], typ LinkType) (links Links, err error) {
	o, err := l.Value.options()
	if err != nil {
		return links, fmt.Errorf("typed: links %s: %w", l.Name, err)
	}
	list, err := network.ReadLinks(path, o)
	if err != nil {
		return links, ofSchema(err)
	}
	seen := map[[2]int32]bool{}
	for k, link := range list.Links {
		key := [2]int32{}
		for i, end := range []struct {
			t    int
			name int32
		}{{typ.From, link.From}, {typ.To, link.To}} {
			name, err := l.Value.subtracted(list.Names[end.name])
			if err != nil {
				return links, fmt.Errorf("typed: %s:%d: %w", path, list.Lines[k], err)
			}
			key[i] = b.vertices[end.t].Of(name)
		}
		from, to := key[0], key[1]
		if typ.From == typ.To && !typ.Directed && from > to {
			key[0], key[1] = to, from
		}
		if seen[key] {
			b.notes.Add("repeated_"+l.Name+"_dropped", 1, "")
			continue
		}
		seen[key] = true
		if list.Weights != nil {
			links.Weight = append(links.Weight, list.Weights[k])
		}
		if list.Times != nil {
			links.Time = append(links.Time, list.Times[k])
		}
		links.From, links.To = append(links.From, from), append(links.To, to)
	}
	if len(links.From) == 0 {
		err = fmt.Errorf("typed: %s has no link: expected some of %s", path, l.Name)
	}
	return links, err
}

// subtracted returns a name of a file as other files have it.
func (l linkFile) subtracted(name string) (string, error) {
	if l.Subtract == 0 {
		return name, nil
	}
	x, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%.40q: expected a whole number, from which %d is to be subtracted", name, l.Subtract)
	}
	return strconv.FormatInt(x-l.Subtract, 10), nil
}
