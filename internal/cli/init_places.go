package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
)

// place is one settings file that the client reads in a project, and what moai finds in it.
type place struct {
	scope   settings.Scope
	path    string
	linked  bool // of a linked work tree, for which alone it speaks
	main    bool // the local file of the main work tree, which the client reads in linked ones, too (seen on 2.1.329 and 2.1.330)
	file    *settings.File
	err     error
	entries []settings.Entry
	line    *settings.Line    // the status line that it names, of whomever
	skipped *settings.Problem // why the client reads nothing of it
}

// legacy reports a registration in a file for everybody that names a program of one machine, as earlier moais wrote it.
func (p *place) legacy() bool {
	if p.scope != settings.Shared {
		return false
	}
	for _, e := range p.entries {
		if !e.ByName {
			return true
		}
	}
	return false
}

// text says in a few words for whom a file speaks.
func (p *place) text() string {
	switch {
	case p.scope == settings.User:
		return "user: all your projects, new clones and worktrees, too"
	case p.scope == settings.Shared:
		return "shared: everybody who has the project; calls the moai on PATH, if there is one"
	case p.linked:
		return "local: this one worktree, on this machine"
	}
	return "local: this folder and its worktrees, on this machine"
}

// counts reports whether the client calls moai because of this file.
func (p *place) counts() bool { return len(p.entries) > 0 && p.skipped == nil }

// clientDir is the client's own folder, "" without a home.
func (e *env) clientDir() string {
	if dir := e.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := e.clientHome(); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// clientHome is the home in which clients look, "" for none.
func (e *env) clientHome() string {
	if home := state.Home(e.getenv); home != "" {
		return home
	}
	return e.home() // clients ask the password database then, too
}

// settingsFiles opens the settings files that the client reads in a project, in the client's order. In the home folder the
// project's file is the user's own and is there once.
func (e *env) settingsFiles(root string) []*place {
	var list []*place
	client := e.clientDir()
	for _, s := range settings.Scopes {
		if s == settings.User && client == "" {
			continue
		}
		p := &place{scope: s, path: s.Path(client, root)}
		if s == settings.Shared && client != "" && samePath(p.path, settings.User.Path(client, root)) {
			continue
		}
		// Links of the user's own may lead anywhere, as dotfiles do. A cloned repository must not make moai write
		// outside of it.
		within := root
		if s == settings.User {
			within = ""
		}
		list = append(list, p.open(within))
	}
	if r, err := repo.Open(root); err == nil && r.GitDir != r.CommonDir {
		for _, p := range list {
			p.linked = p.scope == settings.Local
		}
		if main := r.Main(); main != "" && !samePath(main, root) {
			list = append(list, (&place{scope: settings.Local, path: settings.Local.Path("", main), main: true}).open(main))
		}
	}
	return list
}

func (p *place) open(within string) *place {
	if p.file, p.err = settings.Open(p.path, within); p.err != nil {
		return p
	}
	p.skipped = settings.Skipped(p.file.Data)
	p.entries, p.err = settings.Entries(p.file.Data)
	if p.err == nil {
		p.line, p.err = settings.StatusLine(p.file.Data)
	}
	return p
}

// ownLine reports that the file names moai's status line.
func (p *place) ownLine() bool { return p.line != nil && p.line.Own }

// samePath compares folders as the system does, links and all.
func samePath(a, b string) bool {
	one, err := filepath.EvalSymlinks(filepath.Dir(a))
	if err != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	two, err := filepath.EvalSymlinks(filepath.Dir(b))
	return err == nil && filepath.Join(one, filepath.Base(a)) == filepath.Join(two, filepath.Base(b))
}

// hooksOff finds the setting that switches all hooks off.
func hooksOff(places []*place) (p *place, line int, off bool) {
	var files [][]byte
	var open []*place
	for _, p := range places {
		if p.file != nil && !p.main {
			files, open = append(files, p.file.Data), append(open, p)
		}
	}
	i, line, off := settings.Off(files...)
	if !off {
		return nil, 0, false
	}
	return open[i], line, true
}

// keptOut is where a path is kept out of Git: the repository and the path in it, nil where there is no repository.
func keptOut(path string) (r *repo.Repo, rel string, err error) {
	dir := filepath.Dir(filepath.Dir(path))
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir; _, err = os.Stat(dir) { // its folders are yet to be made
		dir = filepath.Dir(dir)
	}
	below, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, "", err
	}
	r, err = repo.Open(dir)
	if errors.Is(err, repo.ErrNone) || err == nil && r.Bare() {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	top, err := filepath.EvalSymlinks(r.WorkTree)
	if err != nil {
		return nil, "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, "", err
	}
	if rel, err = filepath.Rel(top, filepath.Join(dir, below)); err != nil {
		return nil, "", err
	}
	return r, filepath.ToSlash(strings.TrimPrefix(rel, "./")), nil
}
