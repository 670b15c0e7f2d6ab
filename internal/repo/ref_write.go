package repo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

var (
	// ErrRefExists says that a reference that was to be created is there already.
	ErrRefExists = errors.New("reference exists")
	// ErrRefMoved says that a reference does not have the value that the caller expected.
	ErrRefMoved = errors.New("reference has changed meanwhile")
	// ErrRefConflict says that a reference `a` stands in the way of `a/b`, or the other way round.
	ErrRefConflict = errors.New("another reference is in the way")
	// ErrSymbolic says that a reference only stands for another one.
	ErrSymbolic = errors.New("it is a symbolic reference")
)

// CreateRef makes a new reference and never changes one that exists (ErrRefExists). The object must be stored already.
func (r *Repo) CreateRef(name string, h Hash) error { return r.UpdateRef(name, Hash{}, h) }

// UpdateRef moves a reference from old to h; old zero means that it must not exist. Branches, HEAD's branch included, are moved
// just as `git update-ref` does it: the reflog is written if there is one, index and working tree are not touched.
func (r *Repo) UpdateRef(name string, old, h Hash) error { return r.MoveRef(name, old, h, "moai") }

// MoveRef is UpdateRef with the reason, one line, that the reflog gives.
func (r *Repo) MoveRef(name string, old, h Hash, why string) error {
	if err := r.updateRef(name, old, h, why); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func (r *Repo) updateRef(name string, old, h Hash, why string) error {
	p, err := r.prepareMove(name, old, h)
	if err != nil {
		return err
	}
	return p.commit(why)
}

// PrepareMove is UpdateRef up to the last step, as PrepareRef is for a name that is new.
func (r *Repo) PrepareMove(name string, old, h Hash) (*PendingRef, error) {
	p, err := r.prepareMove(name, old, h)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return p, nil
}

func (r *Repo) prepareMove(name string, old, h Hash) (*PendingRef, error) {
	// Others write it, too: should this process be killed, its lock must be given up.
	p, err := r.prepare(name, old, h, func(path string) (*Lock, error) { return lockFilled(r.CommonDir, path, refLockWait) })
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(p, "%s\n", h)
	return p, nil
}

// UnlinkRef makes a symbolic reference one of its own that holds h, as `git update-ref --no-deref` does: what it stood for is
// not touched.
func (r *Repo) UnlinkRef(name string, h Hash) error {
	err := func() error {
		path, err := r.refFile(name)
		if err != nil {
			return err
		}
		l, err := r.lockRef(name, func() (*Lock, error) { return lockFilled(r.CommonDir, path, refLockWait) })
		if err != nil {
			return err
		}
		if _, err := r.rawRef(name, path); !errors.Is(err, ErrSymbolic) {
			l.Rollback()
			return cmp.Or(err, ErrRefMoved)
		}
		fmt.Fprintf(l, "%s\n", h)
		return l.Commit()
	}()
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// LinkRef makes a reference that is not there stand for another one, on h.
func (r *Repo) LinkRef(name, to string, h Hash) error {
	if !validRef(to) {
		return fmt.Errorf("write %s: %q is no name of a reference", name, to)
	}
	p, err := r.prepare(name, Hash{}, h, func(path string) (*Lock, error) { return lockFilled(r.CommonDir, path, refLockWait) })
	if err == nil {
		fmt.Fprintf(p, "ref: %s\n", to)
		err = p.commit("moai")
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// Symbolic is the reference that a reference stands for, "" where it stands for none.
func (r *Repo) Symbolic(name string) string {
	_, to, err := r.readRef(name)
	if err != nil {
		return ""
	}
	return to
}

// RewriteLog gives the log of a reference other lines, and moves it from old to what change says, without a line of its own: for the
// stash, whose log is the list of its entries. Both are done under the reference's lock. A zero hash changes nothing.
func (r *Repo) RewriteLog(name string, old Hash, change func(log []byte) ([]byte, Hash)) error {
	err := func() error {
		p, err := r.prepare(name, old, old, func(path string) (*Lock, error) { return lockFilled(r.CommonDir, path, refLockWait) })
		if err != nil {
			return err
		}
		file := filepath.Join(r.CommonDir, "logs", filepath.FromSlash(name))
		b, err := os.ReadFile(file)
		if err != nil {
			p.Rollback()
			return err
		}
		lines, h := change(b)
		if h.IsZero() {
			p.Rollback()
			return nil
		}
		l, err := lockFilled(r.CommonDir, file, refLockWait)
		if err != nil {
			p.Rollback()
			return err
		}
		_, _ = l.Write(lines) // its error is kept for Commit
		if err := l.Commit(); err != nil {
			p.Rollback()
			return err
		}
		fmt.Fprintf(p, "%s\n", h)
		return p.Lock.Commit()
	}()
	if err != nil {
		return fmt.Errorf("write the log of %s: %w", name, err)
	}
	return nil
}

// MoveHead makes HEAD stand on a branch or, detached, on a commit, as `git symbolic-ref` and `git update-ref --no-deref` do: index
// and working tree are not touched. ErrRefMoved says that HEAD does not stand where from says. The reflog gets git's own words for
// it: from them `git status` says where a detached HEAD stands, and `git checkout -` knows the way.
func (r *Repo) MoveHead(from, to Head) error {
	err := func() error {
		l, err := lockFilled(r.GitDir, filepath.Join(r.GitDir, "HEAD"), refLockWait)
		if err != nil {
			return err
		}
		// Under the lock: whoever has moved HEAD since the plan was made keeps what they did.
		if now, err := r.headRef(); err != nil || now != from.target() {
			l.Rollback()
			return cmp.Or(err, ErrRefMoved)
		}
		line := to.target()
		if !to.Detached {
			line = "ref: " + line
		}
		fmt.Fprintf(l, "%s\n", line)
		why := r.switched(from) + " to " + strings.TrimPrefix(r.switched(to), switching)
		if err := r.logMove("HEAD", from.Hash, to.Hash, why); err != nil {
			l.Rollback()
			return fmt.Errorf("reflog: %w", err)
		}
		return l.Commit()
	}()
	if err != nil {
		return fmt.Errorf("write HEAD: %w", err)
	}
	return nil
}

// target is what HEAD holds when it stands there.
func (h *Head) target() string {
	if h.Detached {
		return h.Hash.String()
	}
	return "refs/heads/" + h.Branch
}

// A PendingRef is a reference that is locked and written under its lock's name: Commit makes it visible, Rollback forgets it.
type PendingRef struct {
	*Lock
	r      *Repo
	name   string
	old, h Hash
}

// PrepareRef is CreateRef up to the last step, for a name that nobody else will want, should this process be killed. The object
// need not be stored before Commit, so that the disk can be waited for once, for objects and references together (Sync).
func (r *Repo) PrepareRef(name string, h Hash) (*PendingRef, error) {
	p, err := r.prepare(name, Hash{}, h, func(path string) (*Lock, error) { return lock(r.CommonDir, path, refLockWait) })
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	fmt.Fprintf(p, "%s\n", h)
	return p, nil
}

// prepare takes the lock first and looks then: what is true under the lock stays true until Commit.
func (r *Repo) prepare(name string, old, h Hash, take func(path string) (*Lock, error)) (*PendingRef, error) {
	path, err := r.refFile(name)
	if err != nil {
		return nil, err
	}
	l, err := r.lockRef(name, func() (*Lock, error) { return take(path) })
	if err != nil {
		return nil, err
	}
	if err = r.checkRef(name, path, old); err == nil && old.IsZero() {
		err = r.refConflict(name, path)
	}
	if err != nil {
		l.Rollback()
		return nil, err
	}
	return &PendingRef{l, r, name, old, h}, nil
}

// Commit gives the reference its name. The object must be stored by now.
func (p *PendingRef) Commit() error {
	if err := p.commit("moai"); err != nil {
		return fmt.Errorf("write %s: %w", p.name, err)
	}
	return nil
}

func (p *PendingRef) commit(why string) error {
	// As git does, the log is written under the lock and before the reference.
	if err := p.r.logMove(p.name, p.old, p.h, why); err != nil {
		p.Rollback()
		return fmt.Errorf("reflog: %w", err)
	}
	return p.Lock.Commit()
}

// refFile is the loose file of a shared reference. References of one work tree only (HEAD, refs/bisect …) are not written here.
func (r *Repo) refFile(name string) (string, error) {
	if !validRef(name) {
		return "", errors.New("not a valid reference name")
	}
	for _, own := range [...]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return "", errors.New("belongs to one work tree")
		}
	}
	if fileExists(filepath.Join(r.CommonDir, "reftable")) {
		return "", errors.New("references are stored as reftable, which is not supported")
	}
	// A repository that came as an archive may have a link in a folder's place: what is written there would lie anywhere. The whole
	// of refs is a link where work trees were made by hand.
	for dir := parentRef(name); dir != "refs" && dir != ""; dir = parentRef(dir) {
		if fi, err := os.Lstat(filepath.Join(r.CommonDir, filepath.FromSlash(dir))); err == nil && fi.Mode()&os.ModeSymlink != 0 {
			return "", fmt.Errorf("%w: %s is a link", ErrRefConflict, dir)
		}
	}
	return filepath.Join(r.CommonDir, filepath.FromSlash(name)), nil
}

// lockRef takes the lock, and tells a lock that cannot exist (a reference where a directory is needed) from one that is held.
func (r *Repo) lockRef(name string, take func() (*Lock, error)) (*Lock, error) {
	l, err := take()
	if err == nil || errors.Is(err, ErrLocked) {
		return l, err
	}
	for dir := parentRef(name); dir != "refs" && dir != ""; dir = parentRef(dir) {
		fi, e := os.Lstat(filepath.Join(r.CommonDir, filepath.FromSlash(dir)))
		if e == nil && !fi.IsDir() {
			return nil, fmt.Errorf("%w: %s", ErrRefConflict, dir)
		}
	}
	return nil, err
}

// checkRef compares the present value with the expected one while the lock is held.
func (r *Repo) checkRef(name, path string, want Hash) error {
	have, err := r.rawRef(name, path)
	switch {
	case err != nil:
		return err
	case have == want:
		return nil
	case want.IsZero():
		return ErrRefExists
	}
	return ErrRefMoved
}

var errDamagedFile = errors.New("its file is damaged")

// rawRef reads a reference past all caches: the loose file, then packed-refs. Zero means that there is none.
func (r *Repo) rawRef(name, path string) (Hash, error) {
	b, err := readSmall(path)
	if err == nil {
		s := strings.TrimSpace(string(b))
		if strings.HasPrefix(s, "ref:") {
			return Hash{}, ErrSymbolic
		}
		h, ok := ParseHash(s)
		if !ok {
			return Hash{}, errDamagedFile
		}
		return h, nil
	}
	packed, err := r.packedFile()
	if err != nil {
		return Hash{}, err
	}
	// A name stands between a blank and a line end; neither can be part of one.
	i := bytes.Index(packed, []byte(" "+name+"\n"))
	if n := 2 * r.hashSize; i >= n {
		if h, ok := ParseHash(string(packed[i-n : i])); ok {
			return h, nil
		}
	}
	return Hash{}, nil
}

// packedFile is read past the cache: somebody may have packed references since.
func (r *Repo) packedFile() ([]byte, error) {
	b, _, err := disk.ReadFile(filepath.Join(r.CommonDir, "packed-refs"), maxPackedRefs)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// refConflict looks for a reference `a` when `a/b` is to be made, and for `a/b` when it is `a`, loose and packed.
func (r *Repo) refConflict(name, path string) error {
	packed, err := r.packedFile()
	if err != nil {
		return err
	}
	if bytes.Contains(packed, []byte(" "+name+"/")) {
		return fmt.Errorf("%w: %s/…", ErrRefConflict, name)
	}
	for dir := parentRef(name); dir != "refs" && dir != ""; dir = parentRef(dir) {
		if bytes.Contains(packed, []byte(" "+dir+"\n")) {
			return fmt.Errorf("%w: %s", ErrRefConflict, dir)
		}
	}
	if fi, err := os.Lstat(path); err == nil && fi.IsDir() {
		// git leaves empty directories behind when it deletes or packs references, and removes them when they are in the way.
		removeEmptyDirs(path)
		if fileExists(path) {
			return fmt.Errorf("%w: %s/…", ErrRefConflict, name)
		}
	}
	return nil
}

// removeEmptyDirs removes a tree that holds nothing but directories; os.Remove refuses the rest.
func removeEmptyDirs(dir string) {
	subs, _ := os.ReadDir(dir)
	for _, d := range subs {
		if !d.IsDir() {
			return
		}
		removeEmptyDirs(filepath.Join(dir, d.Name()))
	}
	os.Remove(dir)
}

func parentRef(name string) string {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return ""
	}
	return name[:i]
}

// validRef checks a name by the rules of git-check-ref-format, for names below refs/.
func validRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") || strings.HasSuffix(name, "/") || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.Contains(name, "//") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return c <= ' ' || c == 0x7f || strings.ContainsRune("~^:?*[\\", c)
	})
}
