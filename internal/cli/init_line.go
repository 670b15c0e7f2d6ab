package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// planLine puts the status line into what is planned of a file. Somebody else's stays: there can be one alone.
func (e *env) planLine(r *initResult, p *place, data []byte, want settings.Registration, all []*place) ([]byte, error) {
	planned, err := settings.PlanLine(data, want)
	var taken *settings.TakenError
	if errors.As(err, &taken) {
		return nil, hint(nof("%s:%d: there is a status line already (%s); nothing was written", p.path, p.line.At, term.Text(term.OneLine(taken.Command, 80))), editing(p.path))
	}
	if err != nil {
		return nil, hint(nof("%s: %w", p.path, err), "moai doctor")
	}
	if l, err := settings.StatusLine(planned); err == nil && l != nil {
		r.StatusLine = l.Command
	}
	rank := func(p *place) int { return slices.Index(settings.Scopes[:], p.scope) } // the later counts
	for _, other := range all {
		if rank(other) > rank(p) && other.line != nil && !other.line.Own && other.skipped == nil {
			r.note("%s:%d names another status line, which the client shows here", other.path, other.line.At)
		}
	}
	return planned, nil
}

// leaveLine plans how the status line alone goes out of a file.
func (e *env) leaveLine(p *place) (*step, error) {
	data, err := settings.RemoveLine(p.file.Data)
	if err != nil {
		return nil, hint(nof("%s: %w", p.path, err), "moai doctor")
	}
	s := &step{place: p, data: data, changed: true, Line: true, Kept: true}
	s.do = func(*step) error {
		_, err := p.file.Install(data, e.stateDir())
		return err
	}
	return s, nil
}

// besides does what is asked for besides hooks, where those of by are all that is needed here.
func (e *env) besides(r *initResult, p, by *place, o *initFlags, root, program string, all []*place) error {
	switch {
	case o.onFailure != "":
		return hint(nof("%s registers moai here, too, and says there what a hook without an answer means; nothing was written", by.path), "moai init "+by.scope.Flag()+" --on-failure "+o.onFailure)
	case !o.statusline && !o.verify && !e.json:
		fmt.Fprintf(e.err, "moai: nothing to do: %s registers moai for this folder already\n", term.Name(by.path))
		return nil
	}
	r.note("%s registers moai here, too, so no hooks go into %s", by.path, p.path)
	var steps []*step
	if o.statusline {
		data, err := e.planLine(r, p, p.file.Data, settings.Registration{Program: program}, all)
		if err != nil {
			return err
		}
		if !bytes.Equal(data, p.file.Data) {
			steps = append(e.keepOut(r, p), &step{
				place: p, data: data, changed: true, created: !p.file.Exists, Line: true,
				do: func(s *step) (err error) { s.Saved, err = p.file.Install(data, e.stateDir()); return err },
			})
		}
	} else { // p stays as it is
		r.File, r.Scope = by.path, by.scope.String()
		for _, entry := range by.entries {
			r.Events = append(r.Events, entry.Event)
		}
	}
	if o.verify {
		steps = append(steps, e.planVerifiers(r, o, p, root)...)
	}
	return e.carryOut(r, steps, o, "write this?")
}
