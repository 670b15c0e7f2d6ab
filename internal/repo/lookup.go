package repo

import "github.com/modu-ai/moai/internal/work"

// fewLooks is after how many looks the whole index is decoded: they have cost as much by then.
const fewLooks = 2

// Lookup reads as much of an index as questions about single paths need, and the whole of it once there are several. It
// believes what it has read for as long as it lives. It is for one goroutine.
type Lookup struct {
	repo  *Repo
	work  *work.Account
	looks int
	about string // the path of the last look
	last  *Index
	whole *Index
	err   error
}

// Lookup returns one that has read nothing, for as much work as there is in an account.
func (r *Repo) Lookup(a *work.Account) *Lookup { return &Lookup{repo: r, work: a} }

// Whole is the decoded index.
func (l *Lookup) Whole() (*Index, error) {
	if l.whole == nil && l.err == nil {
		l.whole, l.err = l.repo.IndexWithin(l.work)
	}
	return l.whole, l.err
}

// About is an index with at least the entries of a path, and what says how its content is stored.
func (l *Lookup) About(path string) (*Index, error) {
	switch {
	case l.whole != nil || l.err != nil:
		return l.whole, l.err
	case l.last != nil && l.about == path:
		return l.last, nil
	// Another spelling may be meant, and only the whole has them all.
	case l.looks == fewLooks || l.repo.Config().Bool("core.ignorecase", false):
		return l.Whole()
	}
	l.looks++
	ix, err := l.repo.IndexAbout(l.work, withAttributes(path)...)
	if err != nil {
		l.err = err
		return nil, err
	}
	for i := range ix.entries {
		if ix.entries[i].mode() == ModeGitlink { // what holds for it is in .gitmodules
			return l.Whole()
		}
	}
	l.about, l.last = path, ix
	return ix, nil
}

// withAttributes adds the files of attributes in the folders that a path is in: what is not checked out of them counts as
// the index has it.
func withAttributes(path string) []string {
	list := []string{path, ".gitattributes"}
	for at := range len(path) {
		if path[at] == '/' {
			list = append(list, path[:at+1]+".gitattributes")
		}
	}
	return list
}
