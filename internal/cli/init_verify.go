package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// planVerifiers plans the definitions of moai's verifiers: those whose name no agent here has. Beside settings of one person they are this person's, too.
func (e *env) planVerifiers(r *initResult, o *initFlags, p *place, root string) (steps []*step) {
	project := filepath.Join(root, ".claude")
	if o.scopes[settings.User] {
		project = e.clientDir()
	}
	folder := filepath.Join(project, "agents")
	known := (&verify.Tables{Agents: &agents.All}).Installed(project, e.clientDir(), nil)
	for i := range agents.Verifiers {
		v := &agents.Verifiers[i]
		path := filepath.Join(folder, v.ID+".md")
		if j := slices.IndexFunc(known, func(a verify.Agent) bool { return strings.EqualFold(a.Name, v.ID) }); j >= 0 {
			r.note("the verifier %s is there already: %s", v.ID, known[j].File)
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			r.note("%s is there already, and stays", path)
			continue
		}
		if p.scope == settings.Local {
			steps = append(steps, e.keepOut(r, &place{path: path})...)
		}
		what := fmt.Sprintf("%s (%s, a verifier of %s)", path, v.ID, strings.Join(v.Verifies, " and "))
		steps = append(steps, &step{
			File: path, changed: true, Created: true, before: "write " + term.Text(what), after: "wrote " + term.Text(what),
			do: func(*step) error { return writeNew(path, definition(v)) },
		})
	}
	return steps
}

// definition is a verifier as the client reads it.
func definition(v *rule.Verifier) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\ntools: %s\n---\n\n%s", v.ID,
		strconv.Quote(v.Text+" Call it with the changed files before the work is called done."), strings.Join(v.Tools, ", "), v.Prompt)
	return []byte(b.String())
}

// verifiersOut plans that the definitions go which were written beside a person's own settings: those that are as moai wrote them, and in a project kept
// out of Git by it.
func (e *env) verifiersOut(p *place) (steps []*step) {
	for i := range agents.Verifiers {
		v := &agents.Verifiers[i]
		path := filepath.Join(filepath.Dir(p.path), "agents", v.ID+".md")
		same := func() bool {
			data, err := os.ReadFile(path)
			return err == nil && bytes.Equal(data, definition(v))
		}
		repository, rel, err := keptOut(path)
		hidden := err == nil && repository != nil && repository.Excludes(rel)
		if !same() || !hidden && p.scope == settings.Local {
			continue
		}
		what := fmt.Sprintf("%s (%s)", term.Text(path), v.ID)
		steps = append(steps, &step{
			File: path, changed: true, Removed: true, before: "take out " + what, after: "took out " + what,
			do: func(*step) error {
				if !same() { // changed meanwhile: it is somebody's
					return nil
				}
				if err := os.Remove(path); err != nil {
					return fmt.Errorf("take out agent: %w", err)
				}
				_ = os.Remove(filepath.Dir(path)) // where nothing else is in it
				if hidden {
					_, _ = repository.Include(rel) // a line too many does no harm
				}
				return nil
			},
		})
	}
	return steps
}

// writeNew writes a file that is not there yet, and never over one that came meanwhile. Folders in a project may be links
// to anywhere; what is written is a new file of a fixed name and text.
func writeNew(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder of agents: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write agent: %w", err)
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write agent: %w", err)
	}
	return nil
}
