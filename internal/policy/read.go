package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
)

// bounds limit what added rules may cost: a cloned repository writes them, and
// every call of an agent waits for them.
type bounds struct {
	files int // rule files in a folder
	file  int // bytes of one
	all   int // bytes of all
	rules int
	// unknown keys times bytes, summed over the files: each unknown key is a problem with words and
	// a place of its own, and a file that is full of them is none of rules. 0: any.
	weight int
	keys   int // keys and lists of all files; 0: any
}

// A user's own rules may be ten times a project's. Of a project's, 60 rules of usual size
// fit in one file and 200 in a dozen; the worst that the bounds let through takes 20 ms to read.
// That is a bound on what is read and not a clock: the same files always count.
var (
	projectBounds = bounds{files: 32, file: 64 << 10, all: 256 << 10, rules: 200, weight: 512 << 10, keys: 5000}
	userBounds    = bounds{files: 320, file: 256 << 10, all: 2560 << 10, rules: 2000}
)

// projectRules is what a project's folder holds.
type projectRules struct {
	trusted  *rule.Risks // files that the user approved: they count as the user's
	own      *rule.Risks
	problems []error
}

// projectFiles lists the project's rule files. A .moai or .moai/rules that is a
// link could lead anywhere, so it is not followed.
func (p Places) projectFiles() ([]string, error) {
	dir := p.ProjectRules()
	if dir == "" {
		return nil, nil
	}
	if _, err := os.Lstat(dir); err != nil {
		return nil, hidden(dir, err)
	}
	for _, d := range [...]string{filepath.Dir(dir), dir} {
		if info, err := os.Lstat(d); err != nil || !info.IsDir() {
			return nil, &rule.Problem{File: d, Text: "is not a folder of this project: the project's rules are ignored"}
		}
	}
	return ruleFiles(dir, projectBounds.files)
}

// Files lists the rule files that Load reads, the user's first.
func (p Places) Files() ([]string, error) {
	user, err := ruleFiles(p.UserRules(), userBounds.files)
	project, more := p.projectFiles()
	return append(user, project...), errors.Join(err, more)
}

// ruleFiles lists the rule files of a folder in name order. A folder of any size
// is read to a bound only.
func ruleFiles(dir string, limit int) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, hidden(dir, err)
	}
	defer f.Close()
	names, err := f.Readdirnames(8 * limit)
	if err != nil && err != io.EOF {
		return nil, &rule.Problem{File: dir, Text: err.Error()}
	}
	full := len(names) == 8*limit
	files := names[:0]
	for _, name := range names {
		if strings.HasSuffix(name, ".toml") {
			files = append(files, filepath.Join(dir, name))
		}
	}
	sort.Strings(files)
	if len(files) > limit || full {
		err = &rule.Problem{File: dir, Text: fmt.Sprintf("holds more than %d rule files: the rest is ignored", limit)}
		return files[:min(limit, len(files))], err
	}
	return files, nil
}

// hidden is the problem with a folder that cannot be opened; nil when it is not there:
// no folder, no rules. A folder that is there and cannot be read may hold rules, and
// what they would stop must not pass without a word.
func hidden(dir string, err error) error {
	if disk.Absent(err) {
		return nil
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return &rule.Problem{File: dir, Text: err.Error() + ": the rules in it do not count"}
}

// readBounded reads a plain file of at most limit bytes. A link could lead
// anywhere, and a pipe never ends.
func readBounded(file string, limit int) ([]byte, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	var data []byte
	if err = disk.ErrNotRegular; info.Mode().IsRegular() {
		data, _, err = disk.ReadRegular(os.OpenFile, file, disk.NoFollow, int64(limit))
	}
	if errors.Is(err, disk.ErrNotRegular) || errors.Is(err, disk.ErrTooLarge) {
		err = &fs.PathError{Op: "read rules", Path: file, Err: fmt.Errorf("not a plain file of at most %d KiB", limit>>10)}
	}
	return data, err
}

// readRules reads the files of the user's folder; nil when there are none.
func readRules(dir string, b *bounds, problems []error) (*rule.Risks, []error) {
	files, err := ruleFiles(dir, b.files)
	if err != nil {
		problems = append(problems, err)
	}
	r := reader{bounds: b}
	for _, file := range files {
		if data, ok := r.read(file); ok {
			r.decode(rule.ReadRisks(file, data), rule.ByUser)
		}
	}
	return r.sorted(), append(problems, r.problems...)
}

// readProject reads the project's files; those whose hash the user approved are
// in a list of their own.
func readProject(files []string, p Places) (trusted, own *rule.Risks, problems []error) {
	r := reader{bounds: &projectBounds}
	approved := reader{bounds: &projectBounds}
	var hashes, written map[string]string
	for i, file := range files {
		if i == 0 {
			hashes, written = p.Trusted(), p.approvals()
		}
		data, ok := r.read(file)
		if !ok {
			continue
		}
		if hash := hashes[file]; hash != "" && hash == hashOf(data) {
			approved.decode(rule.ReadRisks(file, data), rule.ByUser)
			approved.within(p.Root)
			continue
		}
		if hash := written[file]; hash != "" && hash == hashOf(data) {
			r.problem(file, "was approved by something else than moai rules trust, so that it only tightens; if you want it: moai rules trust %s", argv.Quote(file))
		}
		if text := r.weigh(file, data); text != nil {
			r.decode(text, rule.ByProject)
		}
	}
	return approved.sorted(), r.sorted(), append(r.problems, approved.problems...)
}

// readDoubted reads rules of folders that may be the user's. They tighten, within the bounds of a project's; what else is
// in them, and what is wrong, is passed over: that the folder is doubted has been said.
func readDoubted(folders []string) *rule.Risks {
	r := reader{bounds: &projectBounds}
	for _, dir := range folders {
		files, err := ruleFiles(join(dir, "rules"), projectBounds.files)
		if err != nil {
			continue
		}
		for _, file := range files {
			data, ok := r.read(file)
			if !ok {
				continue
			}
			if text := r.weigh(file, data); text != nil {
				r.decode(text, rule.ByProject)
			}
		}
	}
	return r.sorted()
}

// reader gathers the rules of files within bounds.
type reader struct {
	*bounds
	bytes    int
	keyed    int // keys and lists so far
	weighed  int // unknown keys times bytes so far
	risks    *rule.Risks
	problems []error
}

func (r *reader) problem(file, format string, args ...any) {
	r.problems = append(r.problems, &rule.Problem{File: file, Text: fmt.Sprintf(format, args...)})
}

func (r *reader) read(file string) (data []byte, ok bool) {
	data, err := readBounded(file, r.file)
	if err != nil {
		r.problems = append(r.problems, err)
		return nil, false
	}
	if r.bytes += len(data); r.bytes > r.all {
		r.problem(file, "the rules of this folder are larger than %d KiB in all: ignored from here on", r.all>>10)
		return nil, false
	}
	return data, true
}

// weigh reads a file that is cheap enough to decode; nil for one that is not.
func (r *reader) weigh(file string, data []byte) *rule.RiskText {
	// What looks like a key or a list, whatever it is: the decoder takes 5 µs for each.
	r.keyed += bytes.Count(data, []byte("=")) + bytes.Count(data, []byte("["))
	if r.keys > 0 && r.keyed > r.keys {
		r.problem(file, "has, with the files before it, too many keys and lists: more than %d", r.keys)
		r.keyed -= bytes.Count(data, []byte("=")) + bytes.Count(data, []byte("["))
		return nil
	}
	text := rule.ReadRisks(file, data)
	n := text.StrangeKeys() * len(data)
	if r.weighed+n > r.weight { // a smaller one behind it may still count
		r.problem(file, "has, with the files before it, too many keys that are not known: take them away")
		return nil
	}
	r.weighed += n
	return text
}

func (r *reader) decode(text *rule.RiskText, from rule.Source) {
	file := text.File()
	one, err := text.Decode(from)
	if err = rule.Costly(err, rule.Waiting); err != nil {
		r.problems = append(r.problems, first(err))
	}
	if one == nil {
		return
	}
	if from == rule.ByProject {
		one.Rules = slices.DeleteFunc(one.Rules, func(x rule.Risk) bool {
			heavy := x.When.Weight() > maxConditions || len(x.When.Is)+len(x.When.Not) > maxPredicates
			if heavy {
				r.problems = append(r.problems, &rule.Problem{File: file, Line: x.Line, ID: x.ID, Text: "has too many conditions: ignored"})
			}
			return heavy
		})
	}
	if r.risks == nil {
		r.risks = &rule.Risks{}
	}
	r.risks.Add(one)
	if n := len(r.risks.Rules); n > r.rules {
		r.problem(file, "the %d rules of this folder are more than %d: the rest is ignored", n, r.rules)
		r.risks.Rules = r.risks.Rules[:r.rules]
	}
}

// within notes that the exceptions of a project's file hold in that project, as they do, and as is told.
func (r *reader) within(root string) {
	if r.risks == nil {
		return
	}
	for i := range r.risks.Allows {
		if a := &r.risks.Allows[i]; a.Project == "" {
			a.Project = root
		}
	}
}

func (r *reader) sorted() *rule.Risks {
	if r.risks != nil {
		r.risks.Sort()
	}
	return r.risks
}

// maxConditions and maxPredicates bound one rule of a project, and so the work
// between two looks at what is left of it: bytes of its globs, and named predicates.
const (
	maxConditions = 2 << 10
	maxPredicates = 8
)

// first keeps the beginning of a long list of problems.
func first(err error) error {
	const most = 20
	list, ok := err.(interface{ Unwrap() []error })
	if !ok || len(list.Unwrap()) <= most {
		return err
	}
	all := list.Unwrap()
	return errors.Join(append(slices.Clone(all[:most]), fmt.Errorf("and %d more problems in this file", len(all)-most))...)
}
