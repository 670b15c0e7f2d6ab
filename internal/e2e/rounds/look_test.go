//go:build linux

package rounds

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A sight is all that a way back has to bring: keys such as "file p/a.txt" or "ref p refs/heads/main", with what was seen there.
type sight struct {
	items   map[string]string
	content map[string][]byte // of files, links (their targets), and of staged content by its name in Git
	repos   []tree
	ignored map[string]bool // files that Git ignores, by their key
}

// A tree is a work tree and its repository; a bare one has no folder of its own.
type tree struct{ dir, git, common, name string }

// look sees everything below work, with a program that knows nothing of moai.
func (w *world) look() *sight {
	s := &sight{items: map[string]string{}, content: map[string][]byte{}, ignored: map[string]bool{}}
	linked := map[[2]uint64][]string{}
	_ = filepath.WalkDir(w.work, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.work, p)
		if err != nil {
			s.items["unreadable "+rel] = err.Error()
			return nil
		}
		if d.Name() == ".git" && p != w.work {
			s.tree(w, filepath.Dir(p), p)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() && isBare(p) {
			s.tree(w, "", p)
			return fs.SkipDir
		}
		if d.Name() == ".moai" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		switch {
		case d.IsDir():
			s.items["folder "+rel] = info.Mode().Perm().String()
		case info.Mode()&os.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			s.items["link "+rel] = to
			s.content["link "+rel] = []byte(to)
		case info.Mode().IsRegular():
			b, err := os.ReadFile(p)
			if err != nil {
				s.items["file "+rel] = err.Error()
				return nil
			}
			s.items["file "+rel] = fmt.Sprintf("%v %d bytes %.12x", info.Mode(), len(b), sha256.Sum256(b))
			s.content["file "+rel] = b
			if st := info.Sys().(*syscall.Stat_t); st.Nlink > 1 {
				id := [2]uint64{uint64(st.Dev), st.Ino}
				linked[id] = append(linked[id], rel)
			}
		default:
			s.items["special "+rel] = info.Mode().String()
		}
		return nil
	})
	for _, names := range linked {
		if len(names) > 1 {
			for _, n := range names {
				s.items["one file "+n] = sorted(names)
			}
		}
	}
	return s
}

func isBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// tree sees a repository.
func (s *sight) tree(w *world, dir, git string) {
	if b, err := os.ReadFile(git); err == nil {
		to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
		if !ok {
			return
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		git = to
	}
	common := git
	if b, err := os.ReadFile(filepath.Join(git, "commondir")); err == nil {
		if common = strings.TrimSpace(string(b)); !filepath.IsAbs(common) {
			common = filepath.Join(git, common)
		}
	}
	at := git
	if dir != "" {
		at = dir
	}
	rel, _ := filepath.Rel(w.work, at)
	head, err := os.ReadFile(filepath.Join(git, "HEAD"))
	if err != nil {
		return // no repository for git either
	}
	s.items["HEAD "+rel] = strings.TrimSpace(string(head))
	first := !slices.ContainsFunc(s.repos, func(t tree) bool { return t.common == common })
	s.repos = append(s.repos, tree{dir, git, common, rel})
	if dir != "" {
		s.index(w, dir, rel)
		for _, p := range split(w.try(dir, "ls-files", "-z", "-o", "-i", "--exclude-standard").out) {
			s.ignored["file "+filepath.Join(rel, p)] = true
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(w.try(at, "for-each-ref", "--format=%(refname) %(objectname) %(symref)").out), "\n") {
		name, what, _ := strings.Cut(line, " ")
		// The stash is seen entry by entry: a new one on top moves the reference and loses nothing.
		if name == "" || name == "refs/stash" || strings.HasPrefix(name, "refs/moai/") || strings.HasPrefix(name, "refs/heads/checkpoint/") || !first && !strings.HasPrefix(name, "refs/bisect/") && !strings.HasPrefix(name, "refs/worktree/") {
			continue
		}
		s.items["ref "+rel+" "+name] = strings.TrimSpace(what)
	}
	if log, err := os.ReadFile(filepath.Join(common, "logs/refs/stash")); err == nil && first {
		for i, line := range strings.Split(strings.TrimSpace(string(log)), "\n") {
			if words := strings.Fields(line); len(words) > 1 {
				_, message, _ := strings.Cut(line, "\t")
				s.items[fmt.Sprintf("stash %s from the first %d", rel, i)] = words[1] + " " + message
			}
		}
	}
	for _, name := range underWay {
		root := filepath.Join(git, name)
		_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				b, _ := os.ReadFile(p)
				to, _ := filepath.Rel(git, p)
				s.items["under way "+rel+" "+to] = string(b)
			}
			return nil
		})
	}
	if first {
		for _, name := range []string{"config", "info/exclude", "info/attributes", "info/grafts", "shallow", "objects/info/alternates", "hooks/pre-commit"} {
			s.setting(rel, common, name)
		}
	}
	for _, name := range []string{"config.worktree", "info/sparse-checkout"} {
		s.setting(rel, git, name)
	}
}

func (s *sight) setting(rel, dir, name string) {
	if b, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
		s.items["setting "+rel+" "+name] = string(b)
	}
}

// underWay is what Git keeps of operations that have stopped in the middle. AUTO_MERGE is not among it: a tree that Git makes for looking
// at (git diff AUTO_MERGE), from commits that are all there.
var underWay = strings.Fields(`MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR MERGE_AUTOSTASH SQUASH_MSG CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD
	BISECT_START BISECT_LOG BISECT_TERMS BISECT_NAMES BISECT_RUN BISECT_EXPECTED_REV BISECT_ANCESTORS_OK BISECT_FIRST_PARENT BISECT_HEAD
	rebase-merge rebase-apply sequencer NOTES_MERGE_PARTIAL NOTES_MERGE_REF NOTES_MERGE_WORKTREE`)

// flags of an index entry that a person has set: assume-unchanged, intent-to-add, skip-worktree.
const flags = 0x8000 | 0x20000000 | 0x40000000

// index sees the entries, their stages and their flags.
func (s *sight) index(w *world, dir, rel string) {
	entry := ""
	for line := range strings.Lines(w.try(dir, "-c", "core.quotePath=true", "ls-files", "--full-name", "--stage", "--debug").out) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, " ") {
			entry = line
			continue
		}
		_, hex, ok := strings.Cut(line, "flags: ")
		if !ok {
			continue
		}
		var bits uint64
		fmt.Sscanf(hex, "%x", &bits)
		what, name, _ := strings.Cut(entry, "\t")
		words := strings.Fields(what)
		if len(words) != 3 {
			continue
		}
		s.items["index "+rel+" "+words[2]+" "+name] = fmt.Sprintf("%s %s %x", words[0], words[1], bits&flags)
	}
}

// held are the names of all objects that Git reaches without what moai keeps, in any repository there is.
func (w *world) held(s *sight) map[string]bool {
	m := map[string]bool{}
	seen := map[string]bool{}
	for _, t := range s.repos {
		at := t.dir
		if at == "" {
			at = t.git
		}
		if seen[t.common] {
			continue
		}
		seen[t.common] = true
		out := w.try(at, "rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--exclude=refs/moai/*", "--exclude=refs/heads/checkpoint/*", "--all", "--reflog", "--indexed-objects").out
		for line := range strings.Lines(out) {
			m[strings.TrimSpace(line)] = true
		}
	}
	return m
}

// names are the ways in which Git could call a content: as it is, with its line ends and by the filters of these rounds.
func names(b []byte) (list []string) {
	forms := [][]byte{b}
	if bytes.Contains(b, []byte("\r\n")) {
		forms = append(forms, bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
	}
	forms = append(forms, bytes.ToUpper(b)) // the clean filter
	for _, f := range forms {
		whole := append(fmt.Appendf(nil, "blob %d\x00", len(f)), f...)
		list = append(list, fmt.Sprintf("%x", sha1.Sum(whole)), fmt.Sprintf("%x", sha256.Sum256(whole)))
	}
	return list
}
