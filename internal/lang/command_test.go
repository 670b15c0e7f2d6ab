package lang_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/lang"
)

// TestCommands: what is told of small projects, to the letter. Each archive of
// testdata/commands has projects: NAME/want has a line for each thing asked for,
// "test: mix test", with nothing behind the colon for none.
func TestCommands(t *testing.T) {
	for _, one := range smalls(t, "commands") {
		t.Run(one.name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range one.files {
				put(t, dir, path, text)
			}
			if diff := cmp.Diff(one.want, told(detect(t, dir, lang.Options{}), one.want)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// told writes of a report what a list asks for, in its order.
func told(r *lang.Report, asked string) string {
	says := map[string]string{"ecosystem": r.Ecosystem, "version": r.EcosystemVersion}
	if p := r.Primary; p != nil {
		says["primary"], says["version"] = p.ID, p.Version
	}
	for what, tool := range map[string]*lang.Tool{
		"install": r.Tools.Manager, "test": r.Tools.Test, "lint": r.Tools.Linter, "format": r.Tools.Formatter,
		"typecheck": r.Tools.Typecheck, "build": r.Tools.Build, "start": r.Tools.Start, "dev": r.Tools.Dev, "setup": r.Tools.Install, "clean": r.Tools.Clean,
		"coverage": r.Tools.Coverage, "migrate": r.Tools.Migrate,
	} {
		if tool != nil {
			says[what] = tool.Command
		}
	}
	if m := r.Tools.Manager; m != nil {
		says["manager"] = m.Name
	}
	if one := r.Tools.Test; one != nil {
		says["one"] = one.One
	}
	var lines, frameworks []string
	for _, f := range r.Tools.Frameworks {
		frameworks = append(frameworks, f.Name)
	}
	says["notes"] = strings.Join(r.Notes, "; ")
	says["frameworks"] = strings.Join(frameworks, ", ")
	for line := range strings.Lines(asked) {
		what, _, _ := strings.Cut(line, ":")
		lines = append(lines, strings.TrimSpace(what+": "+says[what]))
	}
	return strings.Join(lines, "\n")
}
