package doctor

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// program checks that what is registered can be started and is this moai. A
// command that cannot be found fails open: the client goes on without a guard.
func program(e *Env) Result {
	r := Result{Detail: e.Program + ", " + e.Version}
	if e.ProgramErr != nil {
		return Result{Status: Fail, Detail: e.ProgramErr.Error(), Fix: "go install github.com/modu-ai/moai/cmd/moai"}
	}
	// Every event names the program again; each is looked at once, and this one not at all.
	seen := map[string]bool{e.Program: true}
	for _, reg := range e.entries {
		path := expand(reg.Program, e.Project)
		if reg.ByName {
			path = OnPath(reg.Program, e.Environ)
		}
		if seen[path] {
			continue
		}
		seen[path] = true
		item := Item{Name: path}
		if reg.ByName && !e.found(reg) {
			r.Items = append(r.Items, Item{Name: reg.Program, Status: e.unless(reg), Detail: "not on PATH, so the hooks of " + reg.file.Path + " do nothing here"})
			r.Fix = "moai init --local"
			continue
		}
		if why := e.strange(reg); why != "" {
			item.Status, item.Detail = Warn, "not started: "+why
		} else {
			item.Status, item.Detail = inspect(e, path)
		}
		if item.Status != OK {
			r.Fix = reg.file.Init
		}
		r.Items = append(r.Items, item)
	}
	if r = sum(r); r.Status != OK {
		r.Detail = "a registered program is not this one (" + e.Program + ")"
	}
	return r
}

// unless is how bad it is that a registration does nothing: another one may do.
func (e *Env) unless(dead registered) Status {
	for _, reg := range e.entries {
		if reg.file.Path != dead.file.Path && !reg.skipped {
			return Warn
		}
	}
	return Fail
}

// inspect looks at a registered program that is not called like this one.
func inspect(e *Env, path string) (Status, string) {
	if !strings.ContainsAny(path, `/\`) {
		return Warn, "a bare name: it depends on the PATH that the client was started with"
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Fail, "cannot be found: " + plain(err)
	case info.IsDir():
		return Fail, "is a folder"
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0: // Windows goes by the name alone
		return Fail, "is not executable"
	}
	if self, err := os.Stat(e.Program); err == nil && os.SameFile(self, info) {
		return OK, "the same file"
	}
	// A program that is called moai may be another one altogether: five seconds are time enough to say a version.
	out, err := start([]string{path, "version"}, e.Environ, e.Project, nil, 5*time.Second)
	if err != nil {
		return Fail, "cannot be started: " + plain(err)
	}
	if got := strings.TrimSpace(string(out.Stdout)); got != e.Version {
		return Warn, fmt.Sprintf("another version: %s", head(got))
	}
	return OK, "the same version"
}

// expand replaces the one placeholder that clients replace without a shell. moai never
// writes it; people do.
func expand(text, project string) string {
	return strings.ReplaceAll(text, "${CLAUDE_PROJECT_DIR}", project)
}

// plain is the cause of a file error without the call and the path, which the
// reader has already.
func plain(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	return text
}

// head is the first line of a text, cut to what fits on one.
func head(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "…"
	}
	return s
}
