package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// target is the file that moai goes into: the one that was asked for, the one that it is in, the one that a person
// chooses, or the local one.
func (e *env) target(all []*place, o *initFlags) (*place, error) {
	scope, given, err := o.scope()
	if err != nil {
		return nil, err
	}
	if !given {
		if p := e.inForce(all); p != nil {
			return p, nil
		}
		scope = settings.Local
		if e.asks(o) {
			if scope, err = e.askScope(all); err != nil {
				return nil, err
			}
			o.scopes[scope] = true // as if it had been said: what else is written goes beside it
		}
	}
	for _, p := range all {
		if p.scope == scope && !p.main {
			return p, nil
		}
	}
	if scope == settings.Shared {
		return nil, hint(usagef("the settings of your home folder are your own"), "moai init --user")
	}
	return nil, hint(nof("there is no home folder, so no settings of the user"), "moai init --local")
}

// inForce is the file that makes the client call moai here as it would be registered today. One of the project that names a
// program of this machine does not count: it is to move.
func (e *env) inForce(all []*place) *place {
	for _, scope := range []settings.Scope{settings.User, settings.Local, settings.Shared} {
		i := slices.IndexFunc(all, func(p *place) bool {
			return p.scope == scope && p.counts() && !p.legacy() && (scope != settings.Shared || e.onPath())
		})
		if i >= 0 {
			return all[i]
		}
	}
	return nil
}

// askScope lets a person choose.
func (e *env) askScope(all []*place) (settings.Scope, error) {
	for _, p := range all {
		if p.legacy() {
			fmt.Fprintf(e.err, "moai: %s names the moai of this machine, for everybody; it is taken out there\n", term.Name(p.path))
		}
	}
	fmt.Fprintln(e.err, "Where shall moai be registered?")
	answers := map[string]settings.Scope{"": settings.User}
	n := 0
	for _, s := range []settings.Scope{settings.User, settings.Local, settings.Shared} {
		i := slices.IndexFunc(all, func(p *place) bool { return p.scope == s && !p.main })
		if i < 0 {
			continue
		}
		n++
		recommended := ""
		if n == 1 {
			recommended = " (recommended)"
			answers[""] = s
		}
		fmt.Fprintf(e.err, "  %d  %s%s\n     %s\n", n, all[i].text(), recommended, term.Name(all[i].path))
		answers[fmt.Sprint(n)], answers[s.String()] = s, s
	}
	return choose(e, fmt.Sprintf("[1-%d, Enter for 1, q to quit] ", n), answers)
}

// choose asks for one of a few words, again where the answer is none of them. At the end of input nothing happens.
func choose[T any](e *env, question string, answers map[string]T) (T, error) {
	in := bufio.NewReader(e.in)
	for range 3 {
		fmt.Fprint(e.err, question)
		line, err := in.ReadString('\n')
		if err != nil && line == "" {
			fmt.Fprintln(e.err)
			break
		}
		word := strings.ToLower(strings.TrimSpace(line))
		if slices.Contains(quit[:], word) {
			break
		}
		if v, ok := answers[word]; ok {
			return v, nil
		}
		fmt.Fprintf(e.err, "moai: %s is none of the answers\n", term.Text(strconv.Quote(word)))
	}
	fmt.Fprintln(e.err, "moai: nothing was written")
	var none T
	return none, errNo
}
