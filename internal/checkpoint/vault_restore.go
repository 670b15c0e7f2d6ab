package checkpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// vault plans what comes back from the vault: files that are missing or differ. What they replace goes into the vault of the
// safety checkpoint. Its folders are added to those of the checkpoint.
func (p *Plan) vault(r *repo.Repo, s *snapshot) error {
	dir := filepath.Join(vaultHome(r, p.Options.VaultDir), p.Checkpoint.Commit.String())
	files, err := readVault(dir)
	// Most checkpoints have none, and that of another machine is not here. What the snapshot itself holds comes back in any case.
	if err != nil {
		files = nil
	}
	p.uncopied(files)
	for _, f := range files {
		// A restore of some paths leaves secrets elsewhere as they are.
		if !within(f.Path, p.Paths) {
			continue
		}
		if f.Mode.IsDir() {
			p.Checkpoint.Folders.add(f)
			continue
		}
		above, held := p.roomAbove(r, s, f.Path)
		if !held {
			p.Blocked = append(p.Blocked, Skip{Path: f.Path, Why: above[0].Path + " is not a directory", InWay: above[0].Path})
			continue
		}
		fi, err := lstat(r, f.Path)
		// A folder may hold things that no checkpoint has: those are not removed for the sake of one file.
		inside := above
		if err == nil && fi.IsDir() {
			if inside, held = allHeld(r, s, f.Path); !held {
				p.Blocked = append(p.Blocked, Skip{Path: f.Path, Why: "a directory is in its place", InWay: f.Path})
				continue
			}
		} else if err == nil {
			// One of the two is empty: a file has a sum, a link a target.
			if fileSum(r.Path(f.Path), fi) == f.Sum+f.Link && (f.Link != "" || !hasPermissions || fi.Mode().Perm() == f.Mode) {
				p.Delete = slices.DeleteFunc(p.Delete, func(c Change) bool { return c.Path == f.Path }) // git has it by now, as it was
				p.Keep = slices.DeleteFunc(p.Keep, func(path string) bool { return path == f.Path })
				continue
			}
			p.overwritten = append(p.overwritten, f.Path)
		}
		if f.Link == "" && !f.whole(dir) {
			p.overwritten = slices.DeleteFunc(p.overwritten, func(path string) bool { return path == f.Path })
			p.Blocked = append(p.Blocked, Skip{Path: f.Path, Why: errDamagedCopy.Error()})
			continue
		}
		p.Vault, p.room = append(p.Vault, f.Path), append(p.room, inside...)
	}
	p.makeRoom()
	return nil
}

// roomAbove is the file or link that stands where a folder above a path has to be, if any; ok is false where the safety checkpoint would not hold it.
func (p *Plan) roomAbove(r *repo.Repo, s *snapshot, path string) (list []Change, ok bool) {
	above := inTheWay(r, path)
	if above == "" || slices.ContainsFunc(p.Delete, func(c Change) bool { return c.Path == above }) {
		return nil, true
	}
	is, err := lookup(s.readTree, s.tree, above)
	return []Change{{Path: above, Old: is}}, err == nil && is.Mode != 0 && is.Mode != repo.ModeGitlink && !skipped(s.skipped, above)
}

// allHeld lists the files in a folder; ok is false where the safety checkpoint would not hold all of them.
func allHeld(r *repo.Repo, s *snapshot, dir string) (list []Change, ok bool) {
	err := filepath.WalkDir(r.Path(dir), func(full string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(r.WorkTree, full)
		if err != nil {
			return err
		}
		p := filepath.ToSlash(rel)
		is, err := lookup(s.readTree, s.tree, p)
		if err == nil && (is.Mode == 0 || skipped(s.skipped, p) || len(list) == VaultFiles) {
			err = errMoved
		}
		list = append(list, Change{Path: p, Old: is})
		return err
	})
	return list, err == nil
}

// makeRoom plans that what stands where the vault's files come goes.
func (p *Plan) makeRoom() {
	for _, c := range p.room {
		same := func(other Change) bool { return other.Path == c.Path }
		if p.Write = slices.DeleteFunc(p.Write, same); !slices.ContainsFunc(p.Delete, same) {
			p.Delete = append(p.Delete, c)
		}
		p.Keep = slices.DeleteFunc(p.Keep, func(path string) bool { return path == c.Path })
	}
	p.Keep = slices.DeleteFunc(p.Keep, func(path string) bool { return slices.Contains(p.Vault, path) }) // git has them by now, in another form
}

// vaultAlone plans what brings back ignored files and leaves all that Git has as it is.
func (p *Plan) vaultAlone(ctx context.Context, r *repo.Repo) error {
	s, err := take(ctx, r, r.NewWriter(repo.WriteOptions{DryRun: true}), p.safety())
	if err != nil {
		return err
	}
	if err := p.vault(r, s); err != nil {
		return err
	}
	p.unbringFiles(r, s)
	p.tree, p.stale = s.tree, s.stale
	return nil
}

// inTheWay is what stands where a folder above a path has to be, "" where nothing does. A link is no folder: what it leads to is not the
// work tree's.
func inTheWay(r *repo.Repo, path string) string {
	for _, d := range parents(path) {
		if fi, err := os.Lstat(r.Path(d)); err == nil && !fi.IsDir() {
			return d
		}
	}
	return ""
}

var errDamagedCopy = errors.New("its copy in the vault is damaged or gone")

// uncopied names the files that the checkpoint says were copied, and that the vault does not have.
func (p *Plan) uncopied(files []vaultFile) {
	have := make(map[string]bool, len(files))
	for _, f := range files {
		have[f.Path] = true
	}
	for _, path := range p.Checkpoint.Vaulted {
		if !have[path] && within(path, p.Paths) {
			p.Blocked = append(p.Blocked, Skip{Path: path, Why: errDamagedCopy.Error()})
		}
	}
}

// fileSum is the SHA-256 of a file, or a link's target.
func fileSum(path string, fi fs.FileInfo) string {
	if fi.Mode()&fs.ModeSymlink != 0 {
		t, _ := os.Readlink(path)
		return t
	}
	f, _, err := disk.OpenRegular(os.OpenFile, path, disk.NoFollow)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// vault copies planned files back, with the permissions they had.
func (w *restorer) vault(p *Plan) error {
	dir := filepath.Join(vaultHome(w.r, p.Options.VaultDir), p.Checkpoint.Commit.String())
	files, err := readVault(dir)
	if err != nil {
		return err
	}
	saved, err := readVault(filepath.Join(vaultHome(w.r, p.Options.VaultDir), w.res.Safety.Commit.String()))
	if err != nil && !disk.Absent(err) {
		return err
	}
	var errs []error
	for _, f := range files {
		if !slices.Contains(p.Vault, f.Path) {
			continue
		}
		err := w.replaceable(f, saved)
		if err == nil {
			err = w.vaultFile(dir, f)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.Path, err))
			continue
		}
		w.res.Vault = append(w.res.Vault, f.Path)
	}
	return errors.Join(errs...)
}

// replaceable is nil when nothing is lost with what stands at the path of f: saved is the vault of the safety checkpoint. A person
// was asked since the plan was made, which takes time.
func (w *restorer) replaceable(f vaultFile, saved []vaultFile) error {
	fi, err := w.root.Lstat(filepath.FromSlash(f.Path))
	if disk.Absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	now := fileSum(w.r.Path(f.Path), fi)
	if now != "" && now == f.Sum+f.Link {
		return nil
	}
	i := slices.IndexFunc(saved, func(s vaultFile) bool { return s.Path == f.Path })
	switch {
	case slices.ContainsFunc(w.res.Safety.Skipped, func(s Skip) bool { return s.Path == f.Path }):
		return errors.New("what is there now could not be saved first") // it has grown past the vault's limits
	case i < 0 || now == "" || now != saved[i].Sum+saved[i].Link:
		return errMoved
	}
	return nil
}

func (w *restorer) vaultFile(dir string, f vaultFile) error {
	// The folder may have gone with the file, as with `git clean -fdx`.
	if err := w.makeParents(f.Path); err != nil {
		return err
	}
	name := filepath.FromSlash(f.Path)
	if fi, err := w.root.Lstat(name); err == nil && fi.IsDir() { // empty by now, or this fails
		if err := w.root.Remove(name); err != nil {
			return err
		}
	}
	tmp := w.temp(name)
	err := func() error {
		// A link comes back as it was, also where it leads out of the work tree: nothing is written through it.
		if f.Link != "" {
			return w.root.Symlink(f.Link, tmp)
		}
		// Nobody else may read a secret, not even while it is being written.
		out, err := w.root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		sum := sha256.New()
		err = f.copyTo(io.MultiWriter(out, sum), dir)
		if err == nil && hex.EncodeToString(sum.Sum(nil)) != f.Sum {
			err = errDamagedCopy
		}
		return errors.Join(err, out.Chmod(f.Mode.Perm()), out.Close())
	}()
	if err == nil {
		err = w.root.Rename(tmp, name)
	}
	if err != nil {
		_ = w.root.Remove(tmp)
	}
	return err
}
