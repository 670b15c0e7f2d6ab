package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// printJSON writes v as the one JSON document of a --json answer.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// style is the colour of the result stream.
func (e *env) style() term.Style { return term.StyleFor(e.out, e.getenv) }

// confirm asks a yes/no question on a terminal. With --yes, or when nobody can
// be asked, it answers yes and no respectively.
func (e *env) confirm(question string) bool {
	if e.yes {
		return true
	}
	if !term.IsTerminal(e.in) {
		return false
	}
	fmt.Fprintf(e.err, "%s [y/N] ", question)
	line, _ := bufio.NewReader(e.in).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "예", "네":
		return true
	}
	return false
}
