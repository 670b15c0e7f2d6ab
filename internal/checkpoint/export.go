package checkpoint

import (
	"archive/tar"
	"fmt"
	"io"
	"slices"

	"github.com/modu-ai/moai/internal/repo"
)

// Export writes the files of a checkpoint as a tar archive, for a place that has no repository. Nested repositories are left out.
func Export(w io.Writer, r *repo.Repo, c *Checkpoint) error {
	t := tar.NewWriter(w)
	var failed error
	links := map[string]bool{}
	err := files(r, c.Tree, func(path string, s Side) {
		// The walk cannot be ended from here; after a failure it is only gone through.
		if failed != nil || s.Mode == repo.ModeGitlink {
			return
		}
		// A stranger may have made the tree, and not every program that unpacks archives looks where it writes: neither a name nor a
		// link that stands where another name has a folder may lead elsewhere.
		if !safePath(path) || slices.ContainsFunc(parents(path), func(d string) bool { return links[d] }) {
			failed = fmt.Errorf("export %q: its name is not safe", path)
			return
		}
		if s.Mode == repo.ModeLink {
			links[path] = true
		}
		if failed = exportFile(t, r, c, path, s); failed != nil {
			failed = fmt.Errorf("export %q: %w", path, failed)
		}
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return t.Close()
}

func exportFile(t *tar.Writer, r *repo.Repo, c *Checkpoint, path string, s Side) error {
	rc, size, err := r.OpenBlob(s.Hash)
	if err != nil {
		return err
	}
	defer rc.Close()
	// The time of the checkpoint stands for that of each file, which git does not keep. PAX takes names of any length and script.
	h := &tar.Header{Name: path, Mode: int64(s.Mode & 0o777), ModTime: c.Time, Size: size, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
	if perm, ok := c.perm(path, s, true); ok {
		h.Mode = int64(perm)
	}
	if s.Mode == repo.ModeLink {
		// No system follows a longer target.
		target, err := io.ReadAll(io.LimitReader(rc, 4096))
		if err != nil {
			return err
		}
		h.Typeflag, h.Linkname, h.Size, h.Mode = tar.TypeSymlink, string(target), 0, 0o777
		return t.WriteHeader(h)
	}
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.Copy(t, rc)
	return err
}
