package lang

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// Added is where a user adds to the table: TOML files of the form of rules/languages, which queries compile into a kept table. A hook
// reads only the kept table: it never parses TOML, and where a user adds nothing there is no table to read.
type Added struct {
	Config string // the user's own configuration folder; "" where there is none, or where it could have come with a clone
	State  string
}

// Bounds of what a user adds.
const (
	maxOwnFiles = 200
	maxOwnFile  = 256 << 10
	maxOwnAll   = 2 << 20
)

// ownTable is the kept table.
type ownTable struct {
	Dir      string             `json:"dir"`
	Sum      string             `json:"sum"` // of the files, and of the built-in table
	Problems []string           `json:"problems"`
	Rules    *rule.OwnLanguages `json:"rules"`
}

// Dir is the folder with the user's files.
func (a Added) Dir() string {
	if a.Config == "" {
		return ""
	}
	return filepath.Join(a.Config, "rules", "languages")
}

// file is where the compiled table is kept.
func (a Added) file() string {
	return filepath.Join(a.State, "languages-"+strconv.FormatUint(sum(a.Dir()), 36)+".json")
}

// Table is t with what the user adds, for queries: where the files have changed, they are compiled and kept. Problems, a line each, are of files
// that do not count.
func (a Added) Table(t *Table) (with *Table, problems []string) {
	files, err := a.files()
	problems = lines(err)
	if len(files) == 0 {
		if a.Dir() != "" {
			_ = os.Remove(a.file()) // most users never had one
		}
		return t, problems
	}
	kept := ownTable{}
	now := ownSum(t, files, problems)
	if !state.Read(a.file(), 0, &kept) || kept.Sum != now || kept.Rules == nil {
		kept = ownTable{Dir: a.Dir(), Sum: now, Problems: problems}
		var wrong error
		kept.Rules, wrong = rule.ReadOwnLanguages(files, t.Languages)
		kept.Problems = append(kept.Problems, lines(wrong)...)
		if with, err = t.With(kept.Rules); err != nil {
			return t, append(kept.Problems, err.Error())
		}
		// What cannot be kept is compiled again by the next query; hooks go by the built-in table then.
		if os.MkdirAll(a.State, 0o700) == nil {
			_ = state.Write(a.file(), &kept)
		}
		return with, kept.Problems
	}
	if with, err = t.With(kept.Rules); err != nil {
		return t, append(kept.Problems, err.Error())
	}
	return with, kept.Problems
}

// Kept is t with what is in the kept table, for hooks: no TOML is looked at.
func (a Added) Kept(t *Table) *Table {
	kept := ownTable{}
	if a.Dir() == "" || !state.Read(a.file(), 0, &kept) || kept.Dir != a.Dir() || kept.Rules == nil {
		return t
	}
	with, err := t.With(kept.Rules)
	if err != nil {
		return t
	}
	return with
}

// Follow is Kept for a process that goes on: the kept table is read when it is wanted, and again where a query has replaced it.
func (a Added) Follow(t *Table) func() *Table {
	var mu sync.Mutex
	var seen fs.FileInfo
	with := t
	return func() *Table {
		mu.Lock()
		defer mu.Unlock()
		info, err := os.Lstat(a.file())
		switch {
		case a.Dir() == "" || err != nil:
			seen, with = nil, t
		case seen == nil || !os.SameFile(seen, info) || !seen.ModTime().Equal(info.ModTime()) || seen.Size() != info.Size():
			seen, with = info, a.Kept(t)
		}
		return with
	}
}

// Check reads the user's files and tries their examples: names are the files, in which so many examples are.
func (a Added) Check(t *Table) (names []string, examples int, err error) {
	files, unread := a.files()
	for i := range files {
		names = append(names, files[i].Name)
	}
	examples, err = CheckOwn(t, files)
	return names, examples, errors.Join(unread, err)
}

// CheckOwn tries the examples of files with languages that are added to a table.
func CheckOwn(t *Table, files []rule.OwnFile) (examples int, err error) {
	own, err := rule.ReadOwnLanguages(files, t.Languages)
	with, wrong := t.With(own)
	if wrong != nil {
		return 0, errors.Join(err, wrong)
	}
	var problems []*rule.Problem
	for i := range own.Languages {
		l := &own.Languages[i]
		file := files[slices.IndexFunc(files, func(f rule.OwnFile) bool { return filepath.Base(f.Name) == l.ID+".toml" })].Name
		try := func(e *rule.LanguageExample, want func(id string) bool, text string) {
			examples++
			if g := with.Classify(e.Path, []byte(e.Head), e.Executable); !want(g.ID) {
				problems = append(problems, &rule.Problem{File: file, ID: l.ID, Text: fmt.Sprintf("example %q is seen as %q (%s), want %s", e.Path, g.ID, g.Because, text)})
			}
		}
		for j := range l.Examples {
			try(&l.Examples[j], func(id string) bool { return id == l.ID }, l.ID)
		}
		for j := range l.Near {
			is := l.Near[j].Is
			try(&l.Near[j], func(id string) bool { return id != l.ID && (is == "" || id == is) }, "another")
		}
	}
	return examples, errors.Join(err, rule.Join(problems))
}

// Stale says in a few words why hooks do not go by the user's files as they are now; "" where they do.
func (a Added) Stale(t *Table) string {
	files, err := a.files()
	problems := lines(err)
	kept := ownTable{}
	_, err = os.Lstat(a.file())
	there := a.Dir() != "" && err == nil
	read := there && state.Read(a.file(), 0, &kept) && kept.Rules != nil
	switch {
	case len(files) == 0 && !there:
		return ""
	case there && !read:
		return "the kept table " + a.file() + " is damaged: hooks know the built-in languages alone"
	case !there:
		return "the files in " + a.Dir() + " are not compiled yet: hooks know the built-in languages alone"
	case len(files) == 0 || kept.Sum != ownSum(t, files, problems):
		return "the files in " + a.Dir() + " have changed since they were compiled: hooks go by what they were"
	}
	return ""
}

// files reads the user's files, as far as they can be believed to be his.
func (a Added) files() (files []rule.OwnFile, err error) {
	dir := a.Dir()
	if dir == "" {
		return nil, nil
	}
	info, err := os.Lstat(dir)
	if disk.Absent(err) {
		return nil, nil
	}
	if err == nil {
		err = a.own(info)
	}
	if err != nil {
		return nil, &rule.Problem{File: dir, Text: reason(err) + ": the languages in it do not count"}
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, &rule.Problem{File: dir, Text: reason(err) + ": the languages in it do not count"}
	}
	defer f.Close()
	names, _ := f.Readdirnames(8 * maxOwnFiles) // what could be listed counts
	slices.Sort(names)
	var problems []*rule.Problem
	all := 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".toml") {
			continue
		}
		file := filepath.Join(dir, name)
		data, err := plain(file)
		if all += len(data); err == nil && (all > maxOwnAll || len(files) == maxOwnFiles) {
			err = fmt.Errorf("is beyond %d files of %d KiB in all", maxOwnFiles, maxOwnAll>>10)
		}
		if err != nil {
			problems = append(problems, &rule.Problem{File: file, Text: reason(err) + ": it does not count"})
			continue
		}
		files = append(files, rule.OwnFile{Name: file, Data: data})
	}
	return files, rule.Join(problems)
}

// own says why a folder is not the user's: it is reached by a link below his configuration, which may lead into a project, or somebody else can write it.
func (a Added) own(info fs.FileInfo) error {
	real, err := filepath.EvalSymlinks(a.Dir())
	if err != nil {
		return err
	}
	base, err := filepath.EvalSymlinks(a.Config)
	switch {
	case err != nil:
		return err
	case real != filepath.Join(base, "rules", "languages"):
		return errors.New("is a link or lies behind one; put a folder in its place")
	case !info.IsDir():
		return errors.New("is no folder")
	case !state.Belongs(info):
		return errors.New("belongs to somebody else; make it yours")
	}
	return nil
}

// plain reads a file that is neither a link nor somebody else's.
func plain(file string) ([]byte, error) {
	info, err := os.Lstat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxOwnFile:
		return nil, fmt.Errorf("is no plain file of at most %d KiB", maxOwnFile>>10)
	case !state.Belongs(info):
		return nil, errors.New("belongs to somebody else")
	}
	data, _, err := disk.ReadRegular(os.OpenFile, file, disk.NoFollow, maxOwnFile)
	return data, err
}

// reason is what is wrong without the path, which stands before it.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// ownSum changes with the files, with what is wrong with their folder, and with the built-in table.
func ownSum(t *Table, files []rule.OwnFile, problems []string) string {
	var all []byte
	add := func(part string) { all = append(append(strconv.AppendInt(all, int64(len(part)), 10), ':'), part...) }
	add(t.stamp())
	for _, f := range files {
		add(f.Name)
		add(string(f.Data))
	}
	for _, p := range problems {
		add(p)
	}
	return strconv.FormatUint(sum(string(all)), 36)
}

// lines are the errors that one joins.
func lines(err error) (list []string) {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}
