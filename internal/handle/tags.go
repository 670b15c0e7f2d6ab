package handle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/tag"
)

// shownFindings bounds what the model is told about one edit.
const shownFindings = 5

// tagPolicy looks at what is about to be written: code for a SPEC that does not
// exist is warned of or stopped, if the setting tags.policy says so (2.6).
func (h *Handlers) tagPolicy(_ context.Context, e *hook.Event) (hook.Answer, error) {
	policy := h.Config.String("tags.policy")
	path, text := written(e)
	// No TAG is without an @; most texts are done with here, before any file is read.
	if policy == "off" || h.TagOptions == nil || path == "" || !strings.Contains(text, "@") {
		return hook.Answer{}, nil
	}
	dir := root(e)
	o := h.TagOptions(dir)
	known := tag.Known(o, h.Tables.Tags.Kinds, below(dir))
	ids := tag.Specless(&h.Tables.Tags, relative(dir, path), text, o.Syntax, known)
	if len(ids) == 0 {
		return hook.Answer{}, nil
	}
	reason := fmt.Sprintf("moai: no SPEC exists for %s, which %s would define (tags.policy is %s)", strings.Join(ids, ", "), relative(dir, path), policy)
	if policy == "block" {
		h.noteAs(e, "warn", "deny tags.no-spec", types.Decision{Action: "deny", Answer: "deny", Rules: []string{"tags.no-spec"}, Tool: e.ToolName})
		return hook.Answer{Decision: hook.Deny, Reason: reason, Suggestions: []string{"write " + spec.Dir + "/SPEC-" + ids[0] + "/spec.md first"}}, nil
	}
	return hook.Answer{Context: []string{reason}}, nil
}

// written is the file and the new text of a tool call that writes one. Of an edit only
// what it puts in counts: TAGs that are there already are not this call's doing.
func written(e *hook.Event) (path, text string) {
	in := events.ToolInput(e)
	switch e.ToolName {
	case "Write":
		return in.Get("file_path").Text(), in.Get("content").Text()
	case "Edit":
		return in.Get("file_path").Text(), in.Get("new_string").Text()
	case "MultiEdit":
		var b strings.Builder
		for one := range in.Get("edits").Items() {
			b.WriteString(one.Get("new_string").Text() + "\n")
		}
		return in.Get("file_path").Text(), b.String()
	}
	return "", ""
}

// tagsBroken tells the model about TAGs that the edit it has just made broke.
func (h *Handlers) tagsBroken(e *hook.Event, rel string) []string {
	if h.TagOptions == nil || filepath.IsAbs(rel) {
		return nil
	}
	dir := root(e)
	o := h.TagOptions(dir)
	if h.DryRun {
		o.Index = "" // looking would write it
	}
	found := tag.Edited(o, &h.Tables.Tags, rel, func() []tag.Doc { return SpecDocs(dir, h.Tables.Specs) }, below(dir))
	if len(found) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "moai: TAGs in %s need attention:", rel)
	for i, f := range found {
		if i == shownFindings {
			fmt.Fprintf(&b, "\n- and %d more: moai tags verify", len(found)-i)
			break
		}
		fmt.Fprintf(&b, "\n- line %d: %s", f.Line, f.Text)
		if f.Hint != "" {
			b.WriteString(" (" + f.Hint + ")")
		}
	}
	h.note(e, fmt.Sprintf("TAGs in %s: %d", rel, len(found)), types.QualityWarning{Path: rel})
	return []string{b.String()}
}

// lookTags counts the chains that are open, in projects that work with SPECs: elsewhere
// the whole tree would be read for nothing.
func (h *Handlers) lookTags(dir string, p *project) {
	if h.TagOptions == nil {
		return
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(spec.Dir))); err != nil || !info.IsDir() {
		return
	}
	o := h.TagOptions(dir)
	if h.DryRun {
		o.Index = ""
	}
	if r, err := tag.Collect(o); err == nil {
		p.open = tag.Open(h.Tables.Tags.Kinds, r.All(), SpecDocs(dir, h.Tables.Specs))
	}
}

// SpecDocs are the SPEC documents as the chains need them.
func SpecDocs(dir string, words *rule.Specs) []tag.Doc {
	var docs []tag.Doc
	for _, s := range spec.List(dir, words) {
		if !s.Missing && tag.ValidID(s.ID) {
			docs = append(docs, tag.Doc{ID: s.ID, Title: s.Title, Path: s.Path, Status: s.Status(), Early: s.Early(), Dropped: s.Means() == rule.SpecDropped})
		}
	}
	return docs
}

// below answers whether a path exists in a project, and nothing outside it.
func below(dir string) func(string) bool {
	return func(path string) bool {
		local := filepath.FromSlash(path)
		if !filepath.IsLocal(local) {
			return false
		}
		_, err := os.Lstat(filepath.Join(dir, local))
		return err == nil
	}
}
