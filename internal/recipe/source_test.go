package recipe

import (
	"slices"
	"strings"
	"testing"
)

var mix = Source{Heads: []string{"{}: [", "{}: \"", "{}\": [", "{}\": \""}, Mark: "cmd ", Before: "mix", Always: []string{"compile*"}}

var gradle = Source{Heads: []string{"task {}", "register({}", "{} by tasks.registering"}, Named: true}

func TestSource(t *testing.T) {
	for _, c := range []struct {
		name   string
		source Source
		text   string
		ask    string
		want   []string
	}{
		{"an alias of several rows", mix, "defp aliases do\n  [\n    \"a.b\": [\n      \"test\",\n      \"cmd rm x\"\n    ],\n    c: \"cmd ls\"\n  ]\nend", "a.b", []string{"mix test", "rm x"}},
		{"two on one row", mix, `[a: ["cmd rm x"], c: ["test"]]`, "c", []string{"mix test"}},
		{"what stands in no alias", mix, "x = [\n\"cmd rm x\"\n]", "c", []string{"rm x"}},
		{"what others run", mix, `[compile: ["cmd rm x"]]`, "test", []string{"rm x"}},
		{"a comment", mix, "[\n  # a: [\"cmd rm x\"]\n  b: [\"test\"]\n]", "a", nil},
		{"a variable that holds the task", gradle, "def w = tasks.register(\"a\") {\n  exec \"rm x\"\n}\ntasks.register(\"b\") {\n  dependsOn w\n}", "b", []string{"rm x"}},
		{"a task of a type", gradle, "tasks.register<My<Exec>>(\"a\") {\n  exec(\"rm x\")\n}\ntasks.register<Exec>(\"b\") {\n  exec(\"ls\")\n}", "b", []string{"ls"}},
		{"one that others wait for", gradle, "task a {\n  exec \"rm x\"\n}\nbuild.finalizedBy(a)", "test", []string{"rm x"}},
		{"one given to another at once", gradle, "build.dependsOn(tasks.register(\"a\") {\n  exec(\"rm x\")\n})", "test", []string{"rm x"}},
		{"a dotted one", gradle, "val a by tasks.registering(Exec::class) {\n  exec(\"rm x\")\n}\ntasks.check { dependsOn(tasks.a) }", "check", []string{"rm x"}},
		{"what merely begins like a task", gradle, "subtask a {\n  exec \"rm x\"\n}", "b", []string{"rm x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := c.source.Read(c.text)
			var got []string
			for _, s := range b.Run([]string{c.ask}) {
				got = append(got, s.Parts[0].Text)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAbbreviates(t *testing.T) {
	for word, want := range map[string]bool{"dA": true, "deployA": true, "deplAl": true, "deployAll": true, "d": true, "dB": false, "eA": false, "dAX": false, "A": false, "depployAll": false} {
		if got := Abbreviates(word, "deployAll"); got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}

// No text of a stranger makes it fail, or take long.
func FuzzSource(f *testing.F) {
	f.Add("defp aliases do [a: [\"cmd rm -f x\"]] end")
	f.Add("tasks.register<Exec>(\"a\") { exec(\"rm x\") }")
	f.Add(strings.Repeat("a<", 300) + "register(\"")
	f.Fuzz(func(_ *testing.T, s string) {
		mix.Read(s)
		gradle.Read(s)
	})
}

func BenchmarkSource(b *testing.B) {
	rows := strings.Repeat("task a { exec(\"rm x\") } task b<x>(y) <\n", 64<<10/40)
	for b.Loop() {
		gradle.Read(rows)
	}
}
