package checkpoint

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/repo"
)

// author signs every checkpoint, so that `git log` shows what it is and prune can tell its own branches from a user's.
const author = "moai <moai@localhost>"

// maxNamed bounds the paths that one list in a message names; a hostile tree must not make a commit of a gigabyte.
const maxNamed = 1000

// The message is a subject, the user's own words, and trailers:
//
//	checkpoint: before reset-hard
//
//	Moai-Operation: reset-hard
//	Moai-Command: git reset --hard
//	Moai-Time: 20260102T150405.123Z
//	Moai-Stats: 3 1 2 4711            changed, deleted, untracked, bytes
//	Moai-Skipped: big.iso (over 10 MiB)
//
// Values are one line; what is not plain text is quoted as a Go string.
func (c *Checkpoint) encode() string {
	var b strings.Builder
	fmt.Fprintf(&b, "checkpoint: before %s\n\n", c.Operation)
	if c.Message != "" {
		for line := range strings.SplitSeq(strings.TrimSpace(strings.ToValidUTF8(c.Message, "\uFFFD")), "\n") {
			// A line of the user's that looks like a trailer of ours would be read back as one.
			if strings.HasPrefix(line, "Moai-") {
				line = " " + line
			}
			b.WriteString(strings.ReplaceAll(strings.TrimRight(line, "\r"), "\x00", "") + "\n")
		}
		b.WriteByte('\n')
	}
	put := func(key, val string) {
		if val != "" {
			fmt.Fprintf(&b, "Moai-%s: %s\n", key, val)
		}
	}
	// What a reader needs to bring the checkpoint back comes from here alone: the log can be deleted, and a clone of the references
	// has none.
	put("Operation", quote(c.Operation))
	put("Command", quote(c.Command))
	put("Session", quote(c.Session))
	put("Time", c.Time.UTC().Format(stampFormat)) // git's own has seconds: two checkpoints of one second are two commits
	put("Vault", c.vault)
	put("Worktree", quote(c.Worktree))
	put("Elsewhere", quote(c.elsewhere))
	put("Branch", quote(c.On))
	put("Unbranched", quote(c.Unbranched))
	if c.Staged {
		put("Staged", "yes")
	}
	put("Stats", fmt.Sprintf("%d %d %d %d", c.Stats.Changed, c.Stats.Deleted, c.Stats.Untracked, c.Stats.Bytes))
	if !c.Head.IsZero() {
		put("Head", c.Head.String())
	}
	if !c.Index.IsZero() {
		put("Index", c.Index.String())
	}
	if !c.refs.IsZero() {
		put("References", c.refs.String())
	}
	if !c.Unmerged.IsZero() {
		put("Unmerged", c.Unmerged.String())
	}
	for _, s := range c.Skipped {
		// A reason may name what the tree holds, and no name may begin a trailer of its own.
		put("Skipped", quote(s.Path)+" ("+strings.ReplaceAll(s.Why, "\n", " ")+")")
	}
	for _, l := range []struct {
		key   string
		paths []string
	}{{"Nested", c.Nested}, {"Torn", c.Torn}, {"Sensitive", c.Sensitive}, {"Vaulted", c.Vaulted}, {"Intent", c.Intent}, {"Intent-Mode", c.IntentModes}, {"Link", c.Links}, {"Skip-Worktree", c.Marks.Skip}, {"Not-Checked-Out", c.Marks.Absent}, {"Assume-Unchanged", c.Marks.Assume}} {
		for _, p := range l.paths[:min(len(l.paths), maxNamed)] {
			put(l.key, quote(p))
		}
	}
	if sparse := c.Marks.Sparse; sparse.Patterns != "" {
		put("Sparse", fmt.Sprintf("%q %t %t %t", sparse.Patterns, sparse.On, sparse.Cone, sparse.Folded))
	}
	for _, in := range c.Inside[:min(len(c.Inside), maxNamed)] {
		put("Inside", in.Name+" "+quote(in.Path))
		if in.Staged {
			put("Inside-Staged", quote(in.Path))
		}
	}
	if c.Usual != 0 {
		put("Modes", fmt.Sprintf("%03o", c.Usual))
	}
	odd := slices.Sorted(maps.Keys(c.Modes))
	for _, p := range odd[:min(len(odd), maxNamed)] {
		put("Mode", fmt.Sprintf("%03o %s", c.Modes[p], quote(p)))
	}
	if c.Folders.Usual != 0 {
		put("Folders", fmt.Sprintf("%04o", c.Folders.Usual))
	}
	for _, p := range slices.Sorted(maps.Keys(c.Folders.Modes)) {
		put("Folder", fmt.Sprintf("%04o %s", c.Folders.Modes[p], quote(p)))
	}
	for _, p := range c.Folders.Empty {
		put("Empty", quote(p))
	}
	if u := c.Underway; u != nil {
		tree := "-"
		if !c.state.IsZero() {
			tree = c.state.String()
		}
		put("Underway", fmt.Sprintf("%s %q %q %q %d %d", tree, u.Operation, u.Branch, u.With, u.Step, u.Steps))
	} else if !c.state.IsZero() {
		put("Leftovers", c.state.String())
	}
	for _, ref := range slices.Sorted(maps.Keys(c.Symbolic)) {
		put("Symbolic", quote(ref)+" "+quote(c.Symbolic[ref]))
	}
	for _, t := range c.Trees {
		head := "-"
		if !t.Head.IsZero() {
			head = t.Head.String()
		}
		put("Tree", fmt.Sprintf("%s %q %q", head, t.On, t.Tree))
	}
	for _, p := range c.Pins {
		put("Pin", p.Hash.String()+" "+quote(p.Ref))
	}
	for _, p := range c.Brings.Refs {
		put("Brings-Ref", p.Hash.String()+" "+quote(p.Ref))
	}
	for _, p := range c.Brings.Files[:min(len(c.Brings.Files), maxNamed)] {
		put("Brings-File", quote(p))
	}
	for _, p := range c.Brings.Folders[:min(len(c.Brings.Folders), maxNamed)] {
		put("Brings-Folder", quote(p))
	}
	return b.String()
}

// announce is the message of the branch.
func (c *Checkpoint) announce() string {
	var b strings.Builder
	fmt.Fprintf(&b, "checkpoint: before %s\n\nMoai-Operation: %s\n", c.Operation, c.Operation)
	if c.Program != "" {
		fmt.Fprintf(&b, "Moai-Program: %s\n", slug(c.Program))
	}
	fmt.Fprintf(&b, "Moai-Time: %s\n", c.Time.UTC().Format(stampFormat))
	return b.String()
}

// decode reads what encode wrote. Unknown trailers are skipped, so that older programs read newer checkpoints.
func (c *Checkpoint) decode(msg string) {
	subject, rest, _ := strings.Cut(msg, "\n")
	c.Operation = strings.TrimPrefix(subject, "checkpoint: before ")
	var own []string
	for line := range strings.SplitSeq(rest, "\n") {
		key, val, ok := strings.Cut(line, ": ")
		// The user's own words are what is left when all trailers are taken away.
		if !ok || !strings.HasPrefix(key, "Moai-") {
			own = append(own, line)
			continue
		}
		switch key {
		case "Moai-Time": // a commit's own has whole seconds only
			if t, err := time.Parse(stampFormat, val); err == nil {
				c.Time = t
			}
		case "Moai-Operation":
			c.Operation = unquote(val)
		case "Moai-Command":
			c.Command = unquote(val)
		case "Moai-Session":
			c.Session = unquote(val)
		case "Moai-Worktree":
			c.Worktree = unquote(val)
		case "Moai-Elsewhere":
			c.elsewhere = unquote(val)
		case "Moai-Branch":
			c.On = unquote(val)
		case "Moai-Unbranched":
			c.Unbranched = unquote(val)
		case "Moai-Staged":
			c.Staged = true
		case "Moai-Stats":
			fmt.Sscanf(val, "%d %d %d %d", &c.Stats.Changed, &c.Stats.Deleted, &c.Stats.Untracked, &c.Stats.Bytes)
		case "Moai-Head":
			c.Head, _ = repo.ParseHash(val)
		case "Moai-Index":
			c.Index, _ = repo.ParseHash(val)
		case "Moai-References":
			c.refs, _ = repo.ParseHash(val)
		case "Moai-Unmerged":
			c.Unmerged, _ = repo.ParseHash(val)
		case "Moai-Skipped":
			if i := strings.LastIndex(val, " ("); i >= 0 {
				c.Skipped = append(c.Skipped, Skip{Path: unquote(val[:i]), Why: strings.TrimSuffix(val[i+2:], ")")})
			}
		case "Moai-Nested":
			c.Nested = append(c.Nested, unquote(val))
		case "Moai-Inside":
			name, p, _ := strings.Cut(val, " ")
			c.Inside = append(c.Inside, Inner{Path: unquote(p), Name: name})
		case "Moai-Inside-Staged":
			if n := len(c.Inside); n > 0 && c.Inside[n-1].Path == unquote(val) { // it follows the line of its repository
				c.Inside[n-1].Staged = true
			}
		case "Moai-Torn":
			c.Torn = append(c.Torn, unquote(val))
		case "Moai-Sensitive":
			c.Sensitive = append(c.Sensitive, unquote(val))
		case "Moai-Vaulted":
			c.Vaulted = append(c.Vaulted, unquote(val))
		case "Moai-Intent-Mode":
			c.IntentModes = append(c.IntentModes, unquote(val))
		case "Moai-Intent":
			c.Intent = append(c.Intent, unquote(val))
		case "Moai-Link":
			c.Links = append(c.Links, unquote(val))
		case "Moai-Skip-Worktree":
			c.Marks.Skip = append(c.Marks.Skip, unquote(val))
		case "Moai-Not-Checked-Out":
			c.Marks.Absent = append(c.Marks.Absent, unquote(val))
		case "Moai-Assume-Unchanged":
			c.Marks.Assume = append(c.Marks.Assume, unquote(val))
		case "Moai-Sparse":
			s := &c.Marks.Sparse
			if n, _ := fmt.Sscanf(val, "%q %t %t %t", &s.Patterns, &s.On, &s.Cone, &s.Folded); n < 4 {
				*s = repo.Sparse{}
			}
		case "Moai-Modes":
			if n, err := strconv.ParseUint(val, 8, 9); err == nil {
				c.Usual = fs.FileMode(n)
			}
		case "Moai-Mode":
			num, p, _ := strings.Cut(val, " ")
			if n, err := strconv.ParseUint(num, 8, 9); err == nil {
				if c.Modes == nil {
					c.Modes = map[string]fs.FileMode{}
				}
				c.Modes[unquote(p)] = fs.FileMode(n)
			}
		case "Moai-Folders":
			if n, err := strconv.ParseUint(val, 8, 12); err == nil {
				c.Folders.Usual = uint16(n)
			}
		case "Moai-Folder":
			num, p, _ := strings.Cut(val, " ")
			if n, err := strconv.ParseUint(num, 8, 12); err == nil {
				if c.Folders.Modes == nil {
					c.Folders.Modes = map[string]uint16{}
				}
				c.Folders.Modes[unquote(p)] = uint16(n)
			}
		case "Moai-Empty":
			c.Folders.Empty = append(c.Folders.Empty, unquote(val))
		case "Moai-Underway":
			tree, rest, _ := strings.Cut(val, " ")
			u := &Underway{}
			if _, err := fmt.Sscanf(rest, "%q %q %q %d %d", &u.Operation, &u.Branch, &u.With, &u.Step, &u.Steps); err == nil {
				c.state, _ = repo.ParseHash(tree)
				c.Underway = u
			}
		case "Moai-Leftovers":
			c.state, _ = repo.ParseHash(val)
		case "Moai-State": // of older versions
			name, text, _ := strings.Cut(val, " ")
			if c.texts == nil {
				c.texts = map[string]string{}
			}
			c.texts[name] = unquote(text)
		case "Moai-Symbolic":
			ref, to, _ := strings.Cut(val, " ")
			if ref, to = unquote(ref), unquote(to); standsFor(ref, to) {
				if c.Symbolic == nil {
					c.Symbolic = map[string]string{}
				}
				c.Symbolic[ref] = to
			}
		case "Moai-Tree":
			var t TreeHead
			hex, rest, _ := strings.Cut(val, " ")
			if n, _ := fmt.Sscanf(rest, "%q %q", &t.On, &t.Tree); n == 2 {
				t.Head, _ = repo.ParseHash(hex)
				c.Trees = append(c.Trees, t)
			}
		case "Moai-Pin":
			hex, ref, _ := strings.Cut(val, " ")
			if h, ok := repo.ParseHash(hex); ok {
				c.Pins = append(c.Pins, Pin{unquote(ref), h})
			}
		case "Moai-Brings-Ref":
			hex, ref, _ := strings.Cut(val, " ")
			if h, ok := repo.ParseHash(hex); ok {
				c.Brings.Refs = append(c.Brings.Refs, Pin{unquote(ref), h})
			}
		case "Moai-Brings-File":
			c.Brings.Files = append(c.Brings.Files, unquote(val))
		case "Moai-Brings-Folder":
			c.Brings.Folders = append(c.Brings.Folders, unquote(val))
		}
	}
	c.Message = strings.TrimSpace(strings.Join(own, "\n"))
}

// quote leaves plain text alone. Control bytes, invalid UTF-8, leading quotes and outer blanks make it a Go string.
func quote(s string) string {
	plain := s != "" && s[0] != '"' && strings.TrimSpace(s) == s && utf8.ValidString(s)
	for _, c := range s {
		plain = plain && c >= ' ' && c != 0x7f
	}
	if plain || s == "" {
		return s
	}
	return strconv.Quote(s)
}

func unquote(s string) string {
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}
