package shell

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/urfave/cli/v2"
)

// WriteOut writes the file that --out names, whole or not at all.
func WriteOut(path string, fill func(w io.Writer) error) error {
	return OutError(atomicfile.Write(path, fill))
}

// CheckFile finds out beforehand whether a file can be written. Devices and pipes are written to as they are.
func CheckFile(out string, force bool) error {
	if info, err := os.Stat(out); err == nil && info.Mode().IsRegular() && !force {
		return Badf("--out %s exists: expected a new file, or --force to replace it", out)
	} else if err == nil && info.IsDir() {
		return Badf("--out %s is a folder: expected a file", out)
	}
	return OutError(atomicfile.CheckWritable(out))
}

// CheckFolder finds out beforehand whether the folder that --out names can be written. With --force it replaces one of nothing but what,
// which ours knows by name, so that no other work is swept away; nil knows all.
func CheckFolder(c *cli.Context, what string, ours func(name string) bool) error {
	out := c.String("out")
	if out == "" {
		return Badf("no folder to write to: expected --out DIR")
	}
	err := atomicfile.CheckDir(out, c.Bool("force"))
	if errors.Is(err, atomicfile.ErrExists) {
		return Badf("--out %s exists and is not empty: expected a new folder, or --force to replace %s in it", out, what)
	}
	if err != nil {
		return OutError(err)
	}
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || ours == nil {
		return nil
	}
	for _, e := range entries {
		if !ours(e.Name()) {
			return Badf("--out %s contains %s, which is not part of %s: expected a new folder, or one with nothing else in it", out, e.Name(), what)
		}
	}
	return Bad(err)
}

// OutError says that what keeps files from being written is about --out.
func OutError(err error) error {
	if err != nil {
		err = Badf("--out: %w", err)
	}
	return err
}
