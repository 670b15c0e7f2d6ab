package tag

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Syntax is how a file is commented and quoted.
type Syntax rule.Syntax

func (s *Syntax) has(quote byte) bool { return strings.IndexByte(s.Texts, quote) >= 0 }

func (s *Syntax) quotes(c byte) bool {
	return (c == '"' || c == '\'' || c == '`') && strings.IndexByte(s.Bare, c) < 0
}
