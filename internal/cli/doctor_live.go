package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/live"
	"github.com/modu-ai/moai/internal/term"
)

// liveFlags say which agents doctor drives.
type liveFlags struct {
	live   bool
	agents []string // NAME, or NAME=PROGRAM
}

// drives has doctor drive agents itself, with moaid for a model: this program has no network.
func (o *liveFlags) drives(e *env, d *doctor.Env) error {
	if !o.live {
		if len(o.agents) > 0 {
			return hint(usagef("--agent says whom to drive"), "moai doctor --live --agent "+term.Text(o.agents[0]))
		}
		return nil
	}
	d.Driven = e.doctorAgents(true)
	for _, asked := range o.agents {
		name, program, _ := strings.Cut(asked, "=")
		i := slices.IndexFunc(d.Driven, func(a doctor.Agent) bool { return a.Name == name })
		if i < 0 {
			return usagef("--agent %s: want %s", term.Text(name), strings.Join(agentNames(), ", "))
		}
		a := &d.Driven[i]
		if a.Named = true; program != "" {
			path, err := filepath.Abs(program)
			if err != nil {
				return err
			}
			if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
				return nof("%s is no program", term.Name(program))
			}
			a.Program = path
		}
	}
	if len(o.agents) > 0 {
		d.Driven = slices.DeleteFunc(d.Driven, func(a doctor.Agent) bool { return !a.Named })
	}
	d.Drive = e.drive
	return nil
}

// maxSeen bounds what moaid tells, in bytes.
const maxSeen = 1 << 20

// drive has moaid drive an agent, and reads what it has seen.
func (e *env) drive(a *doctor.Agent, home, project string) (*live.Seen, error) {
	program, words, err := e.secondLine("live")
	if err != nil {
		return nil, err
	}
	if !e.json {
		fmt.Fprintf(e.err, "moai: driving %s …\n", term.Text(a.Title))
	}
	var out, errs bytes.Buffer
	c := child.Command{
		Path: program, Args: append(words, "--agent="+a.Name, "--home="+home, "--in="+project, "--", a.Program), Dir: project, In: strings.NewReader(""), Out: &out, Err: &errs,
	}
	// Who interrupts this interrupts moaid, which ends the agent; what was made for it is thrown away here.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)
	ended, err := c.Run(context.Background())
	if err != nil {
		return nil, noSecond("doctor --live", program, err)
	}
	if len(interrupted) > 0 {
		return nil, context.Canceled
	}
	seen := &live.Seen{}
	if ended.Exit != exitDone {
		return nil, fmt.Errorf("%s: exit code %d: %s", secondProgram, ended.Exit, strings.TrimSpace(errs.String()))
	}
	if err := json.NewDecoder(io.LimitReader(&out, maxSeen)).Decode(seen); err != nil {
		return nil, fmt.Errorf("what %s tells: %w", secondProgram, err)
	}
	return seen, nil
}
