package ground

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Facts answers the guard's questions about files of one project. The repository
// and its index are read for the first question only: most calls ask none. It is for
// one call, since it does not see what changes later, and for one goroutine.
//
// What it looks at is charged to one account. Once that is over, each answer is the one
// that loses nothing: a file is there, and Git does not hold it.
type Facts struct {
	dir        string
	looks      *work.Account
	links      links
	there      map[string]fs.FileInfo // what lstat said, nil for nothing
	settings   map[string]bool
	configs    map[string]*repo.Config // what Alias found, by folder
	hooks      map[string]hooked       // what Hooks found, by folder
	hooksOf    string                  // where the repository of these is
	commits    map[string]*commits     // what SettingsAt found, by folder
	others     map[string]*Facts       // those of other work trees, by folder
	opened     bool
	repo       *repo.Repo // nil: no repository with a work tree
	tool       bool       // the call is of a tool that is no shell: its client shows what it replaces
	broken     string     // the work tree of one that cannot be read
	keeper     repo.Keeper
	publishes  map[[2]string]bool // what Publishes answered, by folder and remote
	displaceds map[string]bool    // what Displaced answered, by folder
	stageds    map[string]bool    // what Staged answered, by all that it was asked
	closed     map[string]bool    // folders in which no repository can be opened
	rules      *ignore.Matcher
	folders    map[string]*ignore.Dir // by their paths below the work tree
	index      *repo.Lookup           // nil before the repository was opened
	unsaveds   map[string]bool        // what unsaved said
	writtens   map[string]bool        // what Written said
	status     *repo.Status           // nil before Dirty was asked, and where it cannot be told
	covers     string                 // the folder that status is about, "" for all
}

// costOpen is what it takes to find and open a repository.
const costOpen = 100 * work.Look

// New are the facts of the project in dir, for as much work as looks has.
func New(dir string, looks *work.Account) *Facts {
	return &Facts{dir: dir, looks: looks, links: links{looks: looks}, keeper: repo.Keeper{Work: looks}}
}

// lstat remembers what stands at a path, nil for nothing. ok is false when nobody looked.
func (g *Facts) lstat(path string) (info fs.FileInfo, ok bool) {
	if info, known := g.there[path]; known {
		return info, g.looks.Take(1 + len(path)/64)
	}
	if !g.looks.Take(work.Path(path)) {
		return nil, false
	}
	info, err := os.Lstat(path)
	if err != nil {
		info = nil
	}
	if g.there == nil {
		g.there = map[string]fs.FileInfo{}
	}
	g.there[path] = info
	return info, true
}

// Exists reports whether something is at a path. A link is there even where it leads to
// nothing, and can be deleted.
func (g *Facts) Exists(path string) bool {
	info, ok := g.lstat(path)
	return info != nil || !ok
}

// Regular reports whether a path is a plain file.
func (g *Facts) Regular(path string) bool {
	info, _ := g.lstat(path)
	return info != nil && info.Mode().IsRegular()
}

// OwnersAlone reports a plain file that nobody but its owner may read.
func (g *Facts) OwnersAlone(path string) bool {
	info, _ := g.lstat(path)
	return info != nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0
}

// Compiled reports a file that begins as programs and objects of compilers do: ELF, Mach-O
// in both orders of bytes and for several processors, and PE.
func (g *Facts) Compiled(path string) bool {
	if !g.Regular(path) || !g.looks.Take(work.Path(path)+work.Read(4)) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var b [4]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return false
	}
	switch string(b[:]) {
	case "\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "!<ar":
		return true
	}
	return b[0] == 'M' && b[1] == 'Z'
}

// Text reports a plain file without a zero byte where it begins, as Git tells text from the rest. An empty file is no text.
// A file that could not be looked at counts as text.
func (g *Facts) Text(path string) bool {
	head, read, looked := g.head(path)
	return !looked || read && head != "" && strings.IndexByte(head, 0) < 0
}

// Head is how a plain file begins, "" where nobody looked.
func (g *Facts) Head(path string) string {
	head, _, _ := g.head(path)
	return head
}

// head reads where a plain file begins. read is false for what is none, looked where it could not be told.
func (g *Facts) head(path string) (head string, read, looked bool) {
	info, ok := g.lstat(path)
	if !ok || !g.looks.Take(work.Path(path)+work.Read(textHead)) {
		return "", false, false
	}
	if info == nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return "", false, true
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false, false
	}
	defer f.Close()
	b := make([]byte, textHead)
	n, err := io.ReadFull(f, b)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", false, false
	}
	return string(b[:n]), true, true
}

// textHead is how much of a file Text and Head read.
const textHead = 1 << 10

// Registers reports a file of an agent's settings in which the guard is registered, as far
// as there is work to look: where there is none, it is.
func (g *Facts) Registers(path string) bool {
	if is, known := g.settings[path]; known {
		return is
	}
	is := !g.looks.Take(2*work.Path(path)+work.Read(4<<10)) || Registers(path)
	if g.settings == nil {
		g.settings = map[string]bool{}
	}
	g.settings[path] = is
	return is
}

// Waiting reports an operation of Git's that waits to be finished in the work tree of a folder. Where nobody looked, one does.
func (g *Facts) Waiting(dir string) bool {
	if !g.looks.Take(costOpen + work.Path(dir)*len(repo.StateNames)) {
		return true
	}
	r, err := g.open(dir)
	return err == nil && r.Waiting()
}

// Unlogged reports that where HEAD stands now is told nowhere once it moves: by no log, since the settings switch those off, and, where it
// is asked for one that is detached, by no branch.
func (g *Facts) Unlogged(dir string, detached bool) bool {
	if !g.looks.Take(costOpen + 2*work.Path(dir)) {
		return false
	}
	r, err := g.open(dir)
	if err != nil || r.Logs() {
		return false
	}
	head, err := r.Head()
	return err == nil && !head.Unborn && (head.Detached || !detached)
}

// open is the repository around a folder, as far as it is there. What is unpacked of it is part of what a call may cost.
func (g *Facts) open(dir string) (*repo.Repo, error) {
	r, err := repo.Open(Existing(g.links.Follow(dir)))
	if err == nil {
		r.Charge(g.looks)
	}
	return r, err
}

// relative opens the repository; ok is false when path is not in its work tree.
func (g *Facts) relative(path string) (rel string, ok bool) {
	if !g.opened {
		g.opened = true
		r, err := g.open(g.dir)
		if d, declined := repo.AsDeclined(err); declined {
			g.broken = d.Dir
		} else if err == nil && !r.Bare() {
			g.repo, g.index = r, g.keeper.Know(r)
		}
	}
	if g.repo == nil {
		return "", false
	}
	for _, top := range [...]string{g.repo.WorkTree, g.dir} { // one of them may be the other by way of a link
		rel, err := filepath.Rel(top, path)
		if err == nil && filepath.IsLocal(rel) && rel != "." && (top == g.repo.WorkTree || g.links.Follow(top) == g.links.Follow(g.repo.WorkTree)) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// readIndex reads the index once; nil where it cannot be read, or costs too much.
func (g *Facts) readIndex() *repo.Index {
	if g.relative(filepath.Join(g.dir, "x")); g.index == nil {
		return nil
	}
	ix, err := g.index.Whole()
	if err != nil {
		return nil
	}
	return ix
}

// ignoring is the folder of a path in the work tree, with the rules that hold there. The
// rules of folders are read once, however many paths lie in them.
func (g *Facts) ignoring(rel string) (dir *ignore.Dir, name string) {
	if g.rules == nil {
		g.rules = g.repo.IgnoreWithin(g.looks)
		g.folders = map[string]*ignore.Dir{"": g.rules.Root()}
	}
	at := strings.LastIndexByte(rel, '/')
	name = rel[at+1:]
	up := at // the longest part of the way that is known
	for up > 0 && g.folders[rel[:up]] == nil {
		up = strings.LastIndexByte(rel[:up], '/')
	}
	dir = g.folders[rel[:max(up, 0)]]
	for up = max(up, 0); up < at; {
		begin := up
		if rel[begin] == '/' {
			begin++
		}
		end := begin + strings.IndexByte(rel[begin:], '/')
		g.looks.Take(2 + end/32)
		dir = dir.Child(rel[begin:end])
		g.folders[rel[:end]] = dir
		up = end
	}
	return dir, name
}

// Ignored reports whether Git ignores a path; such files are in no checkpoint. A
// tracked file that matches an ignore rule is in every checkpoint all the same.
func (g *Facts) Ignored(path string) bool {
	rel, ok := g.relative(path)
	if !ok {
		return false
	}
	info, known := g.lstat(path)
	if !known || len(path) > maxPath {
		return true
	}
	dir, name := g.ignoring(rel)
	if !dir.Ignored() && !dir.Match(name, info != nil && info.IsDir()) && !g.looks.Over() {
		return false
	}
	ix, err := g.index.About(rel)
	if err != nil {
		return true // whether it is tracked all the same cannot be told, so no snapshot can be counted on
	}
	_, tracked := ix.Find(rel)
	return !tracked
}

// Unsaved reports whether a file holds something that Git does not: it was changed or
// never added, ignored or not. A pattern is unsaved when one file that it fits is. Folders
// are not: no snapshot would hold more of them. Where there is no repository nothing is held, of
// which a person is told. Every file of a repository that cannot be read is: nobody can tell what
// Git holds of it.
func (g *Facts) Unsaved(path string) bool {
	if !strings.ContainsAny(path, "*?[") {
		return g.unsaved(path)
	}
	dir := filepath.Dir(path)
	if strings.ContainsAny(dir, "*?[") {
		if g.relative(dir); g.repo != nil || g.broken != "" {
			return true // files of several folders: not looked into
		}
		for _, one := range g.spread(dir) {
			if g.Unsaved(filepath.Join(one, filepath.Base(path))) {
				return true
			}
		}
		return false
	}
	found := false
	err := g.fitting(path, func(name string) bool {
		found = g.unsaved(filepath.Join(dir, name))
		return !found
	})
	return found || err != nil && !disk.Absent(err)
}

// maxSpread bounds the folders of a pattern.
const maxSpread = 100

// spread lists the folders that a pattern fits. "**" is one folder, as for a shell that was not told otherwise, or none.
func (g *Facts) spread(pattern string) (list []string) {
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}
	}
	for _, dir := range g.spread(filepath.Dir(pattern)) {
		base := filepath.Base(pattern)
		if base == "**" {
			list = append(list, dir)
		}
		names, _ := g.Names(filepath.Join(dir, base))
		for _, name := range names {
			if one := filepath.Join(dir, name); len(list) < maxSpread {
				list = append(list, one)
			}
		}
	}
	return list
}

// Mounted reports whether a folder of the project is on another file system than the
// project: a disk, a share or a volume that was mounted there.
func (g *Facts) Mounted(path string) bool {
	return g.looks.Take(2*work.Path(path)) && otherDevice(g.dir, path)
}

// unsaved remembers the answers: a call is judged more than once where it may mean several projects or homes.
func (g *Facts) unsaved(path string) bool {
	if is, known := g.unsaveds[path]; known {
		return is || !g.looks.Take(1+len(path)/64)
	}
	is := g.lookUnsaved(path)
	if g.unsaveds == nil {
		g.unsaveds = map[string]bool{}
	}
	g.unsaveds[path] = is
	return is
}

func (g *Facts) lookUnsaved(path string) bool {
	info, ok := g.lstat(path)
	if !ok {
		return true
	}
	if info == nil || info.IsDir() {
		return false
	}
	unsaved, err := g.keeper.Unsaved(context.Background(), path)
	switch {
	case err == nil:
		return unsaved // also what is ignored: a snapshot puts it into the vault
	case errors.Is(err, repo.ErrNone): // nothing holds it
		return !g.tool && (info.Mode().IsRegular() && info.Size() > 0 || info.Mode()&fs.ModeSymlink != 0)
	}
	if _, declined := repo.AsDeclined(err); !declined {
		return true
	}
	// What is inside of Git's own folder is declined, too, but the repository can be opened there. Its
	// settings may be long, so that is found out once for a folder.
	dir := filepath.Dir(path)
	closed, known := g.closed[dir]
	if !known && g.looks.Take(costOpen) {
		_, err := repo.Open(dir)
		if closed, known = err != nil, true; g.closed == nil {
			g.closed = map[string]bool{}
		}
		g.closed[dir] = closed
	}
	return closed || !known
}
