package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/term"
)

func TestCard(t *testing.T) {
	p := &project{
		language: "Python 3.12", languageID: "python", branch: "feature/카드", commit: "1a2b3c4", changes: 3,
		specs: spec.Counts{Completed: 15, Folders: 23}, saved: []string{"checkpoint/before-rm-20261121-101500", "checkpoint/before-merge-20261120-090000"},
	}
	want := `🏗️ MoAI-ADK Project Info
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
📦 Language: Python 3.12
🌿 Branch: feature/카드 (1a2b3c4)
✏️ Changes: 3 files
📝 SPEC Progress: 15/23 (65%)
⏰ Last Checkpoint: checkpoint/before-rm-20261121-101500
                    checkpoint/before-merge-20261120-090000
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━`
	if got := p.card(false); got != want {
		t.Errorf("card =\n%s\nwant\n%s", got, want)
	}
}

func TestCardLinesWithNothingToSayAreLeftOut(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    project
		want []string
	}{
		{"empty folder", project{}, []string{"Unknown Language"}},
		{"language only", project{language: "Go 1.26"}, []string{"📦 Language: Go 1.26"}},
		{"unborn", project{branch: "main (no commits yet)"}, []string{"🌿 Branch: main (no commits yet)"}},
		{"declined", project{declined: "reftable storage"}, []string{"🌿 Branch: not shown: reftable storage; no snapshot can be taken"}},
		{
			"somebody else's",
			project{declined: "it is owned by somebody else", remedy: "to trust it: git config --global --add safe.directory " + strings.Repeat("/long", 20)},
			[]string{"🌿 Branch: not shown: it is owned by somebody else; no snapshot can be taken", "   to trust it: git config --global --add safe.directory " + strings.Repeat("/long", 20)},
		},
		{
			"long reason",
			project{branch: "main", changes: 2, unknown: "staged changes are not known: " + strings.Repeat("reason ", 10) + "end; " + strings.Repeat("/path", 22) + " is missing"},
			[]string{
				"🌿 Branch: main",
				"✏️ Changes: 2 files; staged changes are not known: reason reason reason reason reason reason reason",
				"            reason reason reason end;",
				"            " + strings.Repeat("/path", 22),
				"            is missing",
			},
		},
		{"no objects", project{branch: "main", changes: 2, unknown: "staged changes are not known"}, []string{"🌿 Branch: main", "✏️ Changes: 2 files; staged changes are not known"}},
		{"clean, no SPECs", project{language: "Go", branch: "main", commit: "abc"}, []string{"📦 Language: Go", "🌿 Branch: main (abc)"}},
	} {
		lines := strings.Split(tt.p.card(false), "\n")
		if got := lines[2 : len(lines)-1]; strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: lines %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCardInASCII(t *testing.T) {
	p := &project{language: "Go 1.26", branch: "작업", commit: "abc", saved: []string{"one", "two"}}
	got := p.card(true)
	for _, r := range got {
		if r > 0x7e {
			t.Fatalf("ASCII card holds %q:\n%s", r, got)
		}
	}
	if !strings.Contains(got, "\nLast Checkpoint: one\n                 two\n") {
		t.Errorf("checkpoints do not line up:\n%s", got)
	}
	// People read how old they are; the oldest source has the names.
	p.ages = []string{"5 minutes ago (rm)"}
	if got, named := p.card(true), p.named(true); !strings.Contains(got, "\nLast Checkpoint: 5 minutes ago (rm)\n") || strings.Contains(got, "one") || !strings.Contains(named, "\nLast Checkpoint: one\n") {
		t.Errorf("card:\n%s\nnamed:\n%s", got, named)
	}
}

func TestCardIsCut(t *testing.T) {
	p := &project{branch: strings.Repeat("가", 200), commit: "abc"}
	for line := range strings.Lines(p.card(false)) {
		if w := term.Width(line); w > maxWidth {
			t.Errorf("line is %d columns wide: %s", w, line)
		}
	}
}

func TestStartedIsTheOldText(t *testing.T) {
	p := &project{language: "Python 3.12", languageID: "python", branch: "main", commit: "1a2b3c4", changes: 2, specs: spec.Counts{Completed: 1, Folders: 3}}
	want := "🚀 MoAI-ADK Session Started\nLanguage: python\nGit: main @ 1a2b3c4\nChanges: 2 files\nSPECs: 1/3 (33%)"
	if got := p.started(); got != want {
		t.Errorf("started = %q, want %q", got, want)
	}
	if got, want := (&project{}).started(), "🚀 MoAI-ADK Session Started\nLanguage: Unknown Language"; got != want {
		t.Errorf("started of nothing = %q, want %q", got, want)
	}
}

// What was dropped leaves the total of the card, and is in that of the old text, which counts folders.
func TestDroppedSpecsLeaveTheTotal(t *testing.T) {
	p := &project{specs: spec.Counts{Completed: 435, Folders: 628, Dropped: 41, Rest: []spec.Rest{{Name: "implemented", Count: 140}}}}
	if got, want := p.card(true), "SPEC Progress: 435/587 (74%), 140 implemented, 41 dropped"; !strings.Contains(got, want) {
		t.Errorf("card = %s\nwant a line %s", got, want)
	}
	if got, want := p.started(), "SPECs: 435/628 (69%)"; !strings.Contains(got, want) {
		t.Errorf("started = %s\nwant a line %s", got, want)
	}
	if got, want := p.facts(), "SPECs completed: 435 of 587, 140 implemented."; !strings.Contains(got, want) {
		t.Errorf("facts = %s\nwant %s", got, want)
	}
}

// What is under way, how far the branch is from its upstream, and what could not be counted belong to the lines they are about.
func TestCardOfWorkUnderWay(t *testing.T) {
	p := &project{branch: "feature", commit: "abc", operation: "rebase", ahead: 2, behind: 1, changes: 3, partial: true, unknown: "time ran out…"}
	want := "Branch: feature (abc), rebase in progress, 2 ahead, 1 behind\nChanges: at least 3 files; time ran out..."
	if got := p.card(true); !strings.Contains(got, want) {
		t.Errorf("card =\n%s\nwant lines\n%s", got, want)
	}
	want = "Project facts from moai: Git branch: feature (abc), rebase in progress, 2 ahead, 1 behind, at least 3 files changed; not all changes are known."
	if got := p.facts(); got != want {
		t.Errorf("facts = %s\nwant %s", got, want)
	}
}

func TestFacts(t *testing.T) {
	p := &project{language: "Go 1.26", known: []string{"Go 1.26 (code)", "test: go test ./..."}, branch: "main", commit: "abc", changes: 1, specs: spec.Counts{Completed: 2, Folders: 5}}
	want := "Project facts from moai:\nGo 1.26 (code)\ntest: go test ./...\nGit branch: main (abc), 1 file changed. SPECs completed: 2 of 5."
	if got := p.facts(); got != want {
		t.Errorf("facts = %q, want %q", got, want)
	}
	p = &project{known: []string{"Helm (infrastructure)"}}
	if got := p.facts(); got != "Project facts from moai:\nHelm (infrastructure)" {
		t.Errorf("facts = %q", got)
	}
	if got := (&project{}).facts(); got != "" {
		t.Errorf("facts of nothing = %q", got)
	}
}

// Versions and branches are texts of the repository, which need not come from Git, and
// the card goes to a terminal.
func TestCardObeysNoEscapeCodes(t *testing.T) {
	h, dir := testHandlers(t, nil)
	h.Tables.Languages = func() *lang.Table { return &languages.Table }
	kit.Write(t, filepath.Join(dir, "a.py"), strings.Repeat("x = 1\n", 100)) // more of it than of Go
	kit.Write(t, filepath.Join(dir, ".python-version"), "3.12\x1b[31m\n")
	kit.Write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/\x1b[31mred\n")
	p := h.look(context.Background(), dir)
	for _, text := range []string{p.card(false), p.facts(), p.started(), fmt.Sprint(p.data())} {
		if strings.Contains(text, "\x1b") || !strings.Contains(text, "red") && !strings.Contains(text, "python") {
			t.Errorf("%q holds an escape code, or nothing of the repository", text)
		}
	}
}
