package repo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// RefValue is a reference with the value that the caller saw.
type RefValue struct {
	Name string
	Hash Hash
}

// PackedWait is how long git waits for the lock of packed-refs, its core.packedRefsTimeout.
const PackedWait = packedLockWait

// DeleteRefs deletes references that still have the values given; the others are left and named in the error. All locks are
// held together. That of packed-refs, which keeps a `git pack-refs` that runs meanwhile from bringing a deleted reference back,
// is waited for, and taken first: who cannot have it then leaves nothing behind, even when it is killed while it waits. Git
// takes it last; that both wait for each other ends with the shorter wait, that for a reference. Deleted says which are gone.
func (r *Repo) DeleteRefs(refs []RefValue, wait time.Duration) (deleted []RefValue, err error) {
	type held struct {
		RefValue
		path string
		lock *Lock
	}
	var hold []held
	var failed []error
	fail := func(name string, err error) { failed = append(failed, fmt.Errorf("delete %s: %w", name, err)) }
	defer func() {
		for _, h := range hold {
			h.lock.Rollback()
		}
		for _, h := range hold {
			r.pruneRefDirs(parentRef(h.Name))
		}
		err = errors.Join(err, firstOf(failed))
	}()
	pl, e := lockMarked(r.CommonDir, filepath.Join(r.CommonDir, "packed-refs"), wait, nil)
	if e != nil {
		return nil, fmt.Errorf("delete references: %w", e)
	}
	// Held until the files are gone: a pack-refs that began in between would pack what is about to be deleted.
	defer pl.Rollback()
	for _, ref := range refs {
		path, e := r.refFile(ref.Name)
		if e == nil {
			var l *Lock
			if l, e = r.lockRef(ref.Name, func() (*Lock, error) { return lockMarked(r.CommonDir, path, refLockWait, pl) }); e == nil {
				hold = append(hold, held{ref, path, l})
				continue
			}
		}
		fail(ref.Name, e)
	}
	if len(hold) == 0 {
		return nil, nil
	}
	var going []held
	gone := map[string]bool{}
	for _, h := range hold {
		if e := r.checkRef(h.Name, h.path, h.Hash); e != nil {
			fail(h.Name, e)
			continue
		}
		going = append(going, h)
		gone[h.Name] = true
	}
	// The packed value goes first: without its loose file it would be what the reference stands for again.
	if e := r.rewritePacked(gone); e != nil {
		return nil, fmt.Errorf("delete references: %w", e)
	}
	for _, h := range going {
		if e := os.Remove(h.path); e != nil && !errors.Is(e, os.ErrNotExist) {
			fail(h.Name, e)
			continue
		}
		// A reflog that stays would stand in the way of a later reference, as git knows.
		os.Remove(filepath.Join(r.CommonDir, "logs", filepath.FromSlash(h.Name)))
		deleted = append(deleted, h.RefValue)
	}
	return deleted, nil
}

// DropDamaged deletes the file of a reference that holds none, such as an empty one after the power went; a packed value is what it stands for then. One
// that is whole meanwhile stays.
func (r *Repo) DropDamaged(name string) error {
	path, err := r.refFile(name)
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	l, err := r.lockRef(name, func() (*Lock, error) { return lockMarked(r.CommonDir, path, refLockWait, nil) })
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	defer l.Rollback()
	if _, err := r.rawRef(name, path); !errors.Is(err, errDamagedFile) {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	return nil
}

// firstOf joins as many errors as people read, and counts the rest.
func firstOf(list []error) error {
	const read = 3
	if len(list) <= read {
		return errors.Join(list...)
	}
	return errors.Join(errors.Join(list[:read]...), fmt.Errorf("and %d more", len(list)-read))
}

// rewritePacked drops references from packed-refs, whose lock the caller holds. A file that holds none of them stays as it is.
// As git does, it writes the new content beside the lock, which so keeps its mark. Only the holder uses that name, so what a
// killed one left there is removed.
func (r *Repo) rewritePacked(gone map[string]bool) error {
	b, err := r.packedFile()
	if err != nil {
		return err
	}
	out := make([]byte, 0, len(b))
	// Most references that are deleted are loose alone, and then the file stays untouched.
	dropped, skip := false, false
	for line := range bytes.Lines(b) {
		if line[0] == '^' { // the target of the tag on the line before
			if !skip {
				out = append(out, line...)
			}
			continue
		}
		_, name, _ := bytes.Cut(bytes.TrimRight(line, "\n"), []byte(" "))
		if skip = line[0] != '#' && gone[string(name)]; skip {
			dropped = true
			continue
		}
		out = append(out, line...)
	}
	if !dropped {
		return nil
	}
	path := filepath.Join(r.CommonDir, "packed-refs")
	os.Remove(path + ".moai")
	f, err := os.OpenFile(path+".moai", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(out)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path + ".moai")
		return err
	}
	return state.Rename(path+".moai", path)
}

// pruneRefDirs removes directories that have become empty, up to the second level (refs/heads stays).
func (r *Repo) pruneRefDirs(dir string) {
	for parentRef(parentRef(dir)) != "" {
		if os.Remove(filepath.Join(r.CommonDir, filepath.FromSlash(dir))) != nil {
			return
		}
		dir = parentRef(dir)
	}
}
