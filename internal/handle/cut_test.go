package handle

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/verify"
)

// A hook after a call that is cut off, as on a busy machine, has compared nothing: the end of the turn does it in its place. What is settled is not
// looked at again.
func TestACallWhoseHookIsCutOffIsSettledLater(t *testing.T) {
	for _, cut := range []bool{true, false} {
		h, dir := testHandlers(t, nil)
		h.Tables.Verify = verify.Tables{Agents: &agents.All, Languages: func() *lang.Table { return &languages.Table }}
		repository(t, dir)
		event := func(name string) *hook.Event {
			e := bash(dir, "sh gen.sh")
			e.Name = name
			e.SetFields([]hook.Member{{Name: "tool_use_id", Value: quote("c1")}, {Name: "tool_input", Value: `{"command":"sh gen.sh"}`}, {Name: "tool_response", Value: `{}`}})
			return e
		}
		if _, err := h.track(t.Context(), event("PreToolUse")); err != nil {
			t.Fatal(err)
		}
		kit.Write(t, filepath.Join(dir, "gen.go"), "package gen\n")
		ctx, over := context.WithCancel(t.Context())
		if cut {
			over()
		}
		if _, err := h.track(ctx, event("PostToolUse")); err != nil {
			t.Fatal(err)
		}
		over()
		if kept := verify.Taken(h.StateDir, "s1", "c1") != nil; kept != cut {
			t.Errorf("cut off %t: the picture from before the call is kept: %t", cut, kept)
		}
		stop := event("Stop")
		stop.ToolName = ""
		h.unended(t.Context(), stop)
		s := verify.Read(h.StateDir, "s1")
		if s == nil || !s.Has(filepath.Join(dir, "gen.go")) {
			t.Errorf("cut off %t: the file that the call wrote is not the session's: %+v", cut, s)
		}
	}
}
