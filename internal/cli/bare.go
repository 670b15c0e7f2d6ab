package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/hook"
)

// bare is moai without a word, and with a standard input that is no terminal. An agent
// that does not know args in its settings starts the bare program; a guard that answers
// with help would be dead without anybody noticing. So an object of JSON is a hook event.
// Nothing at all means that somebody wants the help: answered is false then.
func (e *env) bare() (code int, answered bool) {
	if e.getenv("CLAUDE_PROJECT_DIR") != "" {
		return e.hook(nil), true // the client sets it for every hook that it starts
	}
	start := time.Now()
	first, err := e.begin(inputLimit(""))
	e.waited = time.Since(start)
	switch {
	case errors.Is(err, hook.ErrTimeout):
		out := e.failed("", "", err)
		if out.Exit == 1 {
			return 0, false
		}
		return e.emit(out, &hookLog{out: e.err, level: logLevel(e.getenv)}), true
	case len(first) == 0:
		return 0, false
	case first[len(first)-1] != '{':
		return e.report(hint(usagef("moai alone takes one hook event, a JSON object, on its standard input"), "moai --help"), nil), true
	}
	e.in = io.MultiReader(bytes.NewReader(first), e.in)
	return e.hook(nil), true
}

// begin reads up to the first character that is not blank, for no longer than limit. The
// reading goes on where the time is over: the process ends soon.
func (e *env) begin(limit time.Duration) ([]byte, error) {
	read := make(chan []byte, 1)
	go func() {
		var text []byte
		one := make([]byte, 1)
		for len(text) < 4096 {
			n, err := e.in.Read(one)
			text = append(text, one[:n]...)
			if n > 0 && strings.IndexByte(" \t\r\n\ufeff", one[0]) < 0 {
				break
			}
			if err != nil {
				if len(bytes.Trim(text, " \t\r\n")) == 0 {
					text = nil
				}
				break
			}
		}
		read <- text
	}()
	select {
	case text := <-read:
		return text, nil
	case <-time.After(limit):
		return nil, fmt.Errorf("%w: nothing came on standard input within %v", hook.ErrTimeout, limit)
	}
}
