package line

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/term"
)

// Facts are what a line may say. The zero value of each is that nothing is known.
type Facts struct {
	Model     string    `json:"model,omitempty"`
	Context   *float64  `json:"context_percent,omitempty"`
	Branch    string    `json:"branch,omitempty"`
	Operation string    `json:"operation,omitempty"` // that waits to be finished: "rebase 2/5"
	Changes   *Changes  `json:"changes,omitempty"`
	Guard     string    `json:"guard"`               // guard.mode
	Left      bool      `json:"left,omitempty"`      // the client's settings call moai no more
	Loosened  bool      `json:"loosened,omitempty"`  // another setting protects less than by default
	Silent    bool      `json:"no_hooks,omitempty"`  // no hook of the session has ever run
	Others    int       `json:"sessions,omitempty"`  // that go on in the same work tree
	Snapshot  time.Time `json:"snapshot,omitzero"`   // the last one
	Unsaved   string    `json:"unsaved,omitempty"`   // why there can be none
	Missed    string    `json:"missed,omitempty"`    // why there is none of this turn, or only of a part
	Tests     *Tests    `json:"tests,omitempty"`     // the last run
	Mode      string    `json:"mode,omitempty"`      // how the client asks
	Cost      float64   `json:"cost_usd,omitempty"`  // so far
	Port      string    `json:"port,omitempty"`      // that the session works on
	Checks    int       `json:"to_verify,omitempty"` // verifications that are open
	Loop      *Loop     `json:"loop,omitempty"`      // that the session is in
	Broken    bool      `json:"broken_settings,omitempty"`
	Now       time.Time `json:"now"`
}

// Changes are those of a work tree when somebody looked last.
type Changes struct {
	Count     int  `json:"count"`
	Conflicts int  `json:"conflicts,omitempty"`
	Partial   bool `json:"partial,omitempty"` // there may be more
	Old       bool `json:"old,omitempty"`     // there may be others by now
}

// Tests is how a run of tests ended.
type Tests struct {
	Passed bool      `json:"passed"`
	Part   bool      `json:"part,omitempty"` // some of them
	Old    bool      `json:"old,omitempty"`  // code was changed since
	At     time.Time `json:"at"`
}

// Loop is how far a loop has come.
type Loop struct {
	Round int `json:"round"`
	Max   int `json:"max"`
}

// Options say how a line looks.
type Options struct {
	Segments []string // names, in their order; nil: all of them
	Columns  int      // 0 for any number
	ASCII    bool
	Style    term.Style

	ContextWarn, ContextHigh int // percent
	CostWarn                 int // dollars; 0 for never
	Bar                      int // columns of the context's bar
}

// Segment is one part of a line.
type Segment struct {
	Name  string `json:"name"`
	Full  string `json:"text"`
	Short string `json:"short,omitempty"` // where there is less room; "" where that is the same

	tone tone
	rank rank
	text string // of the two, the one that is shown
}

// tone is how loud a segment is.
type tone int

const (
	plain tone = iota
	quiet
	good
	notable
	wrong
	loud
)

// rank says what stays where there is no room for all: the higher.
type rank int

const (
	passing rank = iota // nice to know
	useful
	working // what the work is about
	pressing
	alarming
)

// makers make the segments, by name. The order is that of the ranks within one: the later goes first.
var makers = [...]struct {
	name string
	make func(*Facts, *Options) Segment
}{
	{"guard", guard},
	{"context", context},
	{"branch", branch},
	{"model", model},
	{"mode", mode},
	{"port", port},
	{"loop", loop},
	{"checks", checks},
	{"tests", tests},
	{"sessions", sessions},
	{"snapshot", snapshot},
	{"cost", cost},
}

// Names are all segments that settings can name.
func Names() []string {
	names := make([]string, len(makers))
	for i := range makers {
		names[i] = makers[i].name
	}
	return names
}

// Segments are those that have something to say, in the order of the line. That settings are broken, and that no guard watches,
// is said wherever it is not asked for, too.
func Segments(f *Facts, o *Options) (list []Segment) {
	add := func(name string, s Segment) {
		if s.Full == "" {
			return
		}
		s.Name = name
		if s.Short == s.Full {
			s.Short = ""
		}
		list = append(list, s)
	}
	add("settings", settings(f))
	if g := guard(f, o); g.rank == alarming && o.Segments != nil && !slices.Contains(o.Segments, "guard") {
		add("guard", g)
	}
	names := o.Segments
	if names == nil {
		names = Names()
	}
	for _, name := range names {
		if i := find(name); i >= 0 {
			add(name, makers[i].make(f, o))
		}
	}
	return list
}

func find(name string) int {
	for i := range makers {
		if makers[i].name == name {
			return i
		}
	}
	return -1
}

// between parts the segments.
const between = " | "

// Render is the line.
func Render(f *Facts, o *Options) string {
	list := Segments(f, o)
	for i := range list {
		if o.ASCII {
			list[i].Full, list[i].Short = plainly(list[i].Full), plainly(list[i].Short)
		}
		list[i].text = list[i].Full
	}
	list = fit(list, o.Columns)
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = list[i].tone.paint(o.Style, list[i].text)
	}
	return strings.Join(parts, between)
}

// fit makes the segments short, from the lowest on, until they fit, and leaves out what does not fit then. Those that stay have
// their full text again if there is room for it.
func fit(list []Segment, columns int) []Segment {
	if columns <= 0 || width(list) <= columns {
		return list
	}
	order := make([]int, len(list)) // the lowest first
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[a].rank, list[b].rank), cmp.Compare(find(list[b].Name), find(list[a].Name)), b-a)
	})
	for _, i := range order {
		if list[i].Short != "" {
			list[i].text = list[i].Short
		}
	}
	gone := 0
	for width(list) > columns && gone < len(order)-1 {
		list[order[gone]].text = ""
		gone++
	}
	for _, i := range slices.Backward(order[gone:]) {
		s := &list[i]
		if s.text = s.Full; width(list) > columns && s.Short != "" {
			s.text = s.Short
		}
	}
	list = slices.DeleteFunc(list, func(s Segment) bool { return s.text == "" })
	if len(list) == 1 && width(list) > columns {
		list[0].text = cut(list[0].text, columns)
	}
	return list
}

func width(list []Segment) (n int) {
	for i := range list {
		if list[i].text == "" {
			continue
		}
		if n > 0 {
			n += len(between)
		}
		n += term.Width(list[i].text)
	}
	return n
}

// cut is term.Cut for text that may have to be ASCII.
func cut(text string, columns int) string {
	short := term.Cut(text, columns)
	if short != text && !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7e }) {
		short = strings.TrimSuffix(short, "…") + "~"
	}
	return short
}

func (t tone) paint(s term.Style, text string) string {
	switch t {
	case quiet:
		return s.Dim(text)
	case good:
		return s.Green(text)
	case notable:
		return s.Yellow(text)
	case wrong:
		return s.Red(text)
	case loud:
		return s.Bold(s.Red(text))
	}
	return text
}

// plainly is a text for consoles that show ASCII alone. What else there is of a name is kept apart, not readable.
func plainly(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case string(r) == full:
			b.WriteByte('#')
		case string(r) == empty:
			b.WriteByte('-')
		case r == '…':
			b.WriteByte('~')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
