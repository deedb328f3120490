package run

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/results"
)

// NotPlain returns why the source of the program, and the versions in go.mod, do not say what it computes:
// settings of its build, modules of other places, code in C, or files that are not among those embedded. Runs
// of such a program are known by its executable. It returns nothing for a plain build.
//
// Programs that read the environment or files while they train are not recognised.
func NotPlain() []string { return theSource().notPlain }

// theSource returns the hashes of the units of this program, and why its source does not tell all. The source
// itself is let go, since it takes as much memory as a small training.
var theSource = sync.OnceValue(func() (found struct {
	hashes   map[string]string // of units
	notPlain []string
}) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	p := readProgram()
	found.notPlain = p.strange()
	found.hashes = unitHashes(p, entryPlaces())
	found.notPlain = append(found.notPlain, list("declared in no file of its source", p.missing)...)
	if info, _ := debug.ReadBuildInfo(); info != nil && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "-trimpath" }) {
		found.notPlain = append(found.notPlain, list("texts that -ldflags -X may have set, which a build with -trimpath does not tell", p.settable)...)
	}
	p = nil
	debug.FreeOSMemory()
	return found
})

// ownBuild returns what definitions have of a build beside its source, "" for most: its executable, where it
// is not plain; and its GOAMD64, if that is not the first one, since from the third on the compiler joins
// products and sums, which round differently.
var ownBuild = sync.OnceValue(func() (text string) {
	if len(NotPlain()) > 0 {
		text = programHash()
	}
	if code, _ := results.Environment(); code.Level != "" && code.Level != "v1" {
		text += code.Level
	}
	return text
})

// strange returns why the source of a program does not say what this executable computes.
func (p *program) strange() (why []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return []string{"it was built without the go tool's record of modules"}
	}
	why = slices.Concat(settings(info.Settings), otherModules(info.Deps, p.texts["go.mod"], p.texts["go.sum"]))
	var unknown, inC []string
	for _, name := range compiled() {
		if p.files[name] == nil && !strings.HasSuffix(name, "_test.go") && name != "_testmain.go" && !strings.HasPrefix(name, "vendor/") {
			unknown = append(unknown, name)
		}
	}
	for name, f := range p.files {
		if f.imports["C"] != "" {
			inC = append(inC, name)
		}
	}
	return append(why, slices.Concat(list("not among its source", unknown), list("code in C", inC))...)
}

// list returns what several things have in common, and the first of them; nothing for none.
func list(what string, names []string) []string {
	slices.Sort(names)
	switch n := len(names); n {
	case 0:
		return nil
	case 1:
		return []string{what + ": " + names[0]}
	default:
		return []string{fmt.Sprintf("%s: %s and %d more", what, names[0], n-1)}
	}
}

// plainSettings are settings of a build that move no number, and the values that they have then; nil for any.
var plainSettings = map[string]*regexp.Regexp{
	"-buildmode": regexp.MustCompile("^(exe|pie)$"), "-compiler": regexp.MustCompile("^gc$"), "-trimpath": nil, "-race": nil, "-cover": nil, "-covermode": nil,
	"-ldflags": regexp.MustCompile(`^"?(-s|-w|-X github\.com/asp2vec/asp2vec/results\.(version|commit)=[\w.+-]*| )*"?$`), "-tags": regexp.MustCompile("^(paper|purego|netgo|osusergo|,)*$"), "DefaultGODEBUG": nil,
	"CGO_ENABLED": nil, "CGO_CFLAGS": noSetting, "CGO_CPPFLAGS": noSetting, "CGO_CXXFLAGS": noSetting, "CGO_LDFLAGS": noSetting,
	"GOOS": nil, "GOARCH": nil, "GOAMD64": nil, "GOARM64": nil, "vcs": nil, "vcs.revision": nil, "vcs.time": nil, "vcs.modified": nil,
}

var noSetting = regexp.MustCompile("^$")

// settings returns those of a build that may move a number.
func settings(all []debug.BuildSetting) (why []string) {
	for _, s := range all {
		values, known := plainSettings[s.Key]
		if !known || values != nil && !values.MatchString(s.Value) {
			why = append(why, fmt.Sprintf("it was built with %s=%s", s.Key, s.Value))
		}
	}
	return why
}

// otherModules returns the modules of a build that are not those of go.mod, or not as go.sum has them.
func otherModules(all []*debug.Module, mod, sums string) (why []string) {
	var replaced, unknown, unsigned, others []string
	for _, m := range all {
		version := m.Path + " " + m.Version
		switch {
		case isSilentModule(m.Path):
		case m.Replace != nil:
			replaced = append(replaced, version)
		case !strings.Contains(mod, version+"\n") && !strings.Contains(mod, version+" "):
			unknown = append(unknown, version)
		case m.Sum == "":
			unsigned = append(unsigned, version)
		case !strings.Contains(sums, version+" "+m.Sum+"\n"):
			others = append(others, version)
		}
	}
	return slices.Concat(list("modules that are replaced", replaced), list("modules that go.mod has not got", unknown),
		list("modules without a checksum, as in a vendor folder", unsigned), list("modules of another checksum than in go.sum", others))
}

// compiled returns the files of this module that the executable is made of: the table of its functions names
// them. Of an executable that cannot be read it returns a file that there is not.
func compiled() (names []string) {
	const here = "experiments/run/build.go"
	_, file, _, _ := runtime.Caller(0)
	root, _ := strings.CutSuffix(file, here)
	path, err := os.Executable()
	if err != nil {
		return []string{err.Error()}
	}
	f, err := os.Open(path)
	if err != nil {
		return []string{err.Error()}
	}
	defer f.Close()
	name := regexp.MustCompile(regexp.QuoteMeta(root) + `[^\x00\n]{1,200}?\.go\x00`)
	const overlap = 1 << 10 // no name is longer
	part := make([]byte, 1<<20)
	for n, kept := 0, 0; err == nil; {
		n, err = io.ReadFull(f, part[kept:])
		for _, found := range name.FindAll(part[:kept+n], -1) {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(string(found), root), "\x00"))
		}
		kept = copy(part, part[max(0, kept+n-overlap):kept+n])
	}
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		names = append(names, err.Error())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// versions returns the lines of go.mod and go.sum about modules that numbers can depend on.
func versions(mod, sums string) (text string) {
	for line := range strings.Lines(mod) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(strings.TrimPrefix(line, "require"))
		if len(words) == 0 || isSilentModule(line) {
			continue
		}
		version := strings.Join(words, " ")
		text += version + "\n"
		for sum := range strings.Lines(sums) {
			if strings.HasPrefix(sum, version+" ") {
				text += sum
			}
		}
	}
	return text
}

// silentModules are those that no number depends on.
var silentModules = []string{
	"cli/v2", "tablewriter", "progressbar", "fpdf", "plot", "smetrics", "x/image", "x/term", "x/text", "olekukonko", "mattn", "clipperhouse", "fatih", "cpuguy83", "blackfriday",
	"go-fonts", "go-latex", "freetype", "svgo", "sbinet/gg", "colorstring", "uniseg", "flock",
}

func isSilentModule(line string) bool {
	return slices.ContainsFunc(silentModules, func(m string) bool { return strings.Contains(line, m) })
}
