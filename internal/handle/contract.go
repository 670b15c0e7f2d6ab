package handle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/term"
)

// mostSettings bounds a project's settings file, in bytes.
const mostSettings = 256 << 10

// promised says on standard error and in the journal what of the surroundings is not as a hook is promised. A session's start asks,
// and no other event: that is once, and costs no call anything.
func (h *Handlers) promised(ctx context.Context, e *hook.Event) {
	var errs []error
	if err := hook.Check(ctx, e); err != nil {
		errs = append(errs, err)
	}
	if dir := h.Getenv("CLAUDE_PROJECT_DIR"); dir != "" && !isDir(dir) {
		errs = append(errs, fmt.Errorf("CLAUDE_PROJECT_DIR is %s, which is no directory", dir))
	}
	if err := h.settingsRead(root(e)); err != nil {
		errs = append(errs, err)
	}
	if len(errs) == 0 {
		return
	}
	text := term.Clip(term.Text(strings.Join(strings.Split(errors.Join(errs...).Error(), "\n"), "; ")), 500)
	h.Log.Warn("not as promised", "err", text)
	h.note(e, text, types.ContractBroken{Cause: text})
}

// isDir reports whether a path is that of a folder, from the root of its file system.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return filepath.IsAbs(path) && err == nil && info.IsDir()
}

// settingsRead says what is wrong with the project's own settings in JSON. Whoever wrote them believes that they count.
func (h *Handlers) settingsRead(dir string) error {
	if h.Tables.Languages == nil {
		return nil
	}
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil // no folder at all is said by others
	}
	defer top.Close()
	for _, name := range h.Tables.Languages().Projects.Files {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		data, _, err := disk.ReadRegular(top.OpenFile, filepath.FromSlash(name), 0, mostSettings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", name, err)
		}
		var any json.RawMessage
		var at *json.SyntaxError
		if err := json.Unmarshal(data, &any); errors.As(err, &at) {
			line := 1 + strings.Count(string(data[:min(int(at.Offset), len(data))]), "\n")
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return nil
}
