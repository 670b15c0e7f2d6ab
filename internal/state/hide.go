package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// hidden are the patterns for what moai keeps below a project's .moai, and for the file that says so.
const hidden = "/.gitignore\n/checkpoints.log*\n/.cache/\n"

// Hide keeps what moai itself writes into dir, a project's .moai, out of what Git shows: nobody wants to commit
// it, and a checkpoint that held its own log would differ from the one before. The file hides itself too, so that
// nothing of the project changes; one that the project has is left as it is. That it cannot be written is no
// reason not to keep what matters more, so no error is returned.
func Hide(dir string) {
	name := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(name); err == nil {
		return
	}
	// Half of it, left by a process that was killed, would show what it is to hide, and would never be filled. Where there is a place that
	// Git does not show, it is made whole there first.
	git := filepath.Join(filepath.Dir(dir), ".git")
	if fi, err := os.Lstat(git); err == nil && fi.IsDir() {
		whole := filepath.Join(git, "moai-hides-"+strconv.Itoa(os.Getpid()))
		made := create(whole)
		if made == nil {
			made = os.Link(whole, name)
		}
		_ = os.Remove(whole)
		if made == nil || errors.Is(made, fs.ErrExist) {
			return
		}
	}
	_ = create(name)
}

// create writes the patterns into a new file: never through a link, and never over what is there.
func create(name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(hidden)
	return errors.Join(err, f.Close())
}
