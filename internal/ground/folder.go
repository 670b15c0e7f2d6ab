package ground

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Answer lets the guard ask these facts.
func (g *Facts) Answer(in *risk.Input) {
	in.Looks = g.looks
	g.tool = in.Command == ""
	in.Exists, in.Regular, in.OwnersAlone, in.Follow, in.Registers, in.Compiled, in.Text = g.Exists, g.Regular, g.OwnersAlone, g.links.Follow, g.Registers, g.Compiled, g.Text
	in.Waiting, in.Displaced, in.Settings, in.SettingsAt, in.Replaced, in.Alias, in.Holds, in.Head = g.Waiting, g.Displaced, g.Settings, g.SettingsAt, g.Replaced, g.Alias, g.Holds, g.Head
	in.Worktrees, in.Submodules, in.Beside, in.As, in.Strays, in.Written, in.Configured, in.Staged, in.Publishes, in.Pushed = g.Worktrees, g.Submodules, g.Beside, g.As, g.Strays, g.Written, g.Configured, g.Staged, g.Publishes, g.Pushed
	in.Differs = g.Differs
	in.Source, in.Hooks = g.Source, g.Hooks
	in.Treasures, in.Inner, in.Unlogged, in.Adrift, in.AdriftInside = g.Treasures, g.Inner, g.Unlogged, g.Adrift, g.AdriftInside
	in.Ignored, in.Unsaved, in.Mounted, in.Dirty, in.Changed, in.Names = g.Ignored, g.Unsaved, g.Mounted, g.Dirty, g.Changed, g.Names
}

const (
	// maxMatches bounds the files that are looked at for one pattern. More of them are
	// worth a snapshot whatever is in them.
	maxMatches = 1000
	// maxPattern bounds a pattern in bytes: no name is longer than 255.
	maxPattern = 1 << 10
	// dirtyTime bounds the walk that Dirty needs, which is that of a status, where a disk
	// makes it wait; its work is counted besides. Past either the folder counts as dirty,
	// which costs one snapshot.
	dirtyTime = 300 * time.Millisecond
)

var errMany = errors.New("too many files fit")

// fitting calls yield with the base name of each file that fits a pattern, until it says
// no. Only the last element may hold wildcards; they mean what a shell means by them.
func (g *Facts) fitting(path string, yield func(name string) bool) error {
	dir, pattern := filepath.Split(path)
	if len(pattern) > maxPattern || !g.looks.Take(work.Folder+len(dir)/4) {
		return errMany
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for seen := 0; ; {
		names, err := f.Readdirnames(256)
		if !g.looks.Take(len(names) * (work.Name + len(pattern)/4)) {
			return errMany
		}
		for _, name := range names {
			if !shell.Picks(pattern, name) || name[0] == '.' && pattern[0] != '.' {
				continue
			}
			if seen++; seen > maxMatches {
				return errMany
			}
			if !yield(name) {
				return nil
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// Names lists the base names of what fits a pattern with wildcards in its last element.
// ok is false where nobody looked: more of them than are worth it, a folder that cannot
// be read, wildcards above it.
func (g *Facts) Names(pattern string) (names []string, ok bool) {
	if strings.ContainsAny(filepath.Dir(pattern), "*?[") {
		return nil, false
	}
	err := g.fitting(pattern, func(name string) bool {
		names = append(names, name)
		return true
	})
	return names, err == nil || errors.Is(err, fs.ErrNotExist)
}

// statusOf has the status of a folder at hand, and reports whether there is one. It is made twice for a line, however many archives it unpacks.
func (g *Facts) statusOf(below string) bool {
	switch {
	case g.status == nil:
		g.covers = below
	case strings.HasPrefix(below, g.covers):
		return true
	default:
		g.covers = ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), dirtyTime)
	defer cancel()
	ix := g.readIndex()
	if ix == nil {
		return false
	}
	// A part of the work alone: where a large project uses that up, the folder counts as dirty, and what else is asked has its own.
	part := work.New(max(0, g.looks.Left()/4*3))
	st, err := g.repo.Status(ctx, repo.StatusOptions{NoStaged: true, NoRenames: true, NoSubmodules: true, Below: g.covers, Index: ix, Work: part, Wary: true})
	g.looks.Take(part.Used() + min(0, part.Left()))
	if err != nil {
		return false
	}
	g.status = st
	return true
}

// Dirty reports whether a folder of the work tree holds a file that Git does not, changed
// or untracked, other than those in except. What is ignored, staged or deleted does not
// count: no snapshot would hold more of it. With "dir/**/name" only files and folders of that name do, wherever in dir.
func (g *Facts) Dirty(dir string, except []string) bool {
	dir, name, _ := strings.Cut(dir, "/**/")
	rel, ok := g.relative(filepath.Join(dir, "x")) // the work tree itself has no name in it
	if !g.looks.Take(work.Path(dir)) {
		return true
	}
	if info, err := os.Stat(dir); !ok && g.broken == "" || err != nil || !info.IsDir() {
		return false
	}
	if !ok { // what Git holds cannot be told; in an empty folder is nothing
		names, listed := g.Names(filepath.Join(dir, "*"))
		return !listed || len(names) > 0
	}
	below := strings.TrimSuffix(rel, "x")
	if !g.statusOf(below) || g.status.Partial || g.status.Unjudged {
		return true
	}
	var spared map[string]bool // except, where these really are
	for i := range g.status.Changes {
		c := &g.status.Changes[i]
		if c.Y == 'D' || c.Y == ' ' {
			continue
		}
		switch {
		case strings.HasPrefix(c.Path, below):
		case strings.HasSuffix(c.Path, "/") && strings.HasPrefix(below, c.Path):
			// An untracked folder is one line, and dir lies in it: a fresh one is empty.
			if names, ok := g.Names(filepath.Join(dir, "*")); ok && len(names) == 0 {
				continue
			}
		default:
			continue
		}
		if untracked := strings.HasSuffix(c.Path, "/"); name != "" && !untracked && !strings.Contains("/"+c.Path+"/", "/"+name+"/") {
			continue
		}
		if spared == nil {
			spared = map[string]bool{}
			for _, e := range except {
				spared[g.links.Follow(e)] = true
			}
		}
		if !spared[g.links.Follow(filepath.Join(g.repo.WorkTree, filepath.FromSlash(c.Path)))] {
			return true
		}
	}
	return false
}

// Changed reports whether a folder of the work tree holds a tracked file that was changed
// since it was added, or is such a file. Most folders that this is asked about hold no tracked file at all,
// which the index tells without a look at the disk.
func (g *Facts) Changed(dir string) bool {
	rel, ok := g.relative(dir)
	if !ok {
		return false
	}
	ix := g.readIndex()
	if ix == nil {
		return g.looks.Over() // else no snapshot could be taken either
	}
	if _, tracked := ix.Find(rel); tracked {
		return g.unsaved(dir)
	}
	below := rel + "/"
	if at, _ := ix.Find(below); at >= ix.Len() || !strings.HasPrefix(ix.At(at).Path, below) {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), dirtyTime)
	defer cancel()
	st, err := g.repo.Status(ctx, repo.StatusOptions{Untracked: repo.UntrackedNo, NoStaged: true, NoRenames: true, NoSubmodules: true, Below: below, Index: ix, Work: g.looks, Wary: true})
	if err != nil || st.Partial {
		return true
	}
	return slices.ContainsFunc(st.Changes, func(c repo.Change) bool {
		return c.Y != ' ' && c.Y != 'D' && strings.HasPrefix(c.Path, below)
	})
}

// Staged reports whether the index holds content at or below one of paths, or anywhere for none, that neither HEAD nor the file
// has; with gone, where no file is left. Where nobody can tell, it does: that costs one snapshot.
func (g *Facts) Staged(paths []string, gone bool) bool {
	question := strings.Join(append(paths[:len(paths):len(paths)], strconv.FormatBool(gone)), "\x00") // a line can be judged twice
	answer, known := g.stageds[question]
	if !known {
		if g.stageds == nil {
			g.stageds = map[string]bool{}
		}
		answer = g.lookStaged(paths, gone)
		g.stageds[question] = answer
	}
	return answer
}

func (g *Facts) lookStaged(paths []string, gone bool) bool {
	var below []string
	for _, p := range paths {
		if rel, ok := g.relative(p); ok {
			below = append(below, rel)
			continue
		}
		below = nil // the work tree itself, or what is not in it
		break
	}
	if _, ok := g.relative(filepath.Join(g.dir, "x")); !ok {
		return g.broken != ""
	}
	ix := g.readIndex()
	if ix == nil {
		return true
	}
	only, err := g.repo.StagedOnly(context.Background(), ix, below, gone, g.looks)
	return only || err != nil
}

// Differs reports whether a file of the index that is says is not as HEAD has it, there or in its folder. Where nobody can tell, one is.
func (g *Facts) Differs(is func(path string) bool) bool {
	if _, ok := g.relative(filepath.Join(g.dir, "x")); !ok {
		return g.broken != ""
	}
	ix := g.readIndex()
	if ix == nil || !g.looks.Take(ix.Len()) {
		return true
	}
	if staged, err := g.repo.StagedAny(ix, is, g.looks); staged || err != nil {
		return true
	}
	for i := range ix.Len() {
		if p := ix.Path(i); is(p) && g.Unsaved(g.repo.Path(p)) {
			return true
		}
	}
	return false
}

// Publishes reports whether settings make a push from a folder take hidden references along, and there are some. Where nobody can
// tell, they do: that costs one question.
func (g *Facts) Publishes(dir, remote string) bool {
	if known, ok := g.publishes[[2]string{dir, remote}]; ok {
		return known
	}
	if g.publishes == nil {
		g.publishes = map[[2]string]bool{}
	}
	answer := g.lookPublishes(dir, remote)
	g.publishes[[2]string{dir, remote}] = answer
	return answer
}

// Pushed names the branch that a push from a folder writes when none is named: the one that is checked out, or, where
// push.default says so, its upstream.
func (g *Facts) Pushed(dir string) string {
	if !g.looks.Take(work.Path(dir) + costOpen) {
		return ""
	}
	r, err := g.open(dir)
	if err != nil {
		return ""
	}
	head, err := r.Head()
	if err != nil || head.Branch == "" {
		return ""
	}
	info, ok := g.lstat(filepath.Join(r.CommonDir, "config"))
	if !ok || info != nil && !g.looks.Take(4*work.Read(info.Size())) {
		return head.Branch
	}
	switch r.Config().String("push.default") {
	case "upstream", "tracking":
		if merge := r.Config().String("branch." + head.Branch + ".merge"); merge != "" {
			return merge
		}
	}
	return head.Branch
}

func (g *Facts) lookPublishes(dir, remote string) bool {
	if !g.looks.Take(work.Path(dir) + costOpen) {
		return true
	}
	r, err := g.open(dir)
	if _, declined := repo.AsDeclined(err); declined {
		return true
	} else if err != nil {
		return false // there is nothing to push
	}
	// Settings are read as a whole, and so are packed references, but these only for a mirror.
	read := func(name string) bool {
		info, ok := g.lstat(filepath.Join(r.CommonDir, name))
		return ok && (info == nil || g.looks.Take(4*work.Read(info.Size())))
	}
	if !read("config") {
		return true
	}
	if !r.PushesHidden(remote, checkpoint.Hidden) {
		return false
	}
	if !read("packed-refs") {
		return true
	}
	refs, err := r.Refs(checkpoint.Hidden)
	return len(refs) > 0 || err != nil
}
