package moaid

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/clients"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/live"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/scripted"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/term"
)

// patience is how long a client has: the slowest that was seen took half a minute on two cores.
const patience = 2 * time.Minute

// The harmless command writes this, and what stands for the home holds that.
const (
	ranFile  = "ran.txt"
	keptFile = "keep.txt"
)

// newLive is for moai doctor alone: it has made the home and the project, has registered moai in there, and throws both away.
func (e *env) newLive() *cobra.Command {
	var agent, home, project string
	c := &cobra.Command{
		Use:    "live PROGRAM",
		Short:  "Drive a client with a scripted model, in a home that is thrown away",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dir := filepath.Dir(home); !filepath.IsAbs(home) || !strings.HasPrefix(filepath.Base(dir), live.Prefix) || filepath.Dir(project) != dir {
				return slip.Hint(slip.Usagef("--home and --in are folders that moai doctor makes"), "moai doctor --live")
			}
			for i := range clients.Adapters {
				if a := &clients.Adapters[i]; a.Name == agent && a.Live != nil {
					seen, err := drive(c.Context(), a.Live, &live.Place{Home: home, Project: project, Path: e.getenv("PATH")}, args[0])
					if err != nil {
						return err
					}
					return e.printJSON(seen)
				}
			}
			return slip.Usagef("--agent %s cannot be driven", term.Text(agent))
		},
	}
	c.Flags().StringVar(&agent, "agent", "", "the client")
	c.Flags().StringVar(&home, "home", "", "its home")
	c.Flags().StringVar(&project, "in", "", "where it works")
	return c
}

// drive has a client delete the folder that stands for the home, by its path: a shell that takes another folder for the home deletes nothing of anybody. It is asked for
// without -f: Codex refuses that by itself, and it would not be seen whether moai stops it.
func drive(ctx context.Context, l *rule.Live, place *live.Place, program string) (*live.Seen, error) {
	kept, ran := filepath.Join(place.Home, keptFile), filepath.Join(place.Project, ranFile)
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		return nil, err
	}
	var steps []scripted.Step
	for _, line := range []string{"rm -r " + argv.Quote(place.Home), "echo ran > " + ranFile} {
		step, err := scripted.Call(l, line)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	m, err := scripted.Serve(steps)
	if err != nil {
		return nil, fmt.Errorf("the scripted model: %w", err)
	}
	defer m.Close()
	place.Port = m.Port
	if err := place.Write(l); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begun := time.Now()
	said, ended, err := place.Run(ctx, l, program)
	if err != nil {
		return nil, err
	}
	seen := &live.Seen{Told: m.Result(0), Requests: len(m.Requests()), Said: said, Exit: ended.Exit, Late: errors.Is(ended.Cause, context.DeadlineExceeded), Millis: float64(time.Since(begun).Milliseconds())}
	if seen.Kept, err = there(kept); err != nil {
		return nil, err
	}
	seen.Harmless, err = there(ran)
	return seen, err
}

func there(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
