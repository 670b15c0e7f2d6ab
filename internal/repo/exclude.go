package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"github.com/modu-ai/moai/internal/disk"
)

// excludeReason stands before each line that moai adds, so that people know whose it is and moai knows which to take out.
const excludeReason = "# moai: one person's settings, not for the repository"

// ErrNoPlace means that there is no file in which a path could be kept out of Git.
var ErrNoPlace = errors.New("no info/exclude that can be written")

// Tracked reports whether a slash-separated path is in the index: what Git tracks cannot be kept out of it by a list.
func (r *Repo) Tracked(rel string) (bool, error) {
	ix, err := r.IndexAbout(nil, rel)
	if err != nil {
		return false, err
	}
	_, ok := ix.Find(rel)
	return ok, nil
}

// ExcludeFile is the list of a repository that is its owner's alone. All work trees of a repository share it; a submodule
// has its own.
func (r *Repo) ExcludeFile() string { return filepath.Join(r.CommonDir, "info", "exclude") }

// Exclude keeps a path out of Git for this clone. Nothing is written where the path is ignored already, by whatever list.
func (r *Repo) Exclude(rel string) (added bool, err error) {
	if r.Bare() || r.Ignore().Match(rel, false) {
		return false, nil
	}
	text, err := r.readExclude()
	if err != nil {
		return false, err
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return true, r.writeExclude(append(text, excludeReason+"\n"+excludeLine(rel)+"\n"...))
}

// Include takes the line of Exclude out again, and no other.
func (r *Repo) Include(rel string) (removed bool, err error) {
	text, err := r.readExclude()
	if err != nil {
		return false, err
	}
	at, end := ownLine(text, rel)
	if at < 0 {
		return false, nil
	}
	return true, r.writeExclude(append(append([]byte{}, text[:at]...), text[end:]...))
}

// Excludes reports that the line of Exclude is there.
func (r *Repo) Excludes(rel string) bool {
	text, err := r.readExclude()
	at, _ := ownLine(text, rel)
	return err == nil && at >= 0
}

// ownLine is where what Exclude wrote stands in a list, -1 where it does not.
func ownLine(text []byte, rel string) (at, end int) {
	own := excludeReason + "\n" + excludeLine(rel) + "\n"
	if at = bytes.Index(text, []byte(own)); at < 0 || at > 0 && text[at-1] != '\n' {
		return -1, -1
	}
	return at, at + len(own)
}

// excludeLine is the pattern that fits one path alone.
func excludeLine(rel string) string {
	var b strings.Builder
	b.WriteByte('/')
	for _, c := range []byte(rel) {
		if strings.IndexByte(`\*?[ `, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// readExclude refuses a list that is no plain file: a Git directory can come out of an archive, and a link in it could
// lead to any file of the user's.
func (r *Repo) readExclude() ([]byte, error) {
	path := r.ExcludeFile()
	for _, p := range []string{filepath.Dir(path), path} {
		info, err := os.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoPlace, err)
		}
		if p == path != info.Mode().IsRegular() || p != path && !info.IsDir() {
			return nil, fmt.Errorf("%w: %s is a link or no file", ErrNoPlace, p)
		}
	}
	data, _, err := disk.ReadFile(path, maxSmallFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoPlace, err)
	}
	return append([]byte{}, data...), nil
}

func (r *Repo) writeExclude(text []byte) error {
	path := r.ExcludeFile()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrNoPlace, err)
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := maybe.WriteFile(path, text, mode); err != nil {
		return fmt.Errorf("%w: %w", ErrNoPlace, err)
	}
	return nil
}
