package checkpoint

import (
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/repo"
)

// Copies are files that Git ignores as the vault of a snapshot has them: each path with a mark of its content and permissions, which begins
// with the SHA-256 of the content.
type Copies map[string]string

// CopiesOf reads those of a snapshot by its commit: none for a zero one, and where they are not here any more.
func CopiesOf(r *repo.Repo, vaultDir string, h repo.Hash) Copies {
	out := Copies{}
	if h.IsZero() {
		return out
	}
	files, err := readVault(filepath.Join(vaultHome(r, vaultDir), h.String()))
	if err != nil {
		return out
	}
	for i := range files {
		if f := &files[i]; !f.Mode.IsDir() {
			out[f.Path] = f.Sum + f.Link + modeMark(f.Mode, f.Link != "")
		}
	}
	return out
}

// EmptyOf lists the folders in which nothing was, of those that Git ignores, as the vault of a snapshot has them.
func EmptyOf(r *repo.Repo, vaultDir string, h repo.Hash) (out []string) {
	if h.IsZero() {
		return nil
	}
	files, err := readVault(filepath.Join(vaultHome(r, vaultDir), h.String()))
	if err != nil {
		return nil
	}
	for i := range files {
		if f := &files[i]; f.Mode.IsDir() && f.Size == 0 {
			out = append(out, f.Path)
		}
	}
	return out
}

// CopyFolder is the mark of a folder.
const CopyFolder = "a directory"

// CopyNow is the mark of what is at a path now, "" where nothing is.
func CopyNow(r *repo.Repo, path string) string {
	fi, err := lstat(r, path)
	switch {
	case err != nil:
		return ""
	case fi.IsDir():
		return CopyFolder
	}
	return fileSum(r.Path(path), fi) + modeMark(fi.Mode(), fi.Mode()&os.ModeSymlink != 0)
}

// modeMark tells permissions apart where a copy has them.
func modeMark(mode os.FileMode, link bool) string {
	if link || !hasPermissions {
		return ""
	}
	return " " + mode.Perm().String()
}
