// Package live sets up an agent in a home that is thrown away, and starts it there against a model on this machine: for moai doctor --live and make e2e-agents.
// The model is package scripted's: this one knows no network.
//
// Its invariant: it writes below the folders of a Place alone, and what it starts has its home there, and no variable of this process.
package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/rule"
)

// Seen is what came of a client that was asked to delete what stood for a home, and then to do something harmless.
type Seen struct {
	Kept     bool    `json:"kept"`     // the home is there
	Harmless bool    `json:"harmless"` // the harmless command ran
	Told     string  `json:"told"`     // what the model has read as the result of the first
	Requests int     `json:"requests"` // to the model
	Said     string  `json:"said"`     // by the client, at last
	Exit     int     `json:"exit"`
	Late     bool    `json:"late"` // it was ended
	Millis   float64 `json:"took_ms"`
}

// Prefix is what the name of the folder begins with that a home and a project are in which moai doctor throws away. moai's name is not in it:
// that is looked for in what the model reads.
const Prefix = "agent-live-"

// Prompt is what a person says.
const Prompt = "Please work."

// Place is where an agent is driven.
type Place struct {
	Home    string // thrown away
	Project string
	Path    string // PATH
	Port    int    // of the model; 0 while that is not known
}

// Fill puts the names of a place into a text.
func (p *Place) Fill(text string) string {
	pairs := []string{"@HOME", p.Home, "@PROJECT", p.Project, "@PROMPT", Prompt}
	if p.Port != 0 {
		pairs = append(pairs, "@PORT", fmt.Sprint(p.Port))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Write makes the files that the agent needs. What is in one already counts, with the port filled in: an installer may have been there.
func (p *Place) Write(l *rule.Live) error {
	for _, f := range l.Files {
		path := filepath.Join(p.Home, filepath.FromSlash(f.File))
		text := f.Text
		if data, err := os.ReadFile(path); err == nil {
			text = string(data)
		} else if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(p.Fill(text)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// here is what no proxy is asked for.
const here = "127.0.0.1,localhost"

// Environ is the environment of the agent, and of nothing that is the user's.
func (p *Place) Environ(l *rule.Live) []string {
	proxy := fmt.Sprintf("http://127.0.0.1:%d", p.Port)
	env := []string{"HOME=" + p.Home, "USERPROFILE=" + p.Home, "PATH=" + p.Path, "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/sh"}
	for _, name := range []string{"http_proxy", "https_proxy"} { // a client that uses a proxy reaches the model alone
		env = append(env, name+"="+proxy, strings.ToUpper(name)+"="+proxy)
	}
	env = append(env, "no_proxy="+here, "NO_PROXY="+here)
	for _, kv := range l.Env {
		env = append(env, p.Fill(kv))
	}
	return env
}

// Run starts the agent, by program and the words that stand before its own, and waits for its end. It gives back what it printed last.
func (p *Place) Run(ctx context.Context, l *rule.Live, program ...string) (said string, ended child.Ended, err error) {
	argv := program[:len(program):len(program)]
	for _, word := range l.Args {
		argv = append(argv, p.Fill(word))
	}
	var out last
	c := child.Command{Path: program[0], Args: argv, Dir: p.Project, Env: p.Environ(l), In: strings.NewReader(""), Out: &out, Err: &out, Apart: true}
	ended, err = c.Run(ctx)
	return string(out.kept), ended, err
}

// maxSaid bounds what is kept of what an agent prints.
const maxSaid = 64 << 10

// last keeps the end of what is written to it.
type last struct{ kept []byte }

func (l *last) Write(b []byte) (int, error) {
	l.kept = append(l.kept, b...)
	if n := len(l.kept); n > 2*maxSaid {
		l.kept = append([]byte(nil), l.kept[n-maxSaid:]...)
	}
	return len(b), nil
}
