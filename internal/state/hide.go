package state

import (
	"os"
	"path/filepath"
)

// hidden are the patterns for what moai keeps below a project's .moai, and for the file that says so.
const hidden = "/.gitignore\n/checkpoints.log*\n/.cache/\n"

// Hide keeps what moai itself writes into dir, a project's .moai, out of what Git shows: nobody wants to commit
// it, and a checkpoint that held its own log would differ from the one before. The file hides itself too, so that
// nothing of the project changes; one that the project has is left as it is. That it cannot be written is no
// reason not to keep what matters more, so no error is returned.
func Hide(dir string) {
	// Never through a link, and never over what is there: both are O_EXCL's.
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return
	}
	_, _ = f.WriteString(hidden)
	_ = f.Close()
}
