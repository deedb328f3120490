package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// ErrOtherRun is wrapped by the error of a run whose checkpoint is of another run: of other data, other options or another program.
// ErrDamaged is of one that is not as it was written.
var (
	ErrOtherRun = errors.New("the checkpoint is of another run")
	ErrDamaged  = errors.New("the checkpoint is damaged")
)

// How often the state is kept where nobody says it: at the ends of epochs, unless they are short, and in the midst of long ones. Checkpoints
// then take less than a hundredth of the time.
const (
	afterEpoch  = 10 * time.Second
	withinEpoch = time.Minute
	costShare   = 100
)

// Checkpoints keep where a run stands, in a folder of its own, so that the same run goes on from there in another process and comes to the
// same bytes. A run that trains once more on all links has a file for each training. They may be nil, for none.
type Checkpoints struct {
	Dir   string        // made when there is something to keep
	Every time.Duration // 0 for as often as is usual, less for never
	Anew  bool          // takes away a checkpoint that is damaged or of another run, and tells of it, where else Run returns an error

	part string // of the run that is a training; "" for the first
}

// of returns the checkpoints of another training of the run.
func (c *Checkpoints) of(part string) *Checkpoints {
	if c == nil {
		return nil
	}
	other := *c
	other.part = part
	return &other
}

const checkpointSuffix = ".checkpoint"

func (c *Checkpoints) path() string {
	return filepath.Join(c.Dir, cmp.Or(c.part, "train")+checkpointSuffix)
}

// Kept says whether the run can go on from what is kept of it.
func (c *Checkpoints) Kept() bool {
	if c == nil || c.Every < 0 {
		return false
	}
	files, err := atomicfile.Named(c.Dir, "*"+checkpointSuffix)
	return err == nil && len(files) > 0
}

// Remove takes the checkpoints away, and their folder if nothing else is in it. It returns an error where a file is there and cannot be
// removed; that nothing is there is none.
func (c *Checkpoints) Remove() error {
	if c == nil {
		return nil
	}
	files, err := atomicfile.Named(c.Dir, "*"+checkpointSuffix+"*")
	for _, f := range files {
		err = errors.Join(err, os.Remove(f))
	}
	_ = os.Remove(c.Dir) // fails if something else is in it
	if err != nil {
		return fmt.Errorf("experiments: checkpoints: %w", err)
	}
	return nil
}

// training returns the checkpoints of one training of the run that a record is of; until is of graphs.Input. It returns an error
// that wraps ErrOtherRun or ErrDamaged for a checkpoint that it cannot go on from.
func (c *Checkpoints) training(r *results.Record, until map[string]int, watch Watch) (*graphs.Checkpoints, error) {
	if c == nil || c.Every < 0 {
		return nil, nil
	}
	w := &checkpointWriter{Checkpoints: c, watch: watch, identity: identityOf(r, c.part, until), last: time.Now()}
	k := &graphs.Checkpoints{Due: w.due, Save: w.save}
	identity, from, err := readCheckpoint(c.path())
	if err == nil && identity != w.identity {
		err = fmt.Errorf("experiments: %s: %w: of other data, options or another program", c.path(), ErrOtherRun)
	}
	switch {
	case err == nil:
		r.Resumed, k.From = true, &from
		watch.tell(Resumed(from.Position()))
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case c.Anew:
		watch.tell(CheckpointLost{fmt.Errorf("%w; it is removed, and the run starts over", err)})
		err = os.Remove(c.path())
	}
	return k, err
}

// checkpointWriter writes the checkpoints of one training.
type checkpointWriter struct {
	*Checkpoints
	watch    Watch
	identity string
	last     time.Time     // when the latest was written, or tried
	cost     time.Duration // of that
}

func (w *checkpointWriter) due(epochEnded bool) bool {
	since := time.Since(w.last)
	switch {
	case w.Every > 0:
		return since >= w.Every
	case epochEnded:
		return since >= max(afterEpoch, costShare*w.cost)
	}
	return since >= max(withinEpoch, costShare*w.cost)
}

// save writes the state.
func (w *checkpointWriter) save(s graphs.State) {
	start := time.Now()
	err := writeCheckpoint(w.path(), w.identity, s)
	w.last, w.cost = time.Now(), time.Since(start)
	if err != nil {
		w.watch.tell(CheckpointLost{fmt.Errorf("experiments: no checkpoint could be written; training continues: %w", err)})
	}
}

// identityOf names what the numbers of a training depend on: the program, the data and the options, as far as training reads them.
func identityOf(r *results.Record, part string, until map[string]int) string {
	options := r.Options
	if o, err := methods.Decode(r.Method, r.Options); err == nil {
		if text, err := results.MarshalOptions(trained(o)); err == nil {
			options = text
		}
	}
	text, _ := json.Marshal([]any{r.Definition, r.Host.Arch, kernel.Variant(), r.Dataset.SHA256, r.Dataset.FeaturesSHA256, r.Dataset.WordsSHA256, part, until, options}) // of words and numbers
	return Hash(string(text))
}

// Folder names the folder of a run in a store: a hash of all that its vectors depend on. sum is the checksum of the data or, where each seed parts a network, of the
// network.
func Folder(dataset, sum string, o graphs.Options) string {
	facts := []string{KeyText(dataset, o), sum, Definition(o), ""} // "" is of a fact that folders of before had
	for _, path := range []string{graphs.Own[graphs.FeatureOptions](o).Features, graphs.Own[hetnet.PaperOptions](o).WordVectors} {
		text, _ := os.ReadFile(path) // the run itself tells of one that cannot be read
		facts = append(facts, Hash(string(text)))
	}
	return Hash(strings.Join(facts, "\n"))
}

// Folder names the folder of a run on the data; see Folder.
func (d Data) Folder(o graphs.Options) string {
	described := d.Describe()
	return Folder(d.Name, cmp.Or(described.NetworkSHA256, described.SHA256), o)
}
