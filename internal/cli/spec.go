package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/specs"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/term"
)

// newSpec lists for the bare word: it is what is asked most, and SPECs have no other overview.
func newSpec(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "spec",
		Short: "List SPECs, their progress, and what is wrong with them",
		Long:  "SPECs are the documents .moai/specs/SPEC-*/spec.md. Their front matter says how far they are.",
	}
	// Made once and called from here, so that "moai spec" and "moai spec list" cannot come to differ.
	list := newSpecList(e)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return list.RunE(cmd, args)
	}
	c.AddCommand(list, newSpecShow(e), newSpecStatus(e), newSpecLint(e), newSpecProgress(e))
	for _, sub := range c.Commands() {
		// Those that take an id complete it; making the list costs reading the SPECs, so nothing else does.
		if strings.Contains(sub.Use, "ID") {
			sub.ValidArgsFunction = e.completeSpecs
		}
	}
	return c
}

// specLine is one SPEC of moai spec list --json.
type specLine struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Status   string `json:"status"`
	Version  string `json:"version"`
	Priority string `json:"priority"`
	Path     string `json:"path"`
	Missing  bool   `json:"missing"` // the folder has no spec.md
	Problems int    `json:"problems"`
}

// lineOf counts faults and does not list them: lint tells which they are, with their lines.
func lineOf(s *spec.Spec) specLine {
	problems := 0
	for _, f := range s.Faults {
		if !f.Note {
			problems++
		}
	}
	return specLine{s.ID, s.Title, s.Status(), s.Text("version"), s.Text("priority"), s.Path, s.Missing, problems}
}

// newSpecList shows folders without a spec.md as well. Leaving them out would let a project look further than it is.
func newSpecList(e *env) *cobra.Command {
	var status string
	c := &cobra.Command{
		Use:   "list",
		Short: "List every SPEC with its status",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			lines := []specLine{}
			for _, s := range spec.List(e.projectRoot(), &specs.Table) {
				if status == "" || s.Says() != nil && s.Says().Name == rule.SpecFold(status) || s.Status() == strings.ToLower(status) || !s.Missing && s.Means() == strings.ToLower(status) {
					lines = append(lines, lineOf(s))
				}
			}
			if e.json {
				return e.printJSON(lines)
			}
			if len(lines) == 0 {
				fmt.Fprintf(e.err, "moai: no SPEC in %s\n", spec.Dir)
			}
			for _, l := range lines {
				state := l.Status
				switch {
				case l.Missing:
					state = "no spec.md"
				case state == "":
					state = "no status"
				}
				e.entry(term.Pad(term.Text(l.ID), 16)+" "+term.Pad(term.Text(state), 11), strings.TrimSpace(term.Text(l.Title)+"  "+e.style().Dim(term.Name(l.Path))))
			}
			return nil
		},
	}
	c.Flags().StringVar(&status, "status", "", "only SPECs of this status; open, done and dropped are all that mean it")
	return c
}

// find looks one SPEC up by id or folder. Both are what people copy: ids from TAGs, folders from the file tree.
func (e *env) find(name string) (*spec.Spec, error) {
	id := idOf(name)
	for _, s := range spec.Load(e.projectRoot(), &specs.Table) {
		if s.ID == id || s.Folder == name || s.Folder == "SPEC-"+id {
			return s, nil
		}
	}
	return nil, hint(nof("there is no SPEC %s", term.Text(name)), "moai spec list")
}

// newSpecShow prints every field that the front matter has, known or not: teams add their own, and a field that is
// silently dropped looks like one that was never written.
func newSpecShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show a SPEC's fields and sections",
		Example: "  moai spec show AUTH-001",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := e.find(args[0])
			if err != nil {
				return err
			}
			if e.json {
				fields := map[string]any{}
				for _, f := range s.Fields {
					fields[f.Key] = plain(f.Value)
				}
				sections := s.Sections()
				if sections == nil {
					sections = []string{}
				}
				return e.printJSON(struct {
					specLine
					Fields   map[string]any `json:"fields"`
					Sections []string       `json:"ears"`
				}{lineOf(s), fields, sections})
			}
			fmt.Fprintln(e.out, strings.TrimSpace(e.style().Bold(term.Text(s.ID))+"  "+term.Text(s.Title)))
			fmt.Fprintf(e.out, "%s %s\n", term.Pad("path", 14), term.Name(s.Path))
			// The folder alone is a SPEC that was begun: it has an id and a path, and nothing else to show.
			if s.Missing {
				fmt.Fprintln(e.out, "the folder has no spec.md")
			}
			for _, f := range s.Fields {
				fmt.Fprintf(e.out, "%s %s\n", term.Pad(term.Text(f.Key), 14), term.Text(strings.Join(f.Value.Strings(), ", ")))
			}
			if list := s.Sections(); len(list) > 0 {
				fmt.Fprintf(e.out, "%s %s\n", term.Pad("EARS", 14), term.Text(strings.Join(list, ", ")))
			}
			// On stderr, so that the fields can be piped on even where one of them is wrong.
			for _, f := range s.Faults {
				severity := "warning"
				if f.Note {
					severity = "note"
				}
				fmt.Fprintf(e.err, "moai: %s: %s:%d: %s\n", severity, term.Name(s.Path), f.Line, term.Text(f.Text))
			}
			return nil
		},
	}
}

// plain is a front matter value as JSON has it. Scalars stay the texts that they are in the file: whether "1.0" is a
// number is a guess that YAML makes and nobody who wrote a version means.
func plain(v spec.Value) any {
	switch v.Kind {
	case spec.Sequence:
		list := []any{}
		for _, e := range v.List {
			list = append(list, plain(e))
		}
		return list
	case spec.Mapping:
		m := map[string]any{}
		for _, f := range v.Map {
			m[f.Key] = plain(f.Value)
		}
		return m
	}
	return v.String()
}

// newSpecStatus is one word for scripts; "missing" and "unknown" are words too, so that none is an empty line.
func newSpecStatus(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "status ID",
		Short: "Print the status of a SPEC",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := e.find(args[0])
			if err != nil {
				return err
			}
			status := s.Status()
			if status == "" {
				status = "unknown"
			}
			if s.Missing {
				status = "missing"
			}
			if e.json {
				return e.printJSON(struct {
					Done   bool   `json:"done"`
					ID     string `json:"id"`
					Means  string `json:"means"` // open, done or dropped
					Status string `json:"status"`
				}{s.Means() == rule.SpecDone, s.ID, s.Means(), status})
			}
			fmt.Fprintln(e.out, term.Text(status))
			return nil
		},
	}
}

// newSpecLint reads all SPECs also for one: whether an id is double or a dependency exists is a question about the rest.
func newSpecLint(e *env) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "lint [ID]",
		Short: "Check front matter, ids, sections and dependencies",
		Long:  "Exits 1 when there is an error, or with --strict a warning. A note tells how something was\nread that is no YAML to the letter.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			found := []spec.Finding{}
			only := ""
			if len(args) > 0 { // a slip must not look like a SPEC without a fault
				s, err := e.find(args[0])
				if err != nil {
					return err
				}
				only = s.ID
			}
			for _, f := range spec.Lint(spec.Load(e.projectRoot(), &specs.Table)) {
				if only == "" || f.ID == only {
					found = append(found, f)
				}
			}
			if e.json {
				if err := e.printJSON(found); err != nil {
					return err
				}
			}
			// All are told before the exit code is known: who mends one wants to see the next.
			bad := false
			for _, f := range found {
				if !e.json {
					fmt.Fprintf(e.out, "%s:%d: %s: %s (%s)\n", term.Name(f.Path), f.Line, f.Severity, term.Text(f.Text), f.Rule)
				}
				bad = bad || strict && f.Severity == "warning" || f.Severity == "error"
			}
			if !e.json {
				fmt.Fprintf(e.err, "moai: %s\n", term.Count(len(found), "finding"))
			}
			if bad {
				return errNo
			}
			return nil
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	return c
}

// newSpecProgress counts as the card of a session does, so that both say the same: a verb of its own, no sum over list.
func newSpecProgress(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "progress",
		Short: "Print how many SPECs are completed",
		Long: `Counts the folders .moai/specs/SPEC-*. One without a spec.md is begun and not done: it
counts to the total and is reported. What was dropped (archived, superseded, …) leaves the
total, and what is done by another word than completed is named behind the percentage.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root := e.projectRoot()
			list := spec.List(root, &specs.Table)
			c := spec.Count(&specs.Table, list)
			if e.json {
				return e.printJSON(struct {
					Completed int         `json:"completed"`
					Missing   int         `json:"missing"`
					Percent   int         `json:"percent"`
					Total     int         `json:"total"`
					Dropped   int         `json:"dropped"`
					Rest      []spec.Rest `json:"rest"` // done, by another word than completed
				}{c.Completed, c.Missing, spec.Percent(c.Completed, c.Total()), c.Total(), c.Dropped, append([]spec.Rest{}, c.Rest...)})
			}
			fmt.Fprintln(e.out, "SPECs completed: "+c.String())
			// On stderr: the line above is read by scripts and by the card.
			for _, s := range list {
				if s.Missing {
					fmt.Fprintf(e.err, "moai: warning: %s/%s has no spec.md: begun, not done\n", spec.Dir, term.Text(s.Folder))
				}
			}
			return nil
		},
	}
}
