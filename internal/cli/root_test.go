package cli

import (
	"bytes"
	"io"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/kit"
)

// TestOneVerb shows that the tree made for one verb is that part of the whole
// tree: same commands, flags and help, and the name in the list is its own.
func TestOneVerb(t *testing.T) {
	quiet := &env{in: strings.NewReader(""), out: io.Discard, err: io.Discard, dir: t.TempDir(), getenv: func(string) string { return "" }}
	whole := newRoot(quiet, nil)
	for i := range verbs {
		name := verbs[i].name
		want, _, err := whole.Find([]string{name})
		if err != nil || want.Name() != name {
			t.Fatalf("the whole tree has no %q", name)
		}
		alone := newRoot(quiet, []string{name})
		got, _, err := alone.Find([]string{name})
		if err != nil || len(alone.Commands()) != 1 {
			t.Fatalf("newRoot(%q) made %d commands, %v; want one", name, len(alone.Commands()), err)
		}
		if diff := cmp.Diff(outline(want), outline(got)); diff != "" {
			t.Errorf("%s alone differs from %s in the whole tree:\n%s", name, name, diff)
		}
	}
}

// Where the working folder was removed a verb has nothing to be about; hook is told by the client where it is,
// and must judge all the same.
func TestFolderGone(t *testing.T) {
	run := func(in string, args ...string) (out, errs string, code int) {
		var o, w bytes.Buffer
		code = Run(args, &env{in: strings.NewReader(in), out: &o, err: &w, dir: ".", getenv: func(string) string { return "" }})
		return o.String(), w.String(), code
	}
	for _, args := range [][]string{{"detect"}, {"risk", "allow", "git.push-force", "--reason", "x"}, {"checkpoint", "list"}} {
		if _, errs, code := run("", args...); code != exitNo || !strings.Contains(errs, "the folder in which this runs is gone") {
			t.Errorf("moai %s = %d, %q; want %d and that the folder is gone", args, code, errs, exitNo)
		}
	}
	for _, args := range [][]string{{"version"}, {"risk", "--help"}, {"help"}} {
		if _, errs, code := run("", args...); code != exitDone {
			t.Errorf("moai %s = %d, %q; want an answer, which needs no folder", args, code, errs)
		}
	}
	if _, errs, code := run(`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`, "hook", "pre-tool"); code != 2 {
		t.Errorf("hook = %d, %q; want the refusal of rm -rf /", code, errs)
	}
}

// outline is every help text of a command and of those below it.
func outline(c *cobra.Command) string {
	var b bytes.Buffer
	b.WriteString(c.CommandPath() + "\n" + c.UsageString())
	for _, sub := range c.Commands() {
		b.WriteString(outline(sub))
	}
	return b.String()
}

// Help fits a terminal of a hundred columns.
func TestHelpWidth(t *testing.T) {
	e := &env{in: strings.NewReader(""), out: io.Discard, err: io.Discard, dir: t.TempDir(), getenv: func(string) string { return "" }}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		var text bytes.Buffer
		c.SetOut(&text)
		kit.Must(t, c.Help())
		for line := range strings.Lines(text.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(newRoot(e, []string{"help"}))
}

// BenchmarkTree is what a small question pays for its commands.
func BenchmarkTree(b *testing.B) {
	e := &env{in: strings.NewReader(""), out: io.Discard, err: io.Discard, dir: b.TempDir(), getenv: func(string) string { return "" }}
	for _, row := range []struct {
		name string
		args []string
	}{{"one", []string{"version"}}, {"all", []string{"help"}}} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				root := newRoot(e, row.args)
				root.SetArgs(row.args)
				if err := root.Execute(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A clone's settings may set variables for all hooks: those of Go's runtime must not slow them down.
func TestOwnMemory(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	defer func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}()
	for _, name := range []string{"GOMEMLIMIT", "GOGC"} {
		debug.SetMemoryLimit(1 << 20)
		debug.SetGCPercent(1)
		ownMemory(func(k string) string { return map[string]string{name: "1"}[k] })
		if limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100); limit != math.MaxInt64 || percent != 100 {
			t.Errorf("with %s: limit %d, percent %d", name, limit, percent)
		}
	}
}
