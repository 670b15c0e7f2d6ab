package handle

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/term"
)

// prompt hands over what the user's words call for: documents, each once a
// session until it changes, and the text of a keyword mode, which a later wish for
// the same mode only names.
func (h *Handlers) prompt(_ context.Context, e *hook.Event) (hook.Answer, error) {
	text := events.Prompt(e)
	// A prompt of a machine holds other people's words, or those of the last prompt, and no wish of the user.
	if !h.prompted(e) {
		return hook.Answer{}, nil
	}
	parsed := jit.Parse(h.Tables.Contexts, text)
	options := h.Config.Int("context.inline_tokens")

	// Documents are looked up before the memory is locked, and given even when it
	// cannot be written.
	m := h.recallSession(e.SessionID)
	seen := maps.Clone(m.Docs) // jit writes into it what it hands over
	if seen == nil {
		seen = map[string]string{}
	}
	docs := parsed.Documents(root(e), seen, options)
	rules := jit.Instructions(h.Tables.Contexts, root(e), h.who(e).Edits.Paths(), seen)
	all := slices.Concat(docs, rules)
	modes := parsed.Modes(h.Config.String("context.modes"))
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if h.keepsPrompts() {
			m.asked(h.mask(text))
		}
		m.given(seen, all)
		m.named(modes)
		return true
	})
	h.note(e, h.keptOf(text), types.UserRequest{})

	a := hook.Answer{}
	for _, d := range docs {
		a.ContextFiles = append(a.ContextFiles, d.Path)
	}
	if len(docs) > 0 {
		a.Message = fmt.Sprintf("📚 Loaded %d context file(s)", len(docs)) // for the dialects that show it
		a.Context = append(a.Context, handover(docs))
	}
	h.handedOver(e, &a, m, all)
	if len(rules) > 0 {
		a.Context = append(a.Context, "Rules of this project:\n"+handover(rules))
	}
	for _, mode := range modes {
		words := mode.Text
		if slices.Contains(m.Modes, mode.Rule) { // the model has the text; the wish is new
			words = "Mode " + mode.Name + " again, as described above."
		}
		a.Context = append(a.Context, words)
	}
	return a, nil
}

// keepsPrompts reports that words of prompts may be kept at all, be it in the journal or in what is known of a session.
func (h *Handlers) keepsPrompts() bool {
	keep := h.Config.String("journal.prompts")
	return keep == "head" || keep == "full"
}

// keptOf is what the journal keeps of a prompt.
func (h *Handlers) keptOf(prompt string) string {
	switch h.Config.String("journal.prompts") {
	case "off":
		return ""
	case "hash": // tells whether it was the same one
		sum := sha256.Sum256([]byte(prompt))
		return fmt.Sprintf("(%s, sha256 %x)", term.Count(utf8.RuneCountInString(prompt), "character"), sum[:8])
	case "full":
		return h.mask(prompt)
	}
	return h.head(prompt)
}

// program hands over the documents that go with a program about to be run, such
// as tests/ with a test runner.
func (h *Handlers) program(_ context.Context, e *hook.Event) (hook.Answer, error) {
	line := events.ToolInput(e).Get("command").Text()
	// Without a session nothing is remembered, and the same document would come with every call. One dialect knows no
	// sessions at all, and its specification wants the document each time.
	if e.ToolName != "Bash" || e.SessionID == "" && e.Dialect != hook.Moai03 || !h.mentions(line) {
		return hook.Answer{}, nil
	}
	seen := maps.Clone(h.recallSession(e.SessionID).Docs)
	if seen == nil {
		seen = map[string]string{}
	}
	var docs []jit.Doc
	for _, argv := range h.Tables.Risks.Lines(line, e.CWD, h.Home) {
		docs = append(docs, jit.ForProgram(h.Tables.Contexts, argv, root(e), seen, 0)...)
	}
	if e.Dialect != hook.Moai03 { // its specification wants folders named, too: a model has no use for one, and what it runs goes there by itself
		docs = slices.DeleteFunc(docs, func(d jit.Doc) bool { return strings.HasSuffix(d.Path, "/") })
	}
	if len(docs) == 0 {
		return hook.Answer{}, nil
	}
	m := h.recallSession(e.SessionID)
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.given(seen, docs); return true })
	a := hook.Answer{Context: []string{handover(docs)}}
	h.handedOver(e, &a, m, docs)
	for _, d := range docs {
		a.ContextFiles = append(a.ContextFiles, d.Path)
	}
	return a, nil
}

// handedOver writes down which documents were handed over, and tells the user once when they are more than they should be. m is what
// was known before.
func (h *Handlers) handedOver(e *hook.Event, a *hook.Answer, m *memory, docs []jit.Doc) {
	if len(docs) == 0 {
		return
	}
	before, tokens := m.tokens(), 0
	var paths []string
	for _, d := range docs {
		paths = append(paths, d.Path)
		tokens += d.Tokens - m.Tokens[d.Path] // handed over again, it counts once
	}
	h.note(e, "documents: "+term.Clip(strings.Join(paths, ", "), 500), types.ContextLoaded{Documents: paths, Tokens: tokens})
	used, budget := before+tokens, h.Config.Int("context.token_budget")
	if budget == 0 || used <= budget || before > budget {
		return
	}
	h.note(e, fmt.Sprintf("documents of about %d tokens, the budget is %d", used, budget), types.ContextOverflow{TokensUsed: used, TokenBudget: budget})
	a.Notifications = append(a.Notifications, hook.Notification{
		Level: "warn", Title: "moai",
		Message: fmt.Sprintf("the documents handed over in this session are about %d tokens, more than context.token_budget (%d)", used, budget),
		Action:  "start a new session for the next task, or moai config set context.token_budget",
	})
}

// mentions is a quick look whether any program of the rules could be on a line,
// so that the usual command costs no parsing and no state.
func (h *Handlers) mentions(line string) bool {
	for i := range h.Tables.Contexts {
		for _, p := range h.Tables.Contexts[i].Programs {
			name, _, _ := strings.Cut(p, " ")
			if strings.Contains(line, name) {
				return true
			}
		}
	}
	return false
}

// handover names the documents for the model, or holds their text where the
// user wants it inlined and it fits.
func handover(docs []jit.Doc) string {
	// Texts first and names last, so that the wish to read them stands at the end.
	var named []string
	var b strings.Builder
	for _, d := range docs {
		if d.Text == "" {
			named = append(named, d.Path)
			continue
		}
		fmt.Fprintf(&b, "<document path=%q>\n%s\n</document>\n", d.Path, strings.TrimRight(d.Text, "\n"))
	}
	b.WriteString(hook.Documents(named))
	return strings.TrimRight(b.String(), "\n")
}
