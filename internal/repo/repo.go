package repo

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/work"
)

// ErrNone is returned by Open when no repository holds the directory.
var ErrNone = errors.New("not a git repository")

// Declined says why a repository that exists is not read. The reason is one line
// of plain English that names the cause.
type Declined struct {
	Dir    string // work tree, or Git directory of a bare repository
	Reason string
	Remedy string // command that makes Git and moai trust the repository; "" where none would
	Advice string // command that makes it one that moai reads, or tells more; "" where none would
}

// AsDeclined finds it in an error.
func AsDeclined(err error) (*Declined, bool) {
	var d *Declined
	ok := errors.As(err, &d)
	return d, ok
}

func (d *Declined) Error() string { return "repository declined: " + d.Why() }

// Why is the reason with what can be done about it.
func (d *Declined) Why() string {
	switch {
	case d.Remedy != "":
		return d.Reason + "; to trust it: " + d.Remedy
	case d.Advice != "":
		return d.Reason + "; next: " + d.Advice
	}
	return d.Reason
}

// Damaged is an error about a part of a repository that is not as Git left it: an object
// that is gone or broken, an index that is none.
type Damaged struct {
	What   string // what was done when it showed
	Err    error
	Advice string // command that mends it, or tells more
}

func (d *Damaged) Error() string { return d.What + ": " + d.Err.Error() }

// Unwrap gives what was found.
func (d *Damaged) Unwrap() error { return d.Err }

// Command is the command to run about it; "" where there is none.
func (d *Declined) Command() string {
	if d.Remedy != "" {
		return d.Remedy
	}
	return d.Advice
}

// Repo is one repository, or one of its linked work trees. It is safe for use by
// several goroutines. The zero value is not usable; see Open.
type Repo struct {
	WorkTree  string // absolute, without a trailing separator; "" when bare
	GitDir    string // absolute; HEAD and index live here
	CommonDir string // absolute; objects, references and config live here
	Shadow    bool   // the Git folder is moai's own, see OpenShadow

	hashSize  int     // 20 or 32, from extensions.objectFormat
	local     *Config // the repository's own config file, read by Open
	elsewhere string  // what core.worktree says where that is another folder than the one it was opened in

	cfgOnce sync.Once
	cfg     *Config

	packedMu sync.Mutex
	packed   *packedRefs

	objectsOnce sync.Once // these belong to object.go
	objects     *objectStore
	work        *work.Account
}

// Charge has objects that are unpacked paid for. A few kilobytes of a stranger's repository can stand for gigabytes, and where
// somebody waits for the answer they are not to be read. It is called before anything is read.
func (r *Repo) Charge(a *work.Account) { r.work = a }

// Bare says whether the repository has no work tree.
func (r *Repo) Bare() bool { return r.WorkTree == "" }

// HashSize is the length of object names here: 20 (SHA-1) or 32 (SHA-256) bytes.
func (r *Repo) HashSize() int { return r.hashSize }

// Path joins a slash-separated path to the work tree. It does not check that the
// result stays inside; index paths are checked when they are decoded.
func (r *Repo) Path(rel string) string {
	return filepath.Join(r.WorkTree, filepath.FromSlash(rel))
}

// declined builds the error for a repository at dir.
func declined(dir string, reason ...string) error {
	return &Declined{Dir: dir, Reason: strings.Join(reason, "")}
}
