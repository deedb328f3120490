package main

import (
	"encoding/json"
	"slices"

	"github.com/urfave/cli/v2"
)

// settingRuns are runs of training that differ in their seed alone, or one embedding of which that is not known.
type settingRuns struct {
	key    string
	name   string
	seeds  map[uint64]string // the paths that they were read from
	models []int             // their places among all embeddings
}

// modelSettings reads the embeddings that are named after the command, and returns the settings that they are of.
func (p *program) modelSettings(c *cli.Context) (models []*embedding, settings []*settingRuns, err error) {
	for i, path := range c.Args().Slice() {
		e, err := p.embeddingAt(path, c.String("vertices"))
		if err != nil {
			return nil, nil, err
		}
		s, err := settingOf(&settings, e)
		if err != nil {
			return nil, nil, err
		}
		models, s.models = append(models, e), append(s.models, i)
	}
	named := map[string]int{}
	for _, s := range settings {
		named[s.name]++
	}
	for _, s := range settings {
		if named[s.name] > 1 { // of one method: by the folder of the first run too
			s.name += " (" + models[s.models[0]].path + ")"
		}
	}
	return models, settings, nil
}

// settingOf returns the setting that an embedding is of, which is a new one unless a run with other seeds came before.
func settingOf(settings *[]*settingRuns, e *embedding) (*settingRuns, error) {
	key, seed := "file "+e.path, uint64(0)
	if e.Record != nil {
		options := map[string]json.RawMessage{}
		if err := json.Unmarshal(e.Record.Options, &options); err != nil {
			return nil, badf("%s: the options in its record: %w", e.path, err)
		}
		delete(options, "seed")
		text, err := json.Marshal(options)
		if err != nil {
			return nil, err
		}
		key, seed = e.method+string(text), e.Record.Seed
	}
	i := slices.IndexFunc(*settings, func(s *settingRuns) bool { return s.key == key })
	if i < 0 {
		name := e.method
		if e.Record == nil {
			name = e.path
		}
		i = len(*settings)
		*settings = append(*settings, &settingRuns{key: key, name: name, seeds: map[uint64]string{}})
	}
	s := (*settings)[i]
	if before, there := s.seeds[seed]; there {
		return nil, badf("%s and %s are the same run: want each run once", before, e.path)
	}
	s.seeds[seed] = e.path
	return s, nil
}
