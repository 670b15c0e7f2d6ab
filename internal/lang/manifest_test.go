package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/lang"
)

// TestManifests: what the manifests of real projects state, looked up by hand. Each
// archive of testdata/manifests holds those of one language, cut down to the lines
// that matter: NAME/want says what is to be found, all versions among it, so that
// one that nobody states fails the test too.
func TestManifests(t *testing.T) {
	for _, one := range smalls(t, "manifests") {
		language := one.archive
		t.Run(language+"/"+one.name, func(t *testing.T) {
			dir := t.TempDir()
			// Of the language itself there is more than of what builds it.
			put(t, dir, "src/"+file[language], strings.Repeat("\n", 4000))
			for path, text := range one.files {
				put(t, dir, path, text)
			}
			r := detect(t, dir, lang.Options{Projects: true})
			if r.Primary == nil || r.Primary.ID != language {
				t.Fatalf("primary = %+v, want %s", r.Primary, language)
			}
			want := slices.DeleteFunc(strings.Split(one.want, "\n"), func(s string) bool { return s == "" })
			if diff := cmp.Diff(want, stated(r, want)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// stated writes a report as the archives do: all versions, and of the rest what they ask for.
func stated(r *lang.Report, asked []string) []string {
	asks := func(what string) bool {
		return slices.ContainsFunc(asked, func(s string) bool { return strings.HasPrefix(s, what+" ") })
	}
	got := []string{}
	for _, l := range r.Languages {
		if l.Version != "" {
			got = append(got, "version "+l.ID+" "+l.Version+" "+l.VersionKind)
		}
	}
	slices.Sort(got)
	for _, tool := range []struct {
		name string
		tool *lang.Tool
	}{{"manager", r.Tools.Manager}, {"formatter", r.Tools.Formatter}, {"linter", r.Tools.Linter}, {"test", r.Tools.Test}, {"build", r.Tools.Build}} {
		switch {
		case !asks(tool.name):
		case tool.tool == nil:
			got = append(got, tool.name+" -")
		default:
			got = append(got, tool.name+" "+tool.tool.Name)
		}
	}
	if asks("frameworks") {
		names := []string{}
		for _, f := range r.Tools.Frameworks {
			names = append(names, f.Name)
		}
		if len(names) == 0 {
			names = []string{"-"}
		}
		slices.Sort(names)
		got = append(got, "frameworks "+strings.Join(names, ", "))
	}
	for _, p := range r.Projects {
		if asks("project "+p.Path) && p.Primary != nil {
			got = append(got, strings.TrimSpace("project "+p.Path+" "+p.Primary.ID+" "+p.Primary.Version))
		}
	}
	for _, p := range r.Projects {
		if asks("project-test "+p.Path) && p.Tools.Test != nil {
			got = append(got, "project-test "+p.Path+" "+p.Tools.Test.Command)
		}
	}
	return got
}
