package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/settings"
)

// The client asks whether a folder is trusted before it runs the hooks of its settings
// file. Who looks with moai doctor has not said so yet: a cloned project must not get
// a program started by being looked at.

// strange says why an entry is not started, "" if it may be. The user's own files are
// as trusted as the user. Out of a project's file only a plain call counts, of this very
// program or of one that the project did not bring along.
func (e *Env) strange(reg registered) string {
	if reg.file.Scope == settings.User || reg.ByName { // the one shell text that moai itself writes, or no other than a plain call
		return ""
	}
	// Words alone: what else shell text can do is anything.
	if strings.ContainsAny(reg.Shell, "$`;&|<>(){}[]*?!~#\\\n") {
		return "the project's settings register more than a plain call"
	}
	path := expand(reg.Program, e.Project)
	switch {
	case !strings.ContainsAny(path, `/\`) || disk.Same(path, e.Program):
		return "" // a bare name is looked for on the user's own PATH
	case !filepath.IsAbs(path) || inside(e.Project, path):
		return "the project's settings name a program that came with the project"
	}
	return ""
}

// inside reports whether a path is in a folder, by its name or by where links lead. A
// path through "..", which only a placeholder makes absolute, is taken for one that is.
func inside(dir, path string) bool {
	if strings.Contains(filepath.ToSlash(path), "/../") {
		return true
	}
	for _, follow := range []bool{false, true} {
		d, p := dir, path
		if follow {
			var err error
			if d, err = filepath.EvalSymlinks(dir); err != nil {
				return true
			}
			if p, err = filepath.EvalSymlinks(path); err != nil {
				return false // what is not there is not started either
			}
		}
		if rel, err := filepath.Rel(d, p); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// OnPath finds a bare name as the client would, in the absolute folders of PATH. What is
// not found keeps its name behind a folder that cannot be: the system would look for it
// in the working directory, which is the project.
func OnPath(name string, environ []string) string {
	if runtime.GOOS == "windows" && filepath.Ext(name) == "" {
		name += ".exe"
	}
	path := ""
	for _, kv := range environ {
		if key, value, _ := strings.Cut(kv, "="); strings.EqualFold(key, "PATH") {
			path = value // the last one counts
		}
	}
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return file
		}
	}
	return filepath.Join(os.DevNull, name)
}
