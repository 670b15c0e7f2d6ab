// Package spec reads SPEC documents (.moai/specs/SPEC-*/spec.md): their front matter, how far the
// project's SPECs have come, and what is wrong with them. It does not look into the code (package tag
// does) and never writes. A document that cannot be read is reported and counts as not done.
//
// rules/specs says what the fields may say. Each status means open, done or dropped, and one of them, `completed`, is
// what progress counts: 15/23 (65%) is completed of all. What was dropped leaves the total, since nobody will ever
// complete it, and is named behind the percentage; the message of the oldest dialect counts every folder, to the letter
// of its source. A status that is no word of the table is open, and a warning of `moai spec lint`.
//
// Front matter is read by a reader of its own (a YAML library costs every hook 0.1 ms): what it accepts without a word
// means the same to a library, and `author: @Goos`, which no library reads, is taken as it was meant, with a note.
package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
)

// Dir is where a project keeps its SPECs, relative to its root.
const Dir = ".moai/specs"

// A Spec is one directory below [Dir].
type Spec struct {
	ID      string  // from the front matter, else from the directory: "AUTH-001"
	Folder  string  // "SPEC-AUTH-001"
	Path    string  // ".moai/specs/SPEC-AUTH-001/spec.md", slash-separated, relative to the root
	Missing bool    // the directory has no spec.md
	Fields  []Field // front matter in the author's order
	Faults  []Fault // what of it could not be read
	Title   string  // front matter title, else the first heading
	Body    string  // what follows the front matter; empty when only the head was read
	bare    bool    // no front matter at all
	table   *rule.Specs
}

// Text is the scalar under a front matter key, "" when there is none.
func (s *Spec) Text(key string) string {
	if f := s.field(key); f != nil {
		return f.Value.String()
	}
	return ""
}

// Strings is the list under a front matter key.
func (s *Spec) Strings(key string) []string {
	if f := s.field(key); f != nil {
		return f.Value.Strings()
	}
	return nil
}

// field finds a key in any case: some sources write "Status".
func (s *Spec) field(key string) *Field {
	for i := range s.Fields {
		if strings.EqualFold(s.Fields[i].Key, key) {
			return &s.Fields[i]
		}
	}
	return nil
}

// Status is the lower-cased status: draft, active, completed, or what the author wrote.
func (s *Spec) Status() string { return strings.ToLower(s.Text("status")) }

// Says is the row of the table for the status, nil when there is none for it, or no status.
func (s *Spec) Says() *rule.SpecWord {
	if s.Missing {
		return nil
	}
	return word(s.table, "status", s.Text("status"))
}

// Means is what the status comes to: open, done or dropped. A word that the table does not know, and no status at all, is open.
func (s *Spec) Means() string {
	if w := s.Says(); w != nil {
		return w.Means
	}
	return rule.SpecOpen
}

// Early reports whether nobody expects a test or code of the SPEC yet.
func (s *Spec) Early() bool {
	w := s.Says()
	return w != nil && w.Early
}

// Done reports whether the SPEC says that it is completed.
func (s *Spec) Done() bool {
	w := s.Says()
	return w != nil && w.Full
}

// Counts is how far the SPECs of a project have come. The sources disagree whether a folder without a spec.md counts; here it does,
// since work on it has begun, and it is reported, so that the total is explained.
type Counts struct {
	Folders   int // SPEC-* directories
	Completed int // whose status is a full one
	Dropped   int // that are kept for their history alone, and leave the total
	Missing   int // without a spec.md
	Rest      []Rest
}

// Rest are SPECs that are done and do not count as completed.
type Rest struct {
	Name  string `json:"status"`
	Count int    `json:"count"`
}

// Total is what completed is to be compared with.
func (c *Counts) Total() int { return c.Folders - c.Dropped }

// String is the progress as a card shows it: 435/587 (74%), 140 implemented, 41 dropped.
func (c *Counts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d (%d%%)", c.Completed, c.Total(), Percent(c.Completed, c.Total()))
	for _, r := range c.Rest {
		fmt.Fprintf(&b, ", %d %s", r.Count, r.Name)
	}
	if c.Dropped > 0 {
		fmt.Fprintf(&b, ", %d %s", c.Dropped, rule.SpecDropped)
	}
	return b.String()
}

// Sentence is the same for a reader: SPECs completed: 435 of 587, 140 implemented.
func (c *Counts) Sentence() string {
	s := fmt.Sprintf("SPECs completed: %d of %d", c.Completed, c.Total())
	for _, r := range c.Rest {
		s += fmt.Sprintf(", %d %s", r.Count, r.Name)
	}
	return s + "."
}

// Progress counts the SPEC-* directories of a project.
func Progress(root string, t *rule.Specs) Counts { return Count(t, List(root, t)) }

// Count is [Progress] of SPECs that have been read.
func Count(t *rule.Specs, specs []*Spec) Counts {
	var c Counts
	rest := make([]int, len(t.Words))
	for _, s := range specs {
		c.Folders++
		w := s.Says()
		switch {
		case s.Missing:
			c.Missing++
		case w == nil:
		case s.Done():
			c.Completed++
		case w.Means == rule.SpecDropped:
			c.Dropped++
		case w.Means == rule.SpecDone:
			for i := range t.Words {
				if w == &t.Words[i] {
					rest[i]++
				}
			}
		}
	}
	for i, n := range rest {
		if n > 0 {
			c.Rest = append(c.Rest, Rest{t.Words[i].Name, n})
		}
	}
	return c
}

// Percent is done of total, cut to a whole number; 0 of 0 is 0.
func Percent(done, total int) int {
	if total <= 0 {
		return 0
	}
	return done * 100 / total
}

// What is read of a document, in bytes.
const (
	headBytes = 8 << 10  // enough for nearly any front matter; progress reads no more of a document
	longBytes = 64 << 10 // for one that is not at its end by then; a session starts with all of them
	mostBytes = 4 << 20  // a SPEC beyond this is not prose
)

// List reads the head of every SPEC of a project, in the order of the directories.
func List(root string, t *rule.Specs) []*Spec { return list(root, t, headBytes) }

// Load is [List] with the bodies.
func Load(root string, t *rule.Specs) []*Spec { return list(root, t, mostBytes) }

// list reads the SPEC-* directories, at most limit bytes of each document. No directory of SPECs, or one
// that a link leads out of the project, is no SPECs.
func list(root string, t *rule.Specs, limit int64) []*Spec {
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	defer top.Close()
	in, err := top.OpenRoot(filepath.FromSlash(Dir))
	if err != nil {
		return nil
	}
	defer in.Close()
	dir, err := in.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	// Links within the project are followed: SPECs may lie elsewhere in it.
	entries, _ := dir.ReadDir(-1) // what could be read of a failing directory is still true
	var specs []*Spec
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, "SPEC-") || name == "SPEC-" {
			continue
		}
		if e.Type()&fs.ModeSymlink != 0 {
			if st, err := in.Stat(name); err != nil || !st.IsDir() {
				continue
			}
		} else if !e.IsDir() {
			continue
		}
		specs = append(specs, read(in, t, name, limit))
	}
	// Folders come in the order of the file system, which differs between machines.
	sort.Slice(specs, func(i, j int) bool { return specs[i].Folder < specs[j].Folder })
	return specs
}

// read reads one SPEC, at most limit bytes of it.
func read(in *os.Root, t *rule.Specs, folder string, limit int64) *Spec {
	s := &Spec{table: t, Folder: folder, ID: strings.TrimPrefix(folder, "SPEC-"), Path: Dir + "/" + folder + "/spec.md"}
	data, err := readFile(in, filepath.Join(folder, "spec.md"), limit)
	if errors.Is(err, fs.ErrNotExist) {
		s.Missing = true
		return s
	}
	if err != nil {
		s.Faults = []Fault{{Line: 1, Text: "cannot be read: " + cause(err)}}
		return s
	}
	cut := int64(len(data)) == limit
	if cut {
		// Half a line says something else than the whole, and half a letter is no text.
		data = data[:bytes.LastIndexByte(data, '\n')+1]
		if front, _, _, closed := split(string(data)); front != "" && !closed && limit < longBytes {
			return read(in, t, folder, longBytes)
		}
	}
	s.parse(string(data), cut)
	return s
}

// readFile reads a regular file, at most limit bytes of it.
func readFile(in *os.Root, name string, limit int64) ([]byte, error) {
	f, _, err := disk.OpenRegular(in.OpenFile, name, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// cause is an error without its path, which the reader of the message has already.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// parse fills s from the document; cut says that only the head of it is there.
func (s *Spec) parse(data string, cut bool) {
	front, body, first, ok := split(data)
	switch {
	case ok:
		s.Fields, s.Faults = ParseFront(front, first)
	case front != "":
		// Opened and never closed: the whole document would be front matter. Read what reads as fields.
		if !cut {
			s.Faults = []Fault{{Line: first - 1, Text: "the front matter is not closed by a line ---"}}
		}
		s.Fields, _ = ParseFront(untilBlank(front), first)
		body = ""
	default:
		s.bare = true
		s.Fields = headerFields(s.table, body)
	}
	if !cut {
		s.Body = body
	}
	// Both "AUTH-001" and "SPEC-AUTH-001" are in use for the same id.
	if id := strings.TrimPrefix(s.Text("id"), "SPEC-"); id != "" {
		s.ID = id
	}
	if s.Title = s.Text("title"); s.Title == "" {
		s.Title = heading(body)
	}
	// Titles are shown in terminals, and whoever wrote them may be a stranger: what is obeyed instead of shown goes.
	s.Title = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s.Title)
}

// untilBlank is the text before the first blank line or heading.
func untilBlank(s string) string {
	at := 0
	for line := range strings.Lines(s) {
		if t := strings.TrimSpace(line); t == "" || strings.HasPrefix(t, "# ") {
			break
		}
		at += len(line)
	}
	return s[:at]
}

// headerFields reads the older style without front matter: `status: completed`, `- **Status**: Completed`
// or `> status: completed` above the first section.
func headerFields(table *rule.Specs, body string) []Field {
	var fields []Field
	n := 0
	for line := range strings.Lines(body) {
		n++
		t := strings.TrimSpace(line)
		// A header stands at the top; further down the same words are prose.
		if n > 60 || strings.HasPrefix(t, "## ") || strings.HasPrefix(t, "```") {
			break
		}
		// The marks of a quote, a list or bold text around the key.
		t = strings.TrimLeft(t, ">-* \t")
		key, val, ok := strings.Cut(t, ":")
		key = strings.ToLower(strings.Trim(key, "* `"))
		if !ok || fieldOf(table, key) == nil {
			continue
		}
		val = strings.Trim(val, "* \t`\"'")
		fields = append(fields, Field{Key: key, Value: Value{Text: val}, Line: n})
	}
	return fields
}

// heading is the text of the first level-one heading, without a leading TAG or id.
func heading(body string) string {
	for line := range strings.Lines(body) {
		t := strings.TrimSpace(line)
		if !strings.HasPrefix(t, "# ") {
			continue
		}
		t = strings.TrimSpace(t[2:])
		// What is left is the title: the id stands beside it wherever the two are shown.
		if strings.HasPrefix(t, "@SPEC:") || strings.HasPrefix(t, "SPEC-") {
			_, rest, ok := strings.Cut(t, " ")
			if !ok {
				return t
			}
			t = strings.TrimLeft(rest, ":-–— ")
		}
		return t
	}
	return ""
}
