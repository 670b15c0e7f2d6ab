package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// isCheckpoint reports the names under which checkpoints are kept:
// hidden references, or branches where the user wants to see them.
func isCheckpoint(ref string) bool {
	ref = strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/")
	return strings.HasPrefix(ref, "moai/") || strings.HasPrefix(ref, "checkpoint/")
}

// publishesCheckpoints reports a refspec of git push whose source is a
// checkpoint, or a pattern that takes some along: refspecs that begin with ^ leave out what they name.
func (m *match) publishesCheckpoints() bool {
	without := func(all string) bool { return m.anyOperand(func(s string) bool { return s == "^"+all }) }
	left := without("refs/heads/checkpoint/*") // the branches of checkpoints
	return m.anyOperand(func(refspec string) bool {
		source, _, _ := strings.Cut(strings.TrimPrefix(refspec, "+"), ":")
		switch {
		case isCheckpoint(source):
			return true
		case !strings.Contains(source, "*"), strings.HasPrefix(source, "^"), strings.HasPrefix(source, "refs/tags/"):
			return false
		}
		return !left || !strings.HasPrefix(source, "refs/heads/") && !without("refs/moai/*")
	})
}

// listsCheckpoints reports a deletion of references that come from elsewhere
// than the line's own words. Branches are only in doubt where the line speaks of
// checkpoints: branch -d of merged ones is everyday work.
func (m *match) listsCheckpoints() bool {
	k := m.call
	line := m.c.in.Command
	speaks := strings.Contains(line, "refs/moai") || strings.Contains(line, "checkpoint/") || strings.Contains(line, "moai/checkpoints")
	if k.given([]string{"--stdin"}) {
		text, known := "", false
		if k.cmd.Stdin != nil {
			text, known = k.cmd.Stdin.Text.Known()
		}
		return speaks || !known || strings.Contains(text, "delete")
	}
	if !k.sub("update-ref", nil) && !speaks && !m.listsOwnBranches() {
		return false
	}
	operands := k.operands[min(m.skip, len(k.operands)):]
	for _, i := range operands {
		if k.cmd.Args[i].Kind != shell.Literal {
			return true
		}
	}
	return len(operands) == 0 || k.fuzzy
}

// listsOwnBranches reports branches that go whatever they hold, in a repository which has checkpoints among its branches.
func (m *match) listsOwnBranches() bool {
	in, k := m.c.in, m.call
	if !k.sub("branch", nil) || !k.given([]string{"-D", "--force", "-f"}) || in.Root == "" || !m.c.spend(2*costPlace) {
		return false
	}
	if in.Names != nil {
		if names, _ := in.Names(in.Root + "/.git/refs/heads/checkpoint/before-*"); len(names) > 0 {
			return true
		}
	}
	if in.Source == nil {
		return false
	}
	packed, _ := in.Source(in.Root + "/.git/packed-refs")
	return strings.Contains(packed, " refs/heads/checkpoint/")
}

// movesCheckpoints reports a reference of checkpoints that gets another value or
// name. A checkpoint as the source of something else is fine.
func (m *match) movesCheckpoints() bool {
	k := m.call
	operands := k.operands[min(m.skip, len(k.operands)):]
	if len(operands) == 0 {
		return false
	}
	first := k.cmd.Args[operands[0]].Text
	switch {
	case k.sub("branch", nil):
		return k.given([]string{"-m", "-M", "--move"}) && isCheckpoint(first)
	case k.sub("update-ref", nil), k.sub("symbolic-ref", nil):
		return len(operands) > 1 && isCheckpoint(first)
	}
	return m.anyOperand(func(s string) bool {
		_, to, ok := strings.Cut(s, ":")
		return ok && (isCheckpoint(to) || to == "refs/*" || to == "refs/heads/*" && k.given([]string{"-p", "--prune"}))
	})
}
