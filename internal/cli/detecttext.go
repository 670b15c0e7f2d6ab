package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// barWidth is the length of a share of 100 %, leastBar what a narrow terminal
// leaves of it before the number of files gives way.
const (
	barWidth = 24
	leastBar = 6
)

// smallShare and mostLines decide what the summary leaves to --all.
const (
	smallShare = 0.005
	mostLines  = 8
)

// showDetect prints one report the way the flags ask for.
func (e *env) showDetect(r *lang.Report, f *detectFlags, many bool) {
	if many && f.format == "table" {
		e.headFolder(r.Dir)
	}
	switch {
	case f.format == "markdown":
		e.showMarkdown(r)
		return
	case f.context:
		e.showContext(r)
		return
	}
	shown := false
	for _, part := range []struct {
		asked bool
		show  func()
	}{
		{f.versions, func() { e.showVersions(r) }},
		{f.tools, func() { e.showTools(&r.Tools, "", true) }},
		{f.projects, func() { e.showProjects(r) }},
	} {
		if !part.asked {
			continue
		}
		if shown {
			fmt.Fprintln(e.out)
		}
		part.show()
		shown = true
	}
	switch {
	case !shown:
		e.showSummary(r, f.all)
	case !f.projects:
		e.pointBelow(r) // in a monorepo the root may have no tools and no versions
	}
}

// headFolder names the folder that the lines below are about.
func (e *env) headFolder(dir string) { fmt.Fprintln(e.out, e.style().Dim(term.Name(dir))) }

// showSummary answers "what is this?" on half a screen: the name, the shares, why,
// and the commands to type.
func (e *env) showSummary(r *lang.Report, all bool) {
	s := e.style()
	fmt.Fprint(e.out, s.Bold(r.Title()))
	if p := r.Primary; p != nil {
		fmt.Fprint(e.out, s.Dim(fmt.Sprintf("  %d%% sure", int(p.Confidence*100+0.5))))
	} else if len(r.Languages) > 0 && r.Languages[0].Share > 0 {
		fmt.Fprint(e.out, s.Dim("  mostly "+r.Languages[0].Name))
	}
	fmt.Fprint(e.out, "\n\n")
	e.showShares(r, all)
	if p := r.Primary; p != nil {
		fmt.Fprintf(e.out, "\nWhy %s\n", p.Name)
		for _, line := range p.Evidence {
			fmt.Fprintln(e.out, "  "+term.Text(line)) // holds names of files
		}
	}
	// Without one of these there is nothing to type, and a heading alone would look like a failure.
	if t := &r.Tools; t.Manager != nil || t.Test != nil || t.Formatter != nil || t.Build != nil {
		fmt.Fprintln(e.out, "\nTools")
		e.showTools(t, "  ", false)
	}
	e.pointBelow(r)
	for _, note := range r.Notes {
		fmt.Fprintln(e.err, "moai: note:", term.Text(note))
	}
}

// showShares draws a bar for each language. Without all, the small ones share a line.
func (e *env) showShares(r *lang.Report, all bool) {
	s := e.style()
	full, empty := "█", "░"
	if e.cfg(r.Dir).Bool("ui.ascii") {
		full, empty = "#", "."
	}
	width, versions := 0, 0
	for _, l := range r.Languages {
		width = max(width, term.Width(l.Name))
		if l.Version != "" {
			versions = max(versions, 2+term.Width(lang.Stated(l.Version, l.VersionKind)))
		}
	}
	long, counts := barWidth, true
	if columns := e.columns(); columns > 0 {
		const share, files = len("   100.0%"), len("  123456 files")
		long = columns - width - share - 1 - versions - files
		if counts = long >= leastBar; !counts {
			long += files
		}
		long = min(max(long, 0), barWidth)
	}
	shown, rest, restShare := 0, 0, 0.0
	for _, l := range r.Languages {
		// What has no file here runs another language; its version is in --versions.
		if !all && (l.Share < smallShare && l.Version == "" || l.Files == 0 && len(r.Languages) > 1 || shown == mostLines) {
			if l.Share > 0 {
				rest++
				restShare += l.Share
			}
			continue
		}
		shown++
		n := int(l.Share*float64(long) + 0.5)
		bar := s.Cyan(strings.Repeat(full, n)) + s.Dim(strings.Repeat(empty, long-n))
		line := fmt.Sprintf("  %s %s %5.1f%%", term.Pad(l.Name, width), bar, l.Share*100)
		if counts {
			line += "  " + s.Dim(strings.Repeat(" ", max(0, 6-len(strconv.Itoa(l.Files))))+term.Count(l.Files, "file"))
		}
		if l.Version != "" {
			if counts && l.Files == 1 {
				line += " " // as long as "files"
			}
			line += "  " + lang.Stated(l.Version, l.VersionKind)
		}
		fmt.Fprintln(e.out, line)
	}
	switch {
	case shown == 0 && rest == 0 && r.Primary == nil && r.Ecosystem == "" && r.Kind != "":
		fmt.Fprintf(e.out, "  no source files; what is here is %s\n", r.Kind)
	case shown == 0 && rest == 0:
		fmt.Fprintln(e.out, "  no source files")
	case rest > 0:
		others := fmt.Sprintf("  %s %s %5.1f%%", term.Pad("others", width), strings.Repeat(" ", long), restShare*100)
		e.offer(1, others, " "+s.Dim("moai detect --all"))
	}
}

// showTools lists commands that can be pasted, each with the file that speaks for it. Frameworks are no
// commands: their names are enough, but for those who ask for the tools.
func (e *env) showTools(t *lang.Tools, indent string, asked bool) {
	none := true
	var rows []toolRow
	row := func(what string, tool *lang.Tool) {
		if tool == nil {
			return
		}
		none = false
		one := toolRow{what, term.Text(tool.Command), tool.Name + ": " + term.Text(tool.Because)} // holds names of files
		if remark := tool.Remark(); remark != "" {
			one.why += "; " + term.Text(remark)
		}
		if one.command == "" {
			one.command = cmp.Or(term.Name(tool.File), "(nothing to install)")
		}
		rows = append(rows, one)
	}
	row("packages", t.Manager)
	for i := range t.Beside {
		row("packages", &t.Beside[i])
	}
	row("install", t.Install)
	row("format", t.Formatter)
	row("lint", t.Linter)
	row("typecheck", t.Typecheck)
	row("test", t.Test)
	if t.Test != nil && t.Test.One != "" && asked {
		row("one test", &lang.Tool{Name: t.Test.Name, Command: t.Test.One, Because: "a single one"})
	}
	row("coverage", t.Coverage)
	row("build", t.Build)
	row("start", t.Start)
	row("dev", t.Dev)
	row("migrate", t.Migrate)
	row("clean", t.Clean)
	if len(t.Frameworks) > 0 && asked {
		for _, f := range t.Frameworks {
			row("framework", &lang.Tool{Command: f.Name, Name: f.Name, Because: f.Because})
		}
	}
	e.showRows(rows, indent)
	if len(t.Frameworks) > 0 && !asked {
		none = false
		names := make([]string, len(t.Frameworks))
		for i, f := range t.Frameworks {
			names[i] = f.Name
		}
		fmt.Fprintf(e.out, "%s%s %s\n", indent, term.Pad("frameworks", 10), strings.Join(names, ", "))
	}
	if none {
		fmt.Fprintln(e.out, indent+"no tools that the files here speak of")
	}
}

// toolRow is one line of showTools.
type toolRow struct{ what, command, why string }

// Columns that commands take, of which one or two in a table may be much longer.
const (
	fewCommand  = 34
	mostCommand = 60
)

// showRows writes commands in one column and, where there is room, why in another.
func (e *env) showRows(rows []toolRow, indent string) {
	wide := fewCommand
	for i := range rows {
		if w := term.Width(rows[i].command); w <= mostCommand {
			wide = max(wide, w)
		}
	}
	for i := range rows {
		r := &rows[i]
		line, why := indent+term.Pad(r.what, 10)+" "+term.Pad(r.command, wide)+"  ", r.why
		if columns := e.columns(); columns > 0 && term.Width(line)+term.Width(why) > columns {
			line, why = indent+term.Pad(r.what, 10)+" "+r.command, "" // commands are to be pasted, never cut
		}
		fmt.Fprintln(e.out, strings.TrimRight(line+e.style().Dim(why), " "))
	}
}

// pointBelow says how many projects lie below the root: a number alone, since listing them
// costs a look at each, which --projects is asked for.
func (e *env) pointBelow(r *lang.Report) {
	if n := r.ProjectCount; n > 0 {
		fmt.Fprintf(e.out, "\n%s below the root: moai detect --projects\n", term.Count(n, "project"))
	}
}

// held says in words what kind of version is meant.
func held(kind string) string {
	switch kind {
	case "pin":
		return "exactly"
	case "floor":
		return "at least"
	}
	return "as built" // by others: an image, a step of a service
}

// showVersions leaves out languages without a stated version: a guess would be
// taken for one.
func (e *env) showVersions(r *lang.Report) {
	none := true
	for _, l := range r.Languages {
		if l.Version != "" {
			none = false
			e.row("%s %s %s %s", term.Pad(l.Name, 14), term.Pad(lang.Stated(l.Version, l.VersionKind), 16), term.Pad(held(l.VersionKind), 8), e.style().Dim(term.Text(l.VersionSource)))
		}
	}
	if none {
		fmt.Fprintln(e.out, "no file states a version")
		if r.ProjectCount > 0 { // a root that only holds others has no manifest of its own
			fmt.Fprintln(e.err, "moai: hint: moai detect --projects")
		}
	}
}

// showProjects is a line for each manifest below the root, with the command that people look for next: its tests.
func (e *env) showProjects(r *lang.Report) {
	if len(r.Projects) == 0 {
		fmt.Fprintln(e.out, "no projects below the root")
	}
	// Paths are what the eye goes down; padded to the longest, versions and commands stand below each other.
	width := 0
	for _, p := range r.Projects {
		width = max(width, term.Width(term.Name(p.Path)))
	}
	for _, p := range r.Projects {
		name, test := lang.Unknown, ""
		if p.System != "" {
			name = p.System
		}
		if p.Primary != nil {
			name = p.Primary.Title()
		}
		if p.Tools.Manager != nil && p.Path == "." { // beside what is first here, with packages of its own
			test = p.Tools.Manager.Command
		}
		if p.Tools.Test != nil {
			test = strings.TrimPrefix(test+", "+p.Tools.Test.Command, ", ")
		} else if p.Primary == nil && p.Tools.Linter != nil { // of which little can be tested: a chart
			test = strings.TrimPrefix(test+", "+p.Tools.Linter.Command, ", ")
		}
		files := "" // examples, whose files do not count
		if p.Files > 0 {
			files = term.Count(p.Files, "file")
		}
		e.row("%s  %s %s %s", term.Pad(term.Name(p.Path), width), term.Pad(name, 20), term.Pad(files, 12), e.style().Dim(test))
	}
}

// showWhy gives the evidence for one language.
func (e *env) showWhy(r *lang.Report, w *whyOf) {
	if w.Language == nil {
		fmt.Fprintf(e.out, "%s was not found: no file and no manifest of it counts in %s\n", w.Name, term.Name(filepath.Base(r.Dir)))
		return
	}
	fmt.Fprintln(e.out, e.style().Bold(w.Name))
	if w.CountsAs != "" {
		fmt.Fprintf(e.out, "  its files count as %s, of which is known:\n", w.CountsAs)
	}
	for _, line := range w.Language.Evidence {
		fmt.Fprintln(e.out, "  "+term.Text(line))
	}
	if len(w.Unread) > 0 {
		fmt.Fprintln(e.out, "  no version: none that can be read is set in "+term.Text(strings.Join(w.Unread, ", ")))
	}
	switch {
	case w.Primary:
		fmt.Fprintf(e.out, "  it is the primary language (%d%% sure)\n", int(r.Primary.Confidence*100+0.5))
	case r.Primary != nil:
		fmt.Fprintf(e.out, "  the primary language is %s: %s\n", r.Primary.Name, term.Text(strings.Join(r.Primary.Evidence, "; ")))
	}
}

// versionFiles are the files here that could have stated a version of l: where to look, for whoever misses it.
func versionFiles(dir string, l *rule.Language) (names []string) {
	for i := range l.Versions {
		files, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(l.Versions[i].File))) // fails for a bad pattern only
		for _, file := range files {
			if rel, err := filepath.Rel(dir, file); err == nil && !slices.Contains(names, filepath.ToSlash(rel)) {
				names = append(names, filepath.ToSlash(rel))
			}
		}
	}
	return names
}
