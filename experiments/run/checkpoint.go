package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/checkpoint"
	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/results"
)

// ErrOtherRun is wrapped by the error of a run whose checkpoint is of another run: of other data, other options, another definition,
// or another program. ErrDamaged is of one that is not as it was written.
var (
	ErrOtherRun = errors.New("the checkpoint is of another run")
	ErrDamaged  = checkpoint.ErrDamaged
)

// Worth is from how long a run on it is worth a checkpoint, where nobody says how often.
const Worth = time.Minute

// usualEvery is how often the state is kept where nobody says it, and least is how much longer than the writing of one checkpoint the
// time between two is then: they take less than a hundredth of it.
const (
	usualEvery = 5 * time.Minute
	least      = 100
)

// Every is how often the state of a training is kept.
type Every struct {
	Off    bool
	Time   time.Duration // between two; 0 for no matter
	Epochs int           // between two; 0 for no matter
	// Estimate is how long the run may take, where nobody said how often: it has checkpoints if that is Worth it, or once it has
	// taken so long. It is looked at if Time and Epochs are 0.
	Estimate time.Duration
}

// ParseEvery returns what a text such as "5m", "90s", "1epoch", "10epochs" or "off" says. It returns an error for any other text, and
// for numbers that are not positive.
func ParseEvery(text string) (Every, error) {
	if text == "off" {
		return Every{Off: true}, nil
	}
	number, whole := strings.CutSuffix(strings.TrimSuffix(text, "s"), "epoch")
	if epochs, err := strconv.Atoi(number); whole && err == nil && epochs > 0 {
		return Every{Epochs: epochs}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return Every{Time: d}, nil
	}
	return Every{}, fmt.Errorf("%.40q: want a time such as 5m, a number of epochs such as 1epoch, or off", text)
}

// Checkpoints keep where a run stands, in a folder of its own, so that the same run goes on from there in another process and comes
// to the same, to the bit. A run that trains several times, to choose or once more on all links, has a file for each training. They
// may be nil, for none.
type Checkpoints struct {
	Dir   string // made when there is something to keep
	Every Every

	// Anew takes away a checkpoint that is damaged or of another run, and tells Failed, where else Run returns an error.
	Anew bool
	// Finish ends the run where its checkpoint stands, as if it were stopped there.
	Finish context.CancelFunc

	Resumed func(from string)         // told where training goes on; may be nil
	Written func(after time.Duration) // told that a checkpoint was written, and how long that took; may be nil
	Failed  func(error)               // told why a checkpoint could not be written, or was taken away; may be nil

	part string
	*keeping
}

// keeping is what the parts of a run have in common.
type keeping struct {
	mu    sync.Mutex
	began time.Time
	kept  bool
}

// NewCheckpoints returns those of a run in a folder.
func NewCheckpoints(dir string, every Every) *Checkpoints {
	return &Checkpoints{Dir: dir, Every: every, part: "train", keeping: &keeping{began: time.Now()}}
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

func (c *Checkpoints) path() string { return filepath.Join(c.Dir, c.part+checkpointSuffix) }

// Kept says whether the run can go on from what is kept of it.
func (c *Checkpoints) Kept() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept
}

func (c *Checkpoints) setKept(kept bool) {
	c.mu.Lock()
	c.kept = kept
	c.mu.Unlock()
}

// Remove takes the checkpoints away, and their folder if nothing else is in it. It returns an error where a file is there and cannot be
// removed; that nothing is there is none.
func (c *Checkpoints) Remove() error {
	if c == nil {
		return nil
	}
	files, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("experiments: checkpoints: %w", err)
	}
	var errs []error
	for _, f := range files {
		if strings.Contains(f.Name(), checkpointSuffix) {
			errs = append(errs, disk.Remove(filepath.Join(c.Dir, f.Name())))
		}
	}
	_ = disk.Remove(c.Dir) // fails if something else is in it
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("experiments: checkpoints: %w", err)
	}
	c.setKept(false)
	return nil
}

// training returns the checkpoints of one training of the run that a record is of; until is of graphs.Input. It returns an error
// that wraps ErrOtherRun or ErrDamaged for a checkpoint that it cannot go on from.
func (c *Checkpoints) training(r *results.Record, until map[string]int) (*graphs.Checkpoints, error) {
	if c == nil {
		return nil, nil
	}
	identity := identityOf(r, c.part, until)
	from, err := c.read(identity)
	if err != nil {
		if !c.Anew {
			return nil, err
		}
		c.failed(fmt.Errorf("%w; it is removed, and the run starts over", err))
		if err := disk.Remove(c.path()); err != nil {
			return nil, fmt.Errorf("experiments: checkpoints: %w", err)
		}
	}
	if from != nil {
		r.Resumed = true
		c.setKept(true)
		if c.Resumed != nil {
			c.Resumed(from.Position())
		}
	}
	w := &checkpointWriter{Checkpoints: c, identity: identity, last: time.Now()}
	return &graphs.Checkpoints{Due: w.due, Save: w.save, From: from}, nil
}

func (c *Checkpoints) failed(err error) {
	if c.Failed != nil {
		c.Failed(err)
	}
}

// resumed is to be called when a training has taken over its state.
func (c *Checkpoints) resumed() {
	if c != nil && c.Finish != nil {
		c.Finish()
	}
}

// read returns the state that training goes on from, nil if there is none.
func (c *Checkpoints) read(identity []checkpoint.Fact) (*graphs.State, error) {
	content, err := checkpoint.Read(c.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	if differ := checkpoint.Differences(content.Identity, identity); len(differ) > 0 {
		return nil, fmt.Errorf("experiments: %s: %w: %s", c.path(), ErrOtherRun, strings.Join(differ, "; "))
	}
	return &graphs.State{Course: content.State, Numbers: content.Numbers}, nil
}

// checkpointWriter writes the checkpoints of one training.
type checkpointWriter struct {
	*Checkpoints
	identity []checkpoint.Fact
	last     time.Time     // when the latest was written, or tried
	cost     time.Duration // of that
	epochs   int           // since
}

// usual says that nobody said how often.
func (e Every) usual() bool { return !e.Off && e.Time == 0 && e.Epochs == 0 }

func (w *checkpointWriter) due(epochEnded bool) bool {
	if epochEnded {
		w.epochs++
	}
	switch e := w.Every; {
	case e.Off:
		return false
	case e.usual():
		return time.Since(w.last) >= max(usualEvery, least*w.cost)
	default:
		return e.Time > 0 && time.Since(w.last) >= e.Time || epochEnded && e.Epochs > 0 && w.epochs >= e.Epochs
	}
}

// worth says whether the run is long enough for checkpoints, where nobody said how often.
func (c *Checkpoints) worth() bool {
	return !c.Every.Off && (!c.Every.usual() || c.Every.Estimate >= Worth || time.Since(c.began) >= Worth || c.Kept())
}

func (w *checkpointWriter) save(s graphs.State) {
	if !w.worth() {
		return
	}
	start := time.Now()
	made := disk.Missing(w.Dir)
	err := disk.MkdirAll(w.Dir, 0o777)
	if err == nil {
		err = checkpoint.Write(w.path(), checkpoint.Content{Identity: w.identity, State: s.Course, Numbers: s.Numbers})
	}
	w.last, w.epochs = time.Now(), 0
	w.cost = w.last.Sub(start)
	if err != nil {
		disk.RemoveEmpty(made)
		w.failed(fmt.Errorf("experiments: no checkpoint could be written; training continues: %w", err))
		return
	}
	w.setKept(true)
	if w.Written != nil {
		w.Written(w.cost)
	}
}

// identityOf lists what the numbers of a training depend on: the program, the data and the options.
func identityOf(r *results.Record, part string, until map[string]int) []checkpoint.Fact {
	facts := []checkpoint.Fact{
		{Name: "program", Value: programOf(r.Code)}, {Name: "kernel", Value: r.Host.Arch + " " + kernel.Variant()},
		{Name: "definition", Value: r.Definition}, {Name: "data", Value: r.Dataset.SHA256},
		{Name: "features", Value: r.Dataset.FeaturesSHA256}, {Name: "words", Value: r.Dataset.WordsSHA256}, {Name: "parent", Value: parentOf(r)},
		{Name: "training", Value: part},
	}
	for _, stage := range slices.Sorted(maps.Keys(until)) {
		facts = append(facts, checkpoint.Fact{Name: "epochs of " + stage, Value: fmt.Sprint(until[stage])})
	}
	var options map[string]json.RawMessage
	if err := json.Unmarshal(r.Options, &options); err == nil { // they were made by this program
		for _, name := range slices.Sorted(maps.Keys(options)) {
			facts = append(facts, checkpoint.Fact{Name: name, Value: strings.Trim(string(options[name]), `"`)})
		}
	}
	return slices.DeleteFunc(facts, func(f checkpoint.Fact) bool { return f.Value == "" })
}

func parentOf(r *results.Record) string {
	if r.Parent == nil {
		return ""
	}
	return r.Parent.SHA256
}

// programOf names the program by its commit, or, where that does not tell, by the checksum of its file.
func programOf(c results.Code) string {
	if c.Commit != "" && !c.Dirty {
		return c.Commit
	}
	return "file " + ownChecksum()
}

// ownChecksum returns the first digits of the checksum of the running program's file.
var ownChecksum = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
})

// There says whether the folder has a checkpoint.
func (c *Checkpoints) There() bool {
	names, err := filepath.Glob(filepath.Join(c.Dir, "*"+checkpointSuffix))
	return err == nil && len(names) > 0
}

// CheckpointFolder is where checkpoints lie of the runs of a store, each in a folder of its key.
func CheckpointFolder(store string) string {
	return filepath.Join(filepath.Dir(store), "."+filepath.Base(store)+".checkpoints")
}

// RunKey names what determines the numbers of a run on any data, with what else sets it apart.
func RunKey(d Data, o graphs.Options, more ...string) string {
	facts := []string{d.Describe().SHA256, Hash(KeyText("", o))}
	if d.Parent != nil {
		facts = append(facts, d.Parent.sum)
	}
	return Hash(strings.Join(append(facts, more...), "\n"))
}
