package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// A folder in no repository has its snapshots in a shadow: a repository of moai's own below its state folder, with the same timeline and
// the same checkpoints. Nothing is written into the folder itself, and all of it counts as one state: there is no index and no HEAD.

// shadows is their folder below moai's own.
const shadows = "shadow"

// ErrTooLarge says that a folder outside Git is beyond the limits of its snapshots.
var ErrTooLarge = errors.New("too large for moai undo without Git")

// shadowAt is where the shadow of a folder is.
func shadowAt(stateDir, folder string) string {
	return filepath.Join(stateDir, shadows, homeName(folder))
}

// FindShadow opens the shadow of a folder, or of one above it; repo.ErrNone where there is none.
func FindShadow(stateDir, dir string) (*repo.Repo, error) {
	dir, err := real(dir)
	if err != nil || stateDir == "" {
		return nil, repo.ErrNone
	}
	if _, err := os.Lstat(filepath.Join(stateDir, shadows)); err != nil {
		return nil, repo.ErrNone
	}
	for range maxDepth {
		r, err := repo.OpenShadow(dir, shadowAt(stateDir, dir))
		if !errors.Is(err, repo.ErrNone) {
			return r, err
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return nil, repo.ErrNone
}

// MakeShadow is FindShadow that makes one of the folder itself where there is none. exclude are lines of a .gitignore: what stays out of it. private are
// folders that are no project, such as the user's home: in these, and in every folder above them, no shadow is made.
func MakeShadow(stateDir, dir string, exclude, private []string) (*repo.Repo, error) {
	r, err := FindShadow(stateDir, dir)
	if err == nil {
		return repo.MakeShadow(r.WorkTree, r.GitDir, exclude)
	}
	if !errors.Is(err, repo.ErrNone) {
		return nil, err
	}
	if dir, err = real(dir); err != nil {
		return nil, err
	}
	if err := MayShadow(stateDir, dir, private); err != nil {
		return nil, err
	}
	return repo.MakeShadow(dir, shadowAt(stateDir, dir), exclude)
}

// MayShadow is an error where MakeShadow makes none.
func MayShadow(stateDir, dir string, private []string) error {
	within := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	for _, p := range append(slices.Clone(private), stateDir) {
		if p, err := real(p); err == nil && (p == dir || strings.HasPrefix(p, within)) {
			return fmt.Errorf("%w: it holds the user's own folder", ErrTooLarge)
		}
	}
	return nil
}

func real(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// outside settles the options of a snapshot of a folder in no repository.
func (s *snapshot) outside() {
	o := s.opts
	o.NoLog, o.Branch, o.judge = true, false, false
	l := DefaultLimits()
	l.Files, l.Bytes = o.Limits.Files, o.Limits.Bytes
	if l.Files == 0 {
		l.Files = ShadowFiles
	}
	if l.Bytes == 0 {
		l.Bytes = ShadowBytes
	}
	l.TrackedFile, l.UntrackedFiles, l.UntrackedBytes = l.UntrackedFile, 0, 0
	o.Limits = l
}

// What a folder outside Git may hold for its snapshots, where nothing else is said.
const (
	ShadowFiles = 20_000
	ShadowBytes = 256 << 20
)

// tooMuch says that a folder outside Git is beyond its limits.
func (s *snapshot) tooMuch(items []item) error {
	if !s.r.Shadow {
		return nil
	}
	files, bytes := s.ix.Len(), int64(0)
	for e := range s.ix.Entries() {
		bytes += int64(e.Size)
	}
	for i := range items {
		it := &items[i]
		if it.pos >= 0 {
			files--
			bytes -= int64(s.ix.At(it.pos).Size)
		}
		if it.fi != nil && it.skip == "" {
			files++
			bytes += it.fi.Size()
		}
	}
	switch l := s.opts.Limits; {
	case files > l.Files:
		return TooMany(l.Files)
	case bytes > l.Bytes:
		return fmt.Errorf("%w: more than %s", ErrTooLarge, Size(l.Bytes))
	}
	return nil
}

// TooMany is the error of a folder with more files than its snapshots may hold.
func TooMany(files int) error { return fmt.Errorf("%w: more than %d files", ErrTooLarge, files) }

// see notes what was read of a folder outside Git.
func (s *snapshot) see(items []item) {
	if !s.r.Shadow {
		return
	}
	for i := range items {
		it := &items[i]
		if it.skip != "" || it.leave || it.raw || it.nested {
			continue
		}
		info := it.fi
		if it.torn {
			continue
		}
		s.seen = append(s.seen, repo.Seen{Path: strings.TrimSuffix(it.path, "/"), Mode: it.side.Mode, Hash: it.side.Hash, Info: info})
	}
}

// remember has the next snapshot of a folder outside Git read no more than has changed since. Where that fails, it reads more.
func (s *snapshot) remember() {
	if s.r.Shadow {
		_ = s.r.WriteSeen(s.ix, s.seen, s.began)
	}
}

// Covers says that a snapshot of a folder outside Git holds a file, or all that is in a folder, but for what exclude names: what a build makes again.
func (c *Checkpoint) Covers(r *repo.Repo, path string, exclude func(string) bool) bool {
	left := ShadowFiles
	return c.covers(r, path, exclude, &left)
}

func (c *Checkpoint) covers(r *repo.Repo, path string, exclude func(string) bool, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	fi, err := os.Lstat(r.Path(path))
	switch {
	case disk.Absent(err):
		return true
	case err != nil:
		return false
	case !fi.IsDir():
		if side, err := c.At(r, path); err == nil && side.Mode != 0 {
			return true
		}
		return slices.Contains(c.Vaulted, path)
	}
	entries, err := os.ReadDir(r.Path(path))
	if err != nil {
		return false
	}
	for _, e := range entries {
		p := e.Name()
		if path != "." {
			p = path + "/" + p
		}
		if !exclude(p) && !c.covers(r, p, exclude, left) {
			return false
		}
	}
	return true
}
