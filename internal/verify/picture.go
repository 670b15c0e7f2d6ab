package verify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Picture is what Git's status shows of a work tree around a command that may write: what differs between the one before
// and the one after, the command has changed.
type Picture struct {
	Tree    string            `json:"tree"` // the work tree, absolute
	At      time.Time         `json:"at"`
	Head    string            `json:"head,omitempty"`
	Branch  string            `json:"branch,omitempty"` // "" where HEAD is on none
	Logs    [2]Log            `json:"logs"`
	Heads   map[string]string `json:"heads,omitempty"` // of repositories inside, by their folders ("a/b/")
	Files   map[string]Stamp  `json:"files"`           // changed and untracked files, relative to it
	Partial bool              `json:"partial,omitempty"`
	Rest    uint64            `json:"rest,omitempty"`   // of what is too many to be kept, 0 for nothing; see heap
	Beyond  bool              `json:"beyond,omitempty"` // more repositories are inside than are looked into
	Call    *Call             `json:"call,omitempty"`   // around which it was taken
	Beside  []*Picture        `json:"beside,omitempty"` // of work trees elsewhere that the call names; see Look

	moved []repo.Ref // references that were written since the one before; see Puts
}

// Call is what a picture was taken before.
type Call struct {
	Key     string `json:"key,omitempty"`   // tells it from others
	Agent   string `json:"agent,omitempty"` // the sub-agent that made it
	Session string `json:"session"`
	Tool    string `json:"tool"`
	Command string `json:"command,omitempty"` // as it may be kept
	Dir     string `json:"dir"`

	Folders []string `json:"folders,omitempty"` // elsewhere, that its words name
	Below   []string `json:"below,omitempty"`   // inside the one where it runs, that its words name
	Objects bool     `json:"objects,omitempty"` // it has Git keep what no file need hold
	Stays   bool     `json:"stays,omitempty"`   // something of it may go on when it is done
	Pushes  bool     `json:"pushes,omitempty"`  // it sends commits elsewhere
	Trees   bool     `json:"trees,omitempty"`   // it makes work trees
	Ended   bool     `json:"ended,omitempty"`   // its end was told: the picture is the one from then
}

// Stamp is a file in a picture.
type Stamp struct {
	Look string `json:"look"`          // size, time and the like; "" for none
	Sum  string `json:"sum,omitempty"` // where it was read; see Sum
}

// Bounds of a picture. A tree with more changes than that is a heap (heap.go), and small files are read where they are few, so
// that one that was only touched, or taken away and brought back, is no change.
const (
	maxChanges = 2000
	maxSums    = 64
	maxSummed  = 256 << 10
	maxInside  = 32            // repositories inside
	maxModules = 16            // submodules
	maxObjects = 2 * work.Disk // what HEAD's folders may take to unpack: 5 MB of them
)

// Take takes a picture for a session that began at a time and hid some files. Where a snapshot is taken next, the look for it will do as well, and is given back.
func Take(ctx context.Context, r *repo.Repo, dirCache string, snapshot bool, since time.Time, hid []string) (*Picture, *repo.Look, error) {
	p := &Picture{Tree: r.WorkTree, At: time.Now(), Logs: logStates(r), Files: map[string]Stamp{}}
	if head, err := r.Head(); err == nil && !head.Unborn {
		p.Head, p.Branch = head.Hash.String(), head.Branch
	}
	var look *repo.Look
	var st *repo.Status
	var ix *repo.Index
	if snapshot {
		look = wholeLook(ctx, r, dirCache)
	}
	if look != nil {
		st, ix = look.Status, look.Index
	} else {
		var err error
		r.Charge(work.New(maxObjects))
		if ix, err = r.Index(); err == nil {
			st, err = r.Status(ctx, repo.StatusOptions{Untracked: repo.UntrackedAll, NoRenames: true, NoSubmodules: true, Most: maxChanges, DirCache: dirCache, Index: ix})
		}
		if err != nil {
			return nil, nil, fmt.Errorf("look at the work tree: %w", err)
		}
	}
	heap := len(st.Changes) > maxChanges
	if heap && st.Partial && ctx.Err() == nil {
		var err error
		if st, err = whole(ctx, r, dirCache, ix); err != nil {
			return nil, nil, fmt.Errorf("look at the work tree: %w", err)
		}
	}
	if p.Partial = st.Partial || st.Unjudged; heap && !p.Partial {
		p.heap(r, st, since)
	}
	var inside []string
	var rest sum
	for i := range st.Changes {
		c := &st.Changes[i]
		if p.Partial {
			break
		}
		if strings.HasSuffix(c.Path, "/") {
			inside = append(inside, c.Path)
			continue
		}
		if !heap && !utf8.ValidString(c.Path) { // it could not be kept
			rest.add(c.Path, stamp(r.Path(c.Path), true))
		} else if !heap {
			p.Files[c.Path] = stamp(r.Path(c.Path), len(st.Changes) <= maxSums)
		}
	}
	p.Rest ^= uint64(rest)
	p.unhide(ctx, r, ix, since)
	p.Beyond = len(inside) > maxInside
	inside = append(inside[:min(len(inside), maxInside)], submodules(r, ix)...)
	for _, dir := range inside {
		p.within(ctx, r, dir)
	}
	p.addHid(r, ix, hid)
	return p, look, nil
}

// within adds what a repository inside shows, of which the one around it names the folder alone.
func (p *Picture) within(ctx context.Context, r *repo.Repo, dir string) {
	sub, err := repo.Open(r.Path(strings.TrimSuffix(dir, "/")))
	if err != nil || sub.Bare() || sub.WorkTree != r.Path(strings.TrimSuffix(dir, "/")) {
		return
	}
	if head, err := sub.Head(); err == nil && !head.Unborn {
		if p.Heads == nil {
			p.Heads = map[string]string{}
		}
		p.Heads[dir] = head.Hash.String()
	}
	sub.Charge(work.New(maxObjects))
	st, err := sub.Status(ctx, repo.StatusOptions{Untracked: repo.UntrackedAll, NoRenames: true, NoSubmodules: true, Most: maxChanges})
	if err != nil || st.Partial || st.Unjudged || len(p.Files)+len(st.Changes) > maxChanges {
		return
	}
	for i := range st.Changes {
		if path := dir + st.Changes[i].Path; !strings.HasSuffix(path, "/") {
			p.Files[path] = stamp(r.Path(path), len(st.Changes) <= maxSums)
		}
	}
}

// wholeLook is a look that a snapshot can go by, which must know all. It is nil where that is not to be had in a quarter of the time
// that is left: the picture of a tree with very many changes ends early, and the answer does not wait for more.
func wholeLook(ctx context.Context, r *repo.Repo, dirCache string) *repo.Look {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/4)
		defer cancel()
	}
	account := work.New(maxObjects)
	r.Charge(account)
	look, err := r.Look(ctx, repo.StatusOptions{DirCache: dirCache})
	if err != nil || look.Partial || account.Over() {
		return nil
	}
	return look
}

// Digest names what a picture shows, "" where that is not all.
func (p *Picture) Digest() string {
	if p.Partial {
		return ""
	}
	sum := sha256.New()
	fmt.Fprintln(sum, p.Head, p.Rest)
	for _, path := range slices.Sorted(maps.Keys(p.Files)) {
		s := p.Files[path]
		fmt.Fprintf(sum, "%s\x00%s\n", path, cmp.Or(s.Sum, s.Look))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Sum is what the picture knows of a file, absolute, that differs from what Git has; "" for one that it has not read.
func (p *Picture) Sum(path string) string {
	if p == nil {
		return ""
	}
	rel, err := filepath.Rel(p.Tree, path)
	if err != nil {
		return ""
	}
	return p.Files[filepath.ToSlash(rel)].Sum
}

func stamp(path string, read bool) Stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return Stamp{}
	}
	s := Stamp{Look: fmt.Sprintf("%d:%d:%o", info.Size(), info.ModTime().UnixNano(), info.Mode().Type())}
	if read && info.Size() <= maxSummed {
		s.Sum = Sum(path)
	}
	return s
}

func (s Stamp) same(o Stamp) bool {
	if s.Sum != "" && o.Sum != "" {
		return s.Sum == o.Sum
	}
	return s.Look == o.Look
}

// Since lists the files, absolute, that differ from an earlier picture of the same tree; known is false where the two
// cannot be compared.
func (p *Picture) Since(before *Picture) (files []string, known bool) {
	if p.Partial || before.Partial || p.Tree != before.Tree {
		return nil, false
	}
	for path, now := range p.Files {
		if was, there := before.Files[path]; !there || !now.same(was) {
			files = append(files, filepath.Join(p.Tree, filepath.FromSlash(path)))
		}
	}
	// What Git shows no more was committed, and is as it was, or was changed back, or is gone.
	for path, was := range before.Files {
		if _, there := p.Files[path]; there {
			continue
		}
		full := filepath.Join(p.Tree, filepath.FromSlash(path))
		if !stamp(full, was.Sum != "").same(was) {
			files = append(files, full)
		}
	}
	slices.Sort(files)
	return files, true
}
