package handle

import (
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/term"
)

// project is what a session's start says about the folder it began in. Empty
// fields are unknown or nothing to speak of, and get no line.
type project struct {
	language   string   // name and version: "Python 3.12"
	languageID string   // "python"
	known      []string // what moai detect --context says, a line each
	branch     string   // or what stands for it: "detached", "(no commits yet)"
	commit     string   // short
	operation  string   // rebase, merge, … in progress
	ahead      int
	behind     int
	changes    int
	partial    bool   // changes is a lower bound: time ran out
	unknown    string // what is missing from changes, and why
	declined   string // why Git could not be asked
	remedy     string // the command that lets it be asked, and what it does
	undo       string // how far moai undo works, where that needs a word
	specs      spec.Counts
	open       int      // TAG chains that miss a link
	saved      []string // newest checkpoints first
	ages       []string // how old they are, and what for; what people read instead of names
	port       string   // that the session runs
	unguarded  []string // other folders of the project without moai
}

// ruleWidth is the length of the card's rules.
const ruleWidth = 46

// maxWidth cuts lines that a narrow terminal would wrap.
const maxWidth = 100

// unknownLanguage stands where nothing was detected.
const unknownLanguage = lang.Unknown

// glyphs are the marks in front of the card's lines. The second set is for
// consoles that cannot show the first (ui.ascii).
type glyphs struct{ title, rule, language, branch, changes, port, spec, tags, saved, undo string }

var (
	unicodeGlyphs = glyphs{title: "🏗️ ", rule: "━", language: "📦 ", branch: "🌿 ", changes: "✏️ ", port: "⚓ ", spec: "📝 ", tags: "🔗 ", saved: "⏰ ", undo: "↩️ "}
	asciiGlyphs   = glyphs{rule: "-"}
)

// named is the card to the letter of the oldest source, which lists checkpoints by their names.
func (p *project) named(ascii bool) string {
	q := *p
	q.ages, q.port, q.undo = nil, "", ""
	return q.card(ascii)
}

// card renders the project card: a title, a rule, the lines that have
// something to say, a rule.
func (p *project) card(ascii bool) string {
	g := unicodeGlyphs
	if ascii {
		g = asciiGlyphs
	}
	rule := strings.Repeat(g.rule, ruleWidth)
	lines := []string{g.title + "MoAI-ADK Project Info", rule}
	add := func(mark, label, value string) {
		if value != "" {
			lines = append(lines, term.Cut(mark+label+": "+value, maxWidth))
		}
	}
	add(g.language, "Language", p.language)
	// Reasons are of any length, and half a reason helps nobody. Their words may come from a file of the repository.
	long := func(mark, label, value string) {
		lines = append(lines, wrap(mark+label+": ", term.Text(value))...)
	}
	add(g.branch, "Branch", p.branchLine())
	if p.declined != "" {
		mark, label := g.branch, "Branch"
		if p.branch != "" {
			mark, label = g.changes, "Changes"
		}
		long(mark, label, "not shown: "+p.declined+"; no snapshot can be taken")
		if p.remedy != "" {
			// Never cut: it is there to be copied.
			lines = append(lines, strings.Repeat(" ", term.Width(mark))+term.Text(p.remedy))
		}
	}
	if p.unknown != "" {
		long(g.changes, "Changes", p.changesLine()+"; "+p.unknown)
	} else if p.changes > 0 {
		add(g.changes, "Changes", p.changesLine())
	}
	add(g.port, "Port", p.port)
	if p.specs.Folders > 0 {
		add(g.spec, "SPEC Progress", p.specs.String())
	}
	if p.open > 0 {
		add(g.tags, "Open TAG chains", fmt.Sprint(p.open))
	}
	if p.undo != "" {
		long(g.undo, "Undo", p.undo)
	}
	const label = "Last Checkpoint"
	indent := strings.Repeat(" ", term.Width(g.saved+label+": "))
	shown := p.ages
	if len(shown) == 0 {
		shown = p.saved
	}
	for i, name := range shown {
		if i == 0 {
			add(g.saved, label, name)
		} else {
			lines = append(lines, term.Cut(indent+name, maxWidth))
		}
	}
	if len(lines) == 2 {
		lines = append(lines, unknownLanguage) // an empty folder, or none that could be looked at
	}
	lines = append(lines, rule)
	text := strings.Join(lines, "\n")
	if ascii {
		text = asciiOnly(text)
	}
	return text
}

// maxLines is the room for one reason, in lines.
const maxLines = 4

// wrap makes lines of maxWidth, aligned behind the label.
func wrap(label, text string) []string {
	at := term.Width(label)
	text = strings.Join(strings.Fields(term.Cut(text, maxLines*(maxWidth-at))), " ")
	return strings.Split(term.Wrap(label+text, maxWidth, at), "\n")
}

// branchLine is shared by the card and the facts, so that user and model read the same.
func (p *project) branchLine() string {
	if p.branch == "" {
		return ""
	}
	s := p.branch
	if p.commit != "" {
		s += " (" + p.commit + ")"
	}
	if p.operation != "" {
		s += ", " + p.operation + " in progress"
	}
	if p.ahead > 0 {
		s += fmt.Sprintf(", %d ahead", p.ahead)
	}
	if p.behind > 0 {
		s += fmt.Sprintf(", %d behind", p.behind)
	}
	return s
}

// changesLine never counts less than it says: a status that ran out of time is a lower bound.
func (p *project) changesLine() string {
	s := term.Count(p.changes, "file")
	if p.partial {
		s = "at least " + s
	}
	return s
}

// facts is the same for the model: one short factual paragraph, no decoration.
func (p *project) facts() string {
	var parts []string
	if b := p.branchLine(); b != "" && p.branch != "" {
		s := "Git branch: " + b
		if p.changes > 0 {
			s += ", " + p.changesLine() + " changed"
		}
		if p.unknown != "" {
			s += "; not all changes are known"
		}
		parts = append(parts, s+".")
	}
	if p.specs.Folders > 0 {
		parts = append(parts, p.specs.Sentence())
	}
	text := strings.Join(parts, " ")
	switch {
	case text == "" && len(p.known) == 0:
		return "" // not even a heading: an empty context is no context
	case len(p.known) == 0:
		return "Project facts from moai: " + text
	}
	return strings.TrimRight("Project facts from moai:\n"+strings.Join(p.known, "\n")+"\n"+text, "\n")
}

// started is the message of the oldest dialect, with its text and order.
func (p *project) started() string {
	language := p.languageID
	if language == "" {
		language = unknownLanguage
	}
	lines := []string{"🚀 MoAI-ADK Session Started", "Language: " + language}
	// That dialect has no Git line without a commit, and no Changes line without changes.
	if p.branch != "" && p.commit != "" {
		lines = append(lines, "Git: "+p.branch+" @ "+p.commit)
		if p.changes > 0 {
			lines = append(lines, fmt.Sprintf("Changes: %d files", p.changes))
		}
	}
	// Here every folder counts, as in the source of these lines.
	if c := &p.specs; c.Folders > 0 {
		lines = append(lines, fmt.Sprintf("SPECs: %d/%d (%d%%)", c.Completed, c.Folders, spec.Percent(c.Completed, c.Folders)))
	}
	return strings.Join(lines, "\n")
}

// asciiOnly replaces what a plain console cannot show; names in other scripts
// are kept recognisable by their code points.
func asciiOnly(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r == '…':
			b.WriteString("...")
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}
