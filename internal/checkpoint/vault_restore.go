package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/repo"
)

// vault plans what comes back from the vault: files that are missing or differ. What they replace goes into the vault of the
// safety checkpoint.
func (p *Plan) vault(r *repo.Repo) error {
	dir := filepath.Join(vaultHome(r, p.Options.VaultDir), p.Checkpoint.Commit.String())
	files, err := readVault(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if !within(f.Path, p.Paths) {
			continue
		}
		fi, err := os.Lstat(r.Path(f.Path))
		// A folder may hold things that no checkpoint has: nothing is removed for the sake of one file.
		if err == nil && fi.IsDir() {
			p.Blocked = append(p.Blocked, Skip{Path: f.Path, Why: "a directory is in its place"})
			continue
		}
		if err == nil {
			// One of the two is empty: a file has a sum, a link a target.
			if fileSum(r.Path(f.Path), fi) == f.Sum+f.Link {
				continue
			}
			p.overwritten = append(p.overwritten, f.Path)
		}
		p.Vault = append(p.Vault, f.Path)
	}
	return nil
}

// fileSum is the SHA-256 of a file, or a link's target.
func fileSum(path string, fi fs.FileInfo) string {
	if fi.Mode()&fs.ModeSymlink != 0 {
		t, _ := os.Readlink(path)
		return t
	}
	f, _, err := openPlain(os.OpenFile, path)
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
	var errs []error
	for _, f := range files {
		if !slices.Contains(p.Vault, f.Path) {
			continue
		}
		// It may have grown past the vault's limits since. Nothing is overwritten that was not saved.
		if slices.Contains(p.overwritten, f.Path) && !slices.Contains(w.res.Safety.Vaulted, f.Path) {
			errs = append(errs, fmt.Errorf("%s: what is there now could not be saved first", f.Path))
			continue
		}
		if err := w.vaultFile(dir, f); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.Path, err))
			continue
		}
		w.res.Vault = append(w.res.Vault, f.Path)
	}
	return errors.Join(errs...)
}

func (w *restorer) vaultFile(dir string, f vaultFile) error {
	// The folder may have gone with the file, as with `git clean -fdx`.
	if err := w.makeParents(f.Path); err != nil {
		return err
	}
	name := filepath.FromSlash(f.Path)
	tmp := w.temp(name)
	err := func() error {
		if f.Link != "" {
			return w.root.Symlink(f.Link, tmp)
		}
		in, _, err := openPlain(os.OpenFile, filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		defer in.Close()
		// Nobody else may read a secret, not even while it is being written.
		out, err := w.root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
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
