package doctor

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/state"
)

// folders checks that moai can keep its state. Without it hooks still answer,
// but sessions forget and nothing is recorded.
func folders(e *Env) Result {
	r := Result{Detail: "state and configuration can be kept"}
	for _, dir := range []struct{ name, path string }{{"state", e.StateDir}, {"configuration", e.ConfigDir}} {
		item := Item{Name: dir.name, Detail: dir.path}
		if dir.path == "" {
			item.Status, item.Detail = Warn, "no home folder, so no place for it"
		} else if failed, err := writable(dir.path); err != nil {
			item.Status, item.Detail = Fail, dir.path+": "+plain(err)
			if failed != dir.path {
				item.Detail = dir.path + " cannot be made in " + failed + ": " + plain(err)
			}
			if fix := remedy(dir.path, failed, err); fix != "" {
				r.Fix = fix
			}
		}
		r.Items = append(r.Items, item)
	}
	if r = sum(r); r.Status != OK {
		r.Detail = "moai cannot keep what it should remember"
		return r
	}
	return own(e, r)
}

// own adds what of the state is not this user's alone, and what is no journal where one should be.
func own(e *Env, r Result) Result {
	var fixes []string
	add := func(name, detail, fix string) {
		r.Status, r.Detail = Warn, "what moai keeps is not as it should be"
		r.Items = append(r.Items, Item{Name: name, Status: Warn, Detail: detail})
		fixes = append(fixes, fix)
	}
	if state.Shared(e.StateDir) {
		add("state", "other users can write into "+e.StateDir+": nothing there can be believed", "chmod go-w "+argv.Quote(e.StateDir))
	}
	for _, odd := range journal.Strange(filepath.Dir(state.JournalPath(e.StateDir, e.Project))) {
		add("journal", odd+" is no regular file: it is neither written nor read", "mv "+argv.Quote(odd)+" "+argv.Quote(odd+".aside"))
	}
	r.Fix = cmp.Or(strings.Join(fixes, " && "), r.Fix)
	return r
}

// remedy is a command that helps when failed, which is dir or a folder above it that
// dir would have to be made in, cannot be written. Only permissions can be helped: a
// file in the way is somebody's, and a full disk is more than one command.
func remedy(dir, failed string, err error) string {
	switch {
	case runtime.GOOS == "windows" || !errors.Is(err, fs.ErrPermission):
		return ""
	case failed == dir:
		return "chmod u+rwx " + argv.Quote(dir)
	}
	return `sudo install -d -m 700 -o "$(id -un)" ` + argv.Quote(dir)
}

// room is what has to be left on a disk: a full one makes a file all the same, and has no place for what stands in it.
const room = 64 << 10

// Unkept says why nothing can be kept in a folder that is there, "" where something can.
func Unkept(dir string) string {
	if _, err := os.Stat(dir); err == nil { // else nothing was to be kept yet
		if _, err := writable(dir); err != nil {
			return plain(err)
		}
	}
	return ""
}

// writable makes a file and removes it again, in dir or, when that is not there
// yet, in the folder in which it would be made. It names the folder that failed.
func writable(dir string) (failed string, err error) {
	for {
		f, err := os.CreateTemp(dir, ".doctor-*")
		if err == nil { // by trying: modes say little about mounts, quotas and access lists
			_, err = f.Write(make([]byte, room))
			return dir, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
		up := filepath.Dir(dir)
		if _, statErr := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || statErr == nil || up == dir {
			return dir, err
		}
		dir = up
	}
}
