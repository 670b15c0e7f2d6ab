package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
	"github.com/modu-ai/moai/internal/when"
)

// unproven lists the doubts about the work here: tests that failed on the files as they are, and files that no verifier saw before the turn ended.
func (e *env) unproven(root string, sessions []sessionJSON) (list []statusConcern) {
	if r, name := e.filesHere(root); name != "" {
		if last := receipt.Find(e.stateDir(), r.WorkTree, receipt.Test, name); last.Red() {
			list = append(list, statusConcern{"the tests failed on the files as they are, " + when.Ago(time.Since(last.At)) + ": " + last.Command, "moai test --last"})
		}
	}
	for i := range sessions {
		id := sessions[i].ID
		s := verify.Read(e.stateDir(), id)
		if s == nil || s.Last == nil || len(s.Last.Files) == 0 || strings.HasSuffix(s.Last.Why, verify.NoVerifier) { // where no verifier is installed, the end of the turn has said so
			continue
		}
		v, err := e.verifyView(id)
		if err != nil {
			continue
		}
		if waiting := v.waiting(); waiting > 0 {
			short := session.Short(id)
			list = append(list, statusConcern{fmt.Sprintf("nobody has looked at %s of session %s", term.Count(waiting, "file"), short), "moai verify status --session " + short})
		}
	}
	return list
}

// waiting counts the files that wait for a look.
func (v *verifyView) waiting() (n int) {
	for i := range v.Files {
		if v.Files[i].State == stateUnverified {
			n++
		}
	}
	return n
}

// looksLeft notes after files went back how many of those wait that the end of a turn has told of, for the line below the prompt.
func (e *env) looksLeft(root string) {
	for _, id := range verify.At(e.stateDir(), root) {
		v, err := e.verifyView(id)
		if err != nil {
			continue
		}
		// Where it cannot be kept, the line says what it said before.
		_ = verify.Change(e.stateDir(), id, root, time.Now(), func(s *verify.State) bool {
			left := v.waiting()
			if s.Last == nil || s.Last.Open == left {
				return false
			}
			s.Last.Open = left
			return true
		})
	}
}
