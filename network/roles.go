package network

import (
	"fmt"
	"slices"
	"strings"
)

// Columns says which column of a table holds what. The zero value leaves it to the table.
type Columns struct {
	roles []string // of the columns in their order: source, target, weight, time, or - for one that is not read
	names []string // (len(roles)) the columns' names in the table, where they were given by name
}

// Roles of columns.
const (
	roleSource = "source"
	roleTarget = "target"
	roleWeight = "weight"
	roleTime   = "time"
	roleNone   = "-"
)

// ParseColumns reads what columns hold: "source,target,weight,time" names the first columns in their order, with - for one that
// is not read, and "source=NAME,target=NAME" columns by their names in the table. "" leaves it to the table. It returns an error for
// other names, for one given twice, for both ways at once, and without a source or a target.
func ParseColumns(text string) (Columns, error) {
	var c Columns
	if text == "" {
		return c, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		role, name, named := strings.Cut(strings.TrimSpace(part), "=")
		role, name = strings.ToLower(strings.TrimSpace(role)), strings.TrimSpace(name)
		switch {
		case !slices.Contains([]string{roleSource, roleTarget, roleWeight, roleTime, roleNone}, role), named && (name == "" || role == roleNone):
			return Columns{}, fmt.Errorf("network: columns %q: expected source, target, weight, time and - in the order of the table, or source=NAME,target=NAME", text)
		case role != roleNone && slices.Contains(c.roles, role):
			return Columns{}, fmt.Errorf("network: columns %q: %s twice: expected it once", text, role)
		case len(c.roles) > 0 && named != (c.names != nil):
			return Columns{}, fmt.Errorf("network: columns %q: expected all by their place, or all by their name", text)
		}
		c.roles = append(c.roles, role)
		if named {
			c.names = append(c.names, name)
		}
	}
	if !slices.Contains(c.roles, roleSource) || !slices.Contains(c.roles, roleTarget) {
		return Columns{}, fmt.Errorf("network: columns %q: expected a source and a target among them", text)
	}
	return c, nil
}

// Given says whether the columns are told.
func (c Columns) Given() bool { return c.roles != nil }

// ByName says whether the columns are told by their names, so that the table must have some.
func (c Columns) ByName() bool { return c.names != nil }

// Layout is where the columns of a table are; -1 for one that is not there.
type Layout struct{ Source, Target, Weight, Time int }

// pairNames are known names of the columns of a link's ends.
var pairNames = []string{"source target", "source destination", "src dst", "src dest", "from to", "u v", "i j", "node1 node2", "node_1 node_2", "id_1 id_2", "id1 id2", "fromnodeid tonodeid",
	"from_node_id to_node_id", "source_id target_id", "sourceid targetid", "from_id to_id", "source_node target_node", "source_node destination_node", "from_node to_node", "sender receiver", "follower followee", "origin destination", "start end", "user1 user2",
	"vertex1 vertex2", "person1 person2", "node_a node_b", "citing cited", "head tail", "subject object", ":start_id :end_id", "start_id end_id"}

var (
	weightNames = []string{"weight", "weights", "w", "value", "count", "strength"}
	timeNames   = []string{"time", "timestamp", "unixts", "unix_time", "t", "date", "datetime", "year", "created_at"}
)

// knownNames returns where the columns of a table with such names are, and whether those of a link's ends are among them.
func knownNames(names []string) (Layout, bool) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(strings.TrimSpace(name))
	}
	l := Layout{Source: -1, Target: -1}
	for _, pair := range pairNames {
		from, to, _ := strings.Cut(pair, " ")
		if l.Source, l.Target = slices.Index(lower, from), slices.Index(lower, to); l.Source >= 0 && l.Target >= 0 {
			break
		}
	}
	at := func(known []string) int {
		return slices.IndexFunc(lower, func(s string) bool { return slices.Contains(known, s) })
	}
	l.Weight, l.Time = at(weightNames), at(timeNames)
	return l, l.Source >= 0 && l.Target >= 0
}

// Locate returns where the columns of a table are that has columns of these names. It returns an error if names that were told
// are not there, or if none were told and no two are known as the ends of a link.
func (c Columns) Locate(names []string) (Layout, error) {
	l := Layout{-1, -1, -1, -1}
	if !c.Given() {
		known, ok := knownNames(names)
		if !ok {
			return l, fmt.Errorf("columns %s: expected source and target among them, or --columns source=NAME,target=NAME", strings.Join(names, ", "))
		}
		return known, nil
	}
	if len(c.roles) > len(names) {
		return l, fmt.Errorf("%d columns: expected the %d of --columns", len(names), len(c.roles))
	}
	for i, role := range c.roles {
		at := i
		if c.ByName() {
			if at = slices.Index(names, c.names[i]); at < 0 {
				return l, fmt.Errorf("no column %q among %s: expected the names of --columns", c.names[i], strings.Join(names, ", "))
			}
		}
		switch role {
		case roleSource:
			l.Source = at
		case roleTarget:
			l.Target = at
		case roleWeight:
			l.Weight = at
		case roleTime:
			l.Time = at
		}
	}
	return l, nil
}

// Ignored returns the names of the columns that the layout does not have.
func (l Layout) Ignored(names []string) []string {
	var out []string
	for i, name := range names {
		if i != l.Source && i != l.Target && i != l.Weight && i != l.Time {
			out = append(out, name)
		}
	}
	return out
}
