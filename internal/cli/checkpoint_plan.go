package cli

import (
	"fmt"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// showPlan is what --dry-run prints, and what a question is about.
func (e *env) showPlan(r *repo.Repo, p *checkpoint.Plan) error {
	if e.json {
		return e.printJSON(planJSON(p))
	}
	s := e.style()
	if p.Empty() {
		fmt.Fprintln(e.out, nothing(p))
	} else {
		fmt.Fprintf(e.out, "%s would change:\n", s.Bold(p.Checkpoint.Name))
	}
	e.showFiles(p, s)
	e.showGit(p, s)
	e.left(p.Keep, p.Blocked)
	e.otherBranch(p)
	e.inside(r, p)
	e.since(r, p)
	return nil
}

// showFiles prints a line for each file and folder that a restore changes.
func (e *env) showFiles(p *checkpoint.Plan, s term.Style) {
	for _, c := range p.Write {
		word := "change"
		if c.Old.Mode == 0 {
			word = "create"
		}
		aside := ""
		if c.Aside {
			word, aside = "change", ", and what is there now, too large to save first, moves aside"
		}
		fmt.Fprintf(e.out, "  %s %s%s\n", s.Green(term.Pad(word, 8)), term.Name(c.Path), aside)
	}
	for _, c := range p.Delete {
		fmt.Fprintf(e.out, "  %s %s\n", s.Red(term.Pad("delete", 8)), term.Name(c.Path))
	}
	for _, c := range p.Permissions {
		fmt.Fprintf(e.out, "  %s %s, from %03o to %03o\n", s.Green(term.Pad("mode", 8)), term.Name(c.Path), c.Old, c.New)
	}
	for _, c := range p.Folders {
		if c.Remove {
			fmt.Fprintf(e.out, "  %s %s/, an empty folder\n", s.Red(term.Pad("delete", 8)), term.Name(c.Path))
		} else if c.Make {
			fmt.Fprintf(e.out, "  %s %s/, an empty folder\n", s.Green(term.Pad("create", 8)), term.Name(c.Path))
		} else {
			fmt.Fprintf(e.out, "  %s %s/, from %s to %s\n", s.Green(term.Pad("mode", 8)), term.Name(c.Path), c.Octal(c.Old), c.Octal(c.New))
		}
	}
	for _, f := range p.Vault {
		fmt.Fprintf(e.out, "  %s %s\n", s.Green(term.Pad("vault", 8)), term.Name(f))
	}
}

// showGit prints a line for each thing of Git's own that a restore moves: none shows in a list of files.
func (e *env) showGit(p *checkpoint.Plan, s term.Style) {
	if p.Index {
		fmt.Fprintf(e.out, "  %s the staged content\n", s.Green(term.Pad("index", 8)))
	}
	if p.Patterns {
		fmt.Fprintf(e.out, "  %s what the sparse checkout leaves out\n", s.Yellow(term.Pad("setting", 8)))
	}
	for _, m := range p.Refs {
		if m.To.IsZero() && m.Ref != "HEAD" {
			fmt.Fprintf(e.out, "  %s %s, which the restore has made\n", s.Red(term.Pad("delete", 8)), term.Text(m.Ref))
			continue
		}
		if m.To.IsZero() { // HEAD on a branch without a commit
			fmt.Fprintf(e.out, "  %s %s to %s, which has no commit yet\n", s.Yellow(term.Pad("ref", 8)), term.Text(m.Ref), term.Text(p.Checkpoint.On))
			continue
		}
		fmt.Fprintf(e.out, "  %s %s to %s\n", s.Yellow(term.Pad("ref", 8)), term.Text(m.Ref), m.To.String()[:10])
	}
	for _, section := range p.Settings {
		fmt.Fprintf(e.out, "  %s %s, in the repository's settings\n", s.Yellow(term.Pad("setting", 8)), term.Text(section))
	}
	if p.Ends != nil {
		fmt.Fprintf(e.out, "  %s %s, which is under way now, goes\n", s.Yellow(term.Pad("ends", 8)), term.Text(p.Ends.String()))
	}
	if p.Resumes != nil {
		fmt.Fprintf(e.out, "  %s %s is under way again\n", s.Yellow(term.Pad("resumes", 8)), term.Text(p.Resumes.String()))
	}
}

// planJSON has the keys of a finished restore, so that a script reads a dry run and the real one alike.
func planJSON(p *checkpoint.Plan) restoreJSON {
	j := restoreJSON{Checkpoint: p.Checkpoint.Name, DryRun: true, Written: []string{}, Deleted: []string{}, Kept: append([]string{}, p.Keep...), Vault: p.Vault, Failed: append([]checkpoint.Skip{}, p.Blocked...), Index: p.Index, Patterns: p.Patterns, Settings: p.Settings, Inside: p.Inside(), TakenOn: p.TakenOn, CheckedOut: p.CheckedOut, Resumes: p.Resumes, Ends: p.Ends}
	for _, c := range p.Write {
		j.Written = append(j.Written, c.Path)
	}
	for _, c := range p.Delete {
		j.Deleted = append(j.Deleted, c.Path)
	}
	j.beside(p.Permissions, p.Folders, p.Refs)
	return j
}

// beside adds what changes beside the content of files.
func (j *restoreJSON) beside(modes []checkpoint.PermissionChange, folders []checkpoint.FolderChange, refs []checkpoint.RefMove) {
	for _, c := range modes {
		j.Modes = append(j.Modes, c.Path)
	}
	for _, c := range folders {
		j.Folders = append(j.Folders, c.Path)
	}
	for _, m := range refs {
		j.Refs = append(j.Refs, m.Ref)
	}
}
