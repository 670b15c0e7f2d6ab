package verify

import (
	"bytes"
	"cmp"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// What a session commits need not be in the work tree when a turn ends: another branch is checked out, the commit was made in a work tree that is gone, or
// it was made by Git's low-level commands. A branch has it all the same, or it was pushed. So this file looks for references that moved while a call ran,
// and follows their commits back as far as these are new. New commits are the session's, with two exceptions: commits that a fetch brought or that were made
// in another work tree, and old work that a rebase or a cherry-pick only copied.

// Bounds of what is followed after one call.
const (
	maxRefs  = 2000 // references that are looked at
	maxTips  = 64   // … that are followed
	maxOlder = 200  // branches that are asked for what was there before
)

// Put is a file as a commit has it.
type Put struct {
	Path string // absolute: where it is once that commit is checked out
	Sum  string // see Sum
	Blob string // Git's name of the content
	Text []byte // how it begins
	Old  bool   // by a commit of older work, which was rebased, picked or fetched
	From bool   // … which was fetched, or made in another work tree

	Merged bool // by a merge that was committed by hand, and it is in none of what was merged
}

// Puts lists the files in commits that were made while a call ran, on any branch. beside are other work trees in which the call worked.
func (p *Picture) Puts(r *repo.Repo, s *State, before *Picture, beside []*repo.Repo, began time.Time) (list []Put) {
	moved := movedRefs(r, before.At)
	p.moved = moved
	if len(moved) == 0 && p.Logs[0] == before.Logs[0] {
		return nil
	}
	l := &lineage{r: r, since: before.At, said: map[repo.Hash]string{}, from: map[repo.Hash]repo.Hash{}, theirs: map[repo.Hash]bool{}, seen: folders{}}
	l.read(beside, moved)
	trees := []repo.Hash{commitTree(r, before.Head), commitTree(r, s.Head)}
	for _, from := range l.was {
		trees = append(trees, commitTree(r, from.String()))
	}
	older := false
	hadBefore := func(path string, blob repo.Hash) bool {
		if !older {
			older, trees = true, append(trees, l.older(began)...)
		}
		return slices.ContainsFunc(trees, func(tree repo.Hash) bool {
			was, had := l.seen.at(r, tree, path)
			return had && was == blob
		})
	}
	done := map[string]bool{}
	for _, tip := range l.tips {
		for h, c := range l.made(tip) {
			from := l.theirs[h] && !l.own(h)
			old := from || !l.own(h) && c.Authored.Before(before.At.Truncate(time.Second))
			for path := range l.changed(h, c) {
				blob, there := l.seen.at(r, commitTree(r, tip.String()), path)
				key := path + "\x00" + blob.String()
				if !there || done[key] || len(list) == maxChanges || hadBefore(path, blob) {
					continue
				}
				done[key] = true
				if text, ok := textOf(r, blob); ok {
					list = append(list, Put{r.Path(path), p.form(r, l.seen, path, blob), blob.String(), text, old, from, len(c.Parents) > 1})
				}
			}
		}
	}
	for path, blob := range p.pointed(r, s, l.seen) {
		if key := path + "\x00" + blob.String(); !done[key] && len(list) < maxChanges && !hadBefore(path, blob) {
			done[key] = true
			if text, ok := textOf(r, blob); ok {
				list = append(list, Put{r.Path(path), cmp.Or(blobSum(r, blob), "blob:"+blob.String()), blob.String(), text, true, false, false})
			}
		}
	}
	return list
}

// pointed are contents that the session left in files and set aside, or took back, on which references were put, as by `git branch x stash@{0}`.
func (p *Picture) pointed(r *repo.Repo, s *State, seen folders) iter.Seq2[string, repo.Hash] {
	return func(yield func(string, repo.Hash) bool) {
		head := commitTree(r, p.Head)
		for i := range s.Files {
			f := &s.Files[i]
			in, local := Shown([]string{r.WorkTree}, f.Path)
			if !local || len(f.Aside) == 0 && f.Last == "" {
				continue
			}
			now, _ := seen.at(r, head, in)
			for _, ref := range p.moved {
				blob, there := seen.at(r, commitTree(r, ref.Hash.String()), in)
				if !there || blob == now {
					continue
				}
				if sum := blobSum(r, blob); sum != "" && (sum == f.Last || slices.Contains(f.Aside, sum)) && !yield(in, blob) {
					return
				}
			}
		}
	}
}

// form is the Sum of a file with a content of Git's: as it is in the work tree, where it is there, since Git may convert it on its way.
func (p *Picture) form(r *repo.Repo, seen folders, path string, blob repo.Hash) string {
	if _, changed := p.Files[path]; !changed {
		if now, has := seen.blob(r, p.Head, path); has && now == blob && exists(r.Path(path)) {
			return Sum(r.Path(path))
		}
	}
	return cmp.Or(blobSum(r, blob), "blob:"+blob.String())
}

// Takes reports a file that was there before the call, in a work tree or in the index: then the session has not written it.
func (p *Picture) Takes(one *Put) bool {
	rel, local := Shown([]string{p.Tree}, one.Path)
	return local && (p.takes(rel, one) || slices.ContainsFunc(p.Beside, func(b *Picture) bool {
		was, shown := b.Files[rel]
		return shown && was.Sum == one.Sum
	}))
}

func (p *Picture) takes(rel string, one *Put) bool {
	was, shown := p.Files[rel]
	return shown && (was.Sum == "" || was.Sum == one.Sum || p.untouched(one.Path)) || !shown && p.untouched(one.Path) && Sum(one.Path) == one.Sum
}

// movedRefs lists references that were written since.
func movedRefs(r *repo.Repo, at time.Time) (list []repo.Ref) {
	seen, hidden := 0, filepath.Join(r.CommonDir, filepath.FromSlash(checkpoint.Hidden))
	_ = filepath.WalkDir(filepath.Join(r.CommonDir, "refs"), func(path string, d fs.DirEntry, err error) error {
		if seen++; seen > maxRefs || len(list) == maxTips {
			return fs.SkipAll
		}
		switch {
		case err == nil && path == hidden:
			return fs.SkipDir
		case err != nil || d.IsDir() || d.Name() == "HEAD" || !since(path, at):
			return nil
		}
		rel, err := filepath.Rel(r.CommonDir, path)
		if err != nil {
			return nil
		}
		ref := repo.Ref{Name: filepath.ToSlash(rel)}
		if ref.Hash, err = r.Resolve(ref.Name); err == nil && people(r, &ref) {
			list = append(list, ref)
		}
		return nil
	})
	if !since(filepath.Join(r.CommonDir, "packed-refs"), at) {
		return list
	}
	refs, _ := r.Refs("refs/")
	for i := range refs[:min(len(refs), maxRefs)] {
		ref := refs[i]
		if c, err := r.Commit(ref.Hash); err == nil && people(r, &ref) && !c.Time.Before(at.Truncate(time.Second)) && !slices.Contains(list, ref) && len(list) < maxTips {
			list = append(list, ref)
		}
	}
	return list
}

// people reports a reference by which people know commits, and by which they are pushed.
func people(r *repo.Repo, ref *repo.Ref) bool {
	return !strings.HasPrefix(ref.Name, checkpoint.Hidden) && ref.Name != stash && ref.Target == "" && !checkpoint.Branch(r, ref)
}

// stash is the reference of the stash. It is no branch, and `git push` does not send it.
const stash = "refs/stash"

// lineage is what is known of the commits around a call.
type lineage struct {
	r      *repo.Repo
	since  time.Time
	tips   []repo.Hash
	said   map[repo.Hash]string    // by which action a commit came to be, as logs have it
	from   map[repo.Hash]repo.Hash // … and what was there before
	was    []repo.Hash             // what references were before the call
	theirs map[repo.Hash]bool      // made by others, or fetched
	seen   folders
}

// read reads the logs of HEAD, of other work trees and of the references that moved. What is done in a work tree where the call did not work is somebody
// else's.
func (l *lineage) read(beside []*repo.Repo, moved []repo.Ref) {
	own := []string{l.r.GitDir}
	for _, one := range beside {
		if one.CommonDir == l.r.CommonDir && one.GitDir != l.r.GitDir {
			own = append(own, one.GitDir)
		}
	}
	for _, dir := range own {
		l.log(filepath.Join(dir, "logs", "HEAD"), func(from, to repo.Hash, what string, now bool) {
			if l.note(from, to, what); now && l.own(to) {
				l.tip(to)
			}
		})
	}
	for _, t := range l.r.Beside() {
		if at := filepath.Join(t.At.GitDir, "logs", "HEAD"); !slices.Contains(own, t.At.GitDir) && since(at, l.since) {
			l.log(at, func(_, to repo.Hash, _ string, _ bool) { l.theirs[to] = l.said[to] == "" })
		}
	}
	for _, ref := range moved {
		first := true
		l.log(filepath.Join(l.r.CommonDir, "logs", filepath.FromSlash(ref.Name)), func(from, to repo.Hash, what string, now bool) {
			if first && now {
				first, l.was = false, append(l.was, from)
			}
			if !l.theirs[to] {
				l.note(from, to, what)
			}
		})
		l.tip(ref.Hash)
		if strings.HasPrefix(ref.Name, "refs/remotes/") && l.r.Fetched(ref) {
			l.fetched(ref.Hash)
		}
	}
	if at := filepath.Join(l.r.GitDir, "FETCH_HEAD"); since(at, l.since) {
		text, _ := disk.ReadTail(at, maxLog)
		for line := range bytes.Lines(text) {
			name, _, _ := strings.Cut(string(line), "\t")
			if h, ok := repo.ParseHash(name); ok {
				l.fetched(h)
			}
		}
	}
}

// tip adds a commit from which others are followed.
func (l *lineage) tip(h repo.Hash) {
	if !slices.Contains(l.tips, h) && len(l.tips) < maxTips {
		l.tips = append(l.tips, h)
	}
}

// fetched notes that a commit and its new ancestors came from another repository.
func (l *lineage) fetched(h repo.Hash) {
	for one := range l.made(h) {
		l.theirs[one] = true
	}
}

// note keeps what an entry of a log says of how a commit was made.
func (l *lineage) note(from, to repo.Hash, what string) {
	if !l.own(to) {
		l.said[to], l.from[to] = what, from
	}
}

// own reports a commit of which a log says that it was written here, and not rebased, picked or fetched.
func (l *lineage) own(h repo.Hash) bool {
	what := l.said[h]
	return strings.HasPrefix(what, "commit") || strings.HasPrefix(what, "am:") || what == "fast-import"
}

// log goes through the end of a log; now says that an entry is not from before the call.
func (l *lineage) log(path string, each func(from, to repo.Hash, what string, now bool)) {
	text, err := disk.ReadTail(path, maxLog)
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		said, what, _ := strings.Cut(strings.TrimRight(string(line), "\n"), "\t")
		words := strings.Fields(said)
		if len(words) < 4 {
			continue
		}
		from, ok := repo.ParseHash(words[0])
		to, good := repo.ParseHash(words[1])
		if seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64); ok && good && err == nil {
			each(from, to, what, seconds >= l.since.Unix())
		}
	}
}

// made are a commit and those before it, as far as they came to be since.
func (l *lineage) made(tip repo.Hash) iter.Seq2[repo.Hash, *repo.Commit] {
	return func(yield func(repo.Hash, *repo.Commit) bool) {
		known, next := map[repo.Hash]bool{tip: true}, []repo.Hash{tip}
		for len(next) > 0 && len(known) < maxCommits {
			at := next[0]
			next = next[1:]
			c, err := l.r.Commit(at)
			if err != nil || !storedSince(l.r, at, c, l.since) {
				continue
			}
			if !yield(at, c) {
				return
			}
			for _, parent := range c.Parents {
				if !known[parent] {
					known[parent] = true
					next = append(next, parent)
				}
			}
		}
	}
}

// storedSince reports a commit that came into the repository since then. Its object file says so by when it was made, since a commit may claim any time.
// When that file was written last says less: `git clone` of a folder gives it one more name, and Git gives it a new time where it would write it once more.
// Where the commit is packed, only its own time is left.
func storedSince(r *repo.Repo, h repo.Hash, c *repo.Commit, at time.Time) bool {
	name := h.String()
	path := filepath.Join(r.CommonDir, "objects", name[:2], name[2:])
	if born, ok := disk.Born(path); ok {
		return !born.Before(at.Add(-coarse))
	}
	if disk.There(path) {
		return since(path, at)
	}
	return !c.Time.Before(at.Truncate(time.Second))
}

// changed are the files that a commit holds otherwise than the one before it, or than the one in whose place it came. What it merges, and what only has
// another name, are none.
func (l *lineage) changed(h repo.Hash, c *repo.Commit) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(c.Parents) > 1 && !l.own(h) {
			return
		}
		var from repo.Hash
		if len(c.Parents) > 0 {
			from = commitTree(l.r, c.Parents[0].String())
		}
		if was := commitTree(l.r, l.from[h].String()); l.own(h) && !was.IsZero() {
			from = was
		}
		names := map[repo.Hash]bool{}
		for path := range missing(l.r, l.seen, from, c.Tree, "") {
			if blob, ok := l.seen.at(l.r, from, path); ok {
				names[blob] = true
			}
		}
		for path, one := range written(l.r, l.seen, from, c.Tree, "") {
			if (one.had || !names[one.Hash]) && (len(c.Parents) < 2 || l.adds(c, path, one.Hash)) && !yield(path) {
				return
			}
		}
	}
}

// adds reports a file of a merge with a line that none of what was merged has.
func (l *lineage) adds(c *repo.Commit, path string, blob repo.Hash) bool {
	lines := map[string]bool{}
	for _, parent := range c.Parents {
		was, had := l.seen.at(l.r, commitTree(l.r, parent.String()), path)
		if had && was == blob {
			return false
		}
		if text, ok := wholeOf(l.r, was); had && ok {
			for line := range bytes.Lines(text) {
				lines[string(bytes.TrimSpace(line))] = true
			}
		}
	}
	text, ok := wholeOf(l.r, blob)
	for line := range bytes.Lines(text) {
		if !lines[string(bytes.TrimSpace(line))] {
			return true
		}
	}
	return !ok
}

// wholeOf is the text of a blob; false for a larger one, and for an object that is no blob.
func wholeOf(r *repo.Repo, h repo.Hash) ([]byte, bool) {
	if size, err := r.BlobSize(h); err != nil || size > maxRead {
		return nil, false
	}
	kind, text, err := r.Object(h)
	return text, err == nil && kind == repo.KindBlob
}

// textOf is how a blob begins; false for an object that is no blob.
func textOf(r *repo.Repo, h repo.Hash) ([]byte, bool) {
	if size, err := r.BlobSize(h); err != nil || size > maxRead {
		return nil, err == nil
	}
	kind, text, err := r.Object(h)
	return text[:min(len(text), headBytes)], err == nil && kind == repo.KindBlob
}
