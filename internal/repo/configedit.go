package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// A Setting is a variable of the repository's own file of settings, mostly in a section with a name: [branch "main"].
type Setting struct {
	Section string // in lower case
	Name    string // "" where the section has none: [core]
	Key     string // in lower case
	Value   string
	Bare    bool // without "=": true as a boolean
}

// Of says which section a setting is in.
func (s *Setting) Of() string {
	if s.Name == "" {
		return s.Section
	}
	return s.Section + "." + s.Name
}

// errSettings says why a file of settings is left alone.
var errSettings = errors.New("git could not read it")

// Settings lists what the repository's own file says in sections that have a name, without what it includes.
func (r *Repo) Settings() ([]Setting, error) {
	text, _, err := ownConfig(filepath.Join(r.CommonDir, "config"))
	if err != nil {
		return nil, err
	}
	l, err := layOut(text)
	if err != nil {
		return nil, err
	}
	var out []Setting
	for i := range l.vars {
		if l.vars[i].Name != "" {
			out = append(out, l.vars[i].Setting)
		}
	}
	return out, nil
}

// ownConfig reads the file itself. A link is left alone, since what it leads to may be anybody's.
func ownConfig(name string) (string, os.FileMode, error) {
	fi, err := os.Lstat(name)
	if err != nil {
		return "", 0, fmt.Errorf("read settings: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return "", 0, fmt.Errorf("read settings: %s is no plain file", name)
	}
	b, _, err := disk.ReadFile(name, maxConfig)
	if err != nil {
		return "", 0, fmt.Errorf("read settings: %w", err)
	}
	return string(b), fi.Mode().Perm(), nil
}

// SetSettings makes the variables of some sections be those of want, under git's own lock: owns tells which variables are meant, and
// every other one, every comment and the order of all that stays is left alone. A section that is gone is made anew at the end.
func (r *Repo) SetSettings(sections []string, want []Setting, owns func(*Setting) bool) error {
	return editConfig(r.CommonDir, "config", sections, want, owns)
}

func editConfig(dir, name string, sections []string, want []Setting, owns func(*Setting) bool) error {
	err := func() error {
		l, err := lockFilled(dir, filepath.Join(dir, name), packedLockWait)
		if err != nil {
			return err
		}
		// The lock comes first: what is read under it stays true until Commit.
		text, mode, err := ownConfig(filepath.Join(dir, name))
		gone := name == worktreeConfig && errors.Is(err, fs.ErrNotExist)
		if err == nil || gone {
			text, err = edited(text, sections, want, owns)
		}
		if err == nil && l.f != nil && !gone {
			err = l.f.Chmod(mode)
		}
		if err != nil {
			l.Rollback()
			return err
		}
		_, _ = l.Write([]byte(text)) // its error is kept for Commit
		return l.Commit()
	}()
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}

// placed is a variable and where it stands in its file.
type placed struct {
	Setting
	start, end int // end is behind the end of its line
}

// layout is a file of settings, by places.
type layout struct {
	vars []placed
	ends map[string]int // of a section: behind its last header or variable
}

// layOut reads a file as git does, to its end: one with an error is nobody's to change.
func layOut(text string) (*layout, error) {
	l := &layout{ends: map[string]int{}}
	p := configParser{s: strings.TrimPrefix(text, "\xef\xbb\xbf")}
	at := func() int { return len(text) - len(p.s) }
	for {
		p.s = strings.TrimLeft(p.s, " \t\r\n\v\f")
		if p.s == "" {
			return l, nil
		}
		switch p.s[0] {
		case '#', ';':
			_, p.s, _ = strings.Cut(p.s, "\n")
		case '[':
			if !p.header() {
				return nil, errSettings
			}
			l.ends[strings.TrimSuffix(p.section, ".")] = at()
		default:
			start := at()
			if !p.variable() {
				return nil, errSettings
			}
			section, name, named := strings.Cut(strings.TrimSuffix(p.section, "."), ".")
			end := at()
			if end > 0 && text[end-1] != '\n' { // what stands behind it on its line is a comment
				_, rest, _ := strings.Cut(text[end:], "\n")
				end = len(text) - len(rest)
			}
			l.ends[strings.TrimSuffix(p.section, ".")] = end
			if named == (name != "") && len(l.vars) < maxEntries {
				l.vars = append(l.vars, placed{Setting{section, name, strings.TrimPrefix(p.key, p.section), p.value, p.bare}, start, end})
			}
		}
	}
}

// edited is the text with the changes that SetSettings speaks of.
func edited(text string, sections []string, want []Setting, owns func(*Setting) bool) (string, error) {
	l, err := layOut(text)
	if err != nil {
		return "", err
	}
	missing := slices.Clone(want)
	var cuts []change
	for i := range l.vars {
		v := &l.vars[i]
		if !slices.Contains(sections, v.Of()) || !owns(&v.Setting) {
			continue
		}
		if at := slices.Index(missing, v.Setting); at >= 0 {
			missing = slices.Delete(missing, at, at+1)
			continue
		}
		// The whole line goes, unless a header begins it.
		start, end := v.start, v.end
		if line := strings.LastIndexByte(text[:start], '\n') + 1; strings.TrimLeft(text[line:start], " \t") == "" {
			start = line
		} else if text[end-1] == '\n' {
			end--
		}
		cuts = append(cuts, change{start: start, end: end})
	}
	// What is missing goes behind its section, or with a header of its own behind everything.
	bySection := map[string][]string{}
	var order []*Setting
	for i := range missing {
		v := &missing[i]
		if bySection[v.Of()] == nil {
			order = append(order, v)
		}
		bySection[v.Of()] = append(bySection[v.Of()], "\t"+v.text())
	}
	// A section that ends where the file does comes before those that are made.
	fresh := func(v *Setting) int {
		if _, there := l.ends[v.Of()]; there {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b *Setting) int { return fresh(a) - fresh(b) })
	for _, v := range order {
		at, there := l.ends[v.Of()]
		lines := strings.Join(bySection[v.Of()], "\n")
		if !there {
			at = len(text)
			lines = v.header() + "\n" + lines
		}
		switch {
		case at == 0 || text[at-1] == '\n':
			lines += "\n"
		case at < len(text) && text[at] == '\n':
			lines = "\n" + lines
		default:
			lines = "\n" + lines + "\n"
		}
		cuts = append(cuts, change{start: at, end: at, text: lines})
	}
	slices.SortStableFunc(cuts, func(a, b change) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	return changed(text, cuts), nil
}

// change puts text in the place of what stands from start to end.
type change struct {
	start, end int
	text       string
}

// changed makes changes that are sorted and do not overlap. Two at the end of a file without a line end share the one that they make.
func changed(text string, list []change) string {
	var b strings.Builder
	from := 0
	for _, c := range list {
		b.WriteString(text[from:c.start])
		if made := b.String(); c.text != "" && strings.HasPrefix(c.text, "\n") && strings.HasSuffix(made, "\n") {
			c.text = c.text[1:]
		}
		b.WriteString(c.text)
		from = c.end
	}
	b.WriteString(text[from:])
	return b.String()
}

// header begins the section of a setting.
func (s *Setting) header() string {
	if s.Name == "" {
		return "[" + s.Section + "]"
	}
	return fmt.Sprintf("[%s \"%s\"]", s.Section, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Name))
}

// text is the variable as git writes it.
func (s *Setting) text() string {
	if s.Bare {
		return s.Key
	}
	value := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`).Replace(s.Value)
	if strings.TrimSpace(s.Value) != s.Value || strings.ContainsAny(s.Value, ";#\r") {
		value = `"` + value + `"`
	}
	return s.Key + " = " + value
}
