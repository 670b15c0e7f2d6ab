package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// machine is the context of what a wrapper runs elsewhere, which may be this machine after all: ssh localhost. before are the words in front of the
// command, of which the last one says where it runs.
func (e *engine) machine(row *wrapper, before []Word, c *ctx) *ctx {
	n := c.elsewhere()
	host := before[len(before)-1]
	name := host.Text[strings.LastIndexByte(host.Text, '@')+1:]
	if row.Here == "" || host.Kind != Literal || !argv.List(row.Here).Exactly(strings.ToLower(name)) || row.given(row.Value, before) {
		return n
	}
	n.remote = c.remote
	n.st.dirs = []Word{{Text: "~", Tilde: true}}
	if e.opt.Home != "" {
		n.st.dirs = []Word{lit(e.opt.Home, host.Span)}
	}
	return n
}
