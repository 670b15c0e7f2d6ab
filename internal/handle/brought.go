package handle

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/state"
)

// A pull may write over files that Git ignores. The handlers before the call copy these files and tell the user nothing. The handler here runs after the
// call: it compares the files with what they were, and tells the user which of them have changed.

const brings = "brought"

// bringing are files of one work tree that a call may write over, as they were before it.
type bringing struct {
	Tree       string   `json:"tree"`       // the folder
	Checkpoint string   `json:"checkpoint"` // by its short name
	There      string   `json:"there"`      // what leads to it from where the session stands, for a shell
	Files      []string `json:"files"`      // in it
	Stamp      []byte   `json:"stamp"`
}

func (b *bringing) stamp() []byte {
	var list []string
	for _, p := range b.Files {
		list = append(list, filepath.Join(b.Tree, filepath.FromSlash(p)))
	}
	return stamp(list)
}

func (h *Handlers) bringsPath(e *hook.Event) string {
	return state.File(filepath.Join(h.StateDir, brings), e.SessionID+"-"+events.ToolUseID(e))
}

// noteBringing keeps what the files of a checkpoint are before the call.
func (h *Handlers) noteBringing(e *hook.Event, cp *shot) {
	b := bringing{Tree: cp.root, Checkpoint: cp.Brief(), There: cp.there(), Files: cp.Vaulted}
	b.Stamp = b.stamp()
	var list []bringing // of other work trees in the same line
	state.Read(h.bringsPath(e), sessionTTL, &list)
	if err := state.Write(h.bringsPath(e), append(list, b)); err != nil {
		h.Log.Warn("files that a call may write over not noted", "err", err)
	}
}

// brought tells which files that Git ignores a call has written over or taken away.
func (h *Handlers) brought(_ context.Context, e *hook.Event) (a hook.Answer, err error) {
	path := h.bringsPath(e)
	var list []bringing
	if !state.Read(path, sessionTTL, &list) {
		return a, nil
	}
	_ = os.Remove(path)
	for i := range list {
		b := &list[i]
		was, is := bytes.Split(b.Stamp, []byte("\n")), bytes.Split(b.stamp(), []byte("\n"))
		var over []string
		for k, file := range b.Files {
			if k < len(was) && !bytes.Equal(was[k], is[k]) {
				over = append(over, file)
			}
		}
		if len(over) > 0 {
			back := b.There + checkpoint.Way{ID: b.Checkpoint, Vault: true}.String()
			a.System = addSystem(a.System, []string{"this wrote over what Git ignores: " + listed(over, 3) + "; bring it back: " + back})
		}
	}
	return a, nil
}
