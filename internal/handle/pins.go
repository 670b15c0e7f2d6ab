package handle

import (
	"errors"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// maxPins bounds how many references are looked at for one checkpoint: more than it keeps, so that it can name what is over.
const maxPins = 1000

// pins lists the references that a command may make unreachable or move, as its rules say. A snapshot holds
// files and HEAD; other branches, tags and stash entries live on only if
// something points at them. Every part of a line counts: the one that gives the
// snapshot its name need not be the one that moves a branch.
func pins(r *repo.Repo, v *risk.Verdict, line string) (out []string, err error) {
	seen := map[string]bool{}
	add := func(names ...string) {
		for _, name := range names {
			if len(out) < maxPins && !seen[name] && !strings.HasPrefix(name, "refs/heads/checkpoint/") {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	// What the call is about comes first: these are kept whatever the limit.
	if v.Pins&rule.PinHead != 0 {
		add("HEAD")
	}
	if v.Pins&rule.PinBranch != 0 {
		if h, err := r.Head(); err == nil && h.Branch != "" && !h.Unborn {
			add("refs/heads/" + h.Branch)
		}
	}
	named, err := r.Exist(inFull(v))
	add(named...)
	add(reached(r, v)...)
	if v.Pins&rule.PinStash != 0 {
		add("refs/stash")
	}
	narrow := !v.Unnamed && namesAll(v, line)
	for _, all := range families {
		if v.Pins&all.pin == 0 || narrow {
			continue
		}
		refs, damaged, bad := r.RefsOrDamaged(all.below)
		err = errors.Join(err, bad)
		for i := range refs[:min(len(refs), maxPins)] {
			add(refs[i].Name)
		}
		add(damaged...)
	}
	if v.Pins&rule.PinReflogs != 0 {
		add(checkpoint.ReflogPins)
	}
	if v.Pins&rule.PinWorktrees != 0 {
		add(checkpoint.WorktreePins)
	}
	if v.Pins&rule.PinUnderway != 0 {
		add(checkpoint.UnderwayPin)
	}
	return out, err
}

// families are the references of each kind that a rule may speak of.
var families = [...]struct {
	pin   rule.Pins
	below string
}{{rule.PinHeads, "refs/heads/"}, {rule.PinTags, "refs/tags/"}, {rule.PinNotes, "refs/notes/"}, {rule.PinReplaces, "refs/replace/"}, {rule.PinRemotes, "refs/remotes/"}}

// maxNamed bounds the words of a call that are looked up as names of references.
const maxNamed = 250

// inFull lists, by their full names, the references that calls may name, of the kinds that their rules speak of: whatever the
// limit on the others, these are kept. Most are none.
func inFull(v *risk.Verdict) (out []string) {
	for i := range v.Hits {
		text := v.Hits[i].Text
		words := strings.Fields(text)
		for _, word := range words[:min(len(words), maxNamed)] {
			if strings.HasPrefix(word, "-") {
				if _, word, _ = strings.Cut(word, "="); word == "" {
					continue
				}
			}
			name := strings.Trim(word, `'"`)
			if strings.HasPrefix(name, "refs/") {
				if v.Pins&rule.PinNamed != 0 && !strings.HasPrefix(name, "refs/moai/") {
					out = append(out, name) // notes, or a reference of another program
				}
				continue
			}
			for _, all := range families {
				if (v.Pins|pinOfNamed(v))&all.pin != 0 {
					out = append(out, all.below+name)
				}
			}
		}
		if v.Pins&rule.PinNamed != 0 {
			names := wordsOf(text).names // "-qBtopic" as well
			for _, name := range names[:min(len(names), maxNamed)] {
				out = append(out, "refs/heads/"+name)
			}
		}
	}
	return out
}

// reached lists the branches of other work trees whose HEADs a call names.
func reached(r *repo.Repo, v *risk.Verdict) (out []string) {
	var words []string
	for i := range v.Hits {
		for _, word := range strings.Fields(v.Hits[i].Text) {
			if word = strings.Trim(word, `'"`); v.Pins&rule.PinNamed != 0 && strings.HasSuffix(word, "/HEAD") {
				words = append(words, word)
			}
		}
	}
	if len(words) == 0 {
		return nil
	}
	for _, t := range r.Beside() {
		if slices.ContainsFunc(words, t.Reached) && t.Head.Branch != "" {
			out = append(out, "refs/heads/"+t.Head.Branch)
		}
	}
	return out
}

// pinOfNamed is the kind that the named ones are of where a rule speaks of no other.
func pinOfNamed(v *risk.Verdict) rule.Pins {
	if v.Pins&rule.PinNamed != 0 {
		return rule.PinHeads
	}
	return 0
}

// namesAll reports a line of one call that names what it moves, or of calls of which each names what it deletes: no other reference is in
// danger.
func namesAll(v *risk.Verdict, line string) bool {
	named := false
	for i := range v.Hits {
		h := &v.Hits[i]
		w := wordsOf(h.Text)
		if !v.Drops && h.Text != strings.TrimSpace(line) || len(h.Via) > 0 || !w.plain || len(w.names) == 0 || len(strings.Fields(h.Text)) > maxNamed {
			return false
		}
		named = named || h.Rule.Pins&rule.PinNamed != 0
	}
	return named
}

// onlyDrops reports a call that does nothing else in a repository than to delete references, and maybe go to another branch: all else is as
// it was, and may move on before somebody wants them back.
func onlyDrops(r *repo.Repo, v *risk.Verdict) bool {
	if !v.Drops || len(v.Touched) > 0 {
		return false
	}
	return !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		if hit.Action == risk.Allow || hit.Rule.Drops || hit.OnlyReads() {
			return false
		}
		return len(hit.Targets) == 0 || slices.ContainsFunc(hit.Targets, func(t risk.Target) bool {
			return t.Pattern != "" || t.Class&rule.Unknown != 0 || len(within(r, []string{t.Path})) > 0
		})
	})
}

// sections are the kinds of sections of the repository's settings that a call takes along.
func sections(rules *risk.Set, v *risk.Verdict) (out []string) {
	for i := range rules.Settings {
		if s := &rules.Settings[i]; v.Pins&s.Pin != 0 {
			out = append(out, s.Section)
		}
	}
	return out
}

// words are those of a call of git behind its subcommand, as far as they may name branches.
type words struct {
	names []string
	plain bool // they mean what they say, in the folder that the call is made in
}

func wordsOf(text string) (w words) {
	list := strings.Fields(text)
	if len(list) < 2 || list[0] != "git" || strings.HasPrefix(list[1], "-") {
		return w
	}
	w.plain = !strings.ContainsAny(text, "$`'\"\\*?[{~<>|&;")
	for _, one := range list[2:] {
		_, value, has := strings.Cut(one, "=")
		switch {
		case one == "-" || one == "@": // the branch before, and HEAD
			w.plain = false
		case !strings.HasPrefix(one, "-"):
			w.names = append(w.names, one)
		case strings.HasPrefix(one, "--") && has:
			w.names = append(w.names, value)
		default: // letters and the value of one of them, whichever it is: -qBtopic. A name too many is looked up in vain
			for i := 2; i < min(len(one), 6); i++ {
				w.names = append(w.names, one[i:])
			}
		}
	}
	return w
}

// movesNothing reports whether a call does nothing but delete or move branches that are not there: nothing is lost by that, and a
// snapshot before it would say that something had been in danger.
func movesNothing(dir string, v *risk.Verdict) bool {
	if len(v.Commits) > 0 {
		return false // of a branch that the line makes, commits to and deletes
	}
	for i := range v.Hits {
		w := wordsOf(v.Hits[i].Text)
		if v.Hits[i].Rule.Pins&rule.PinNamed == 0 || len(v.Hits[i].Via) > 0 || !w.plain || len(w.names) == 0 || len(w.names) > maxPins {
			return false
		}
		at := dir
		if t := v.Hits[i].Targets; len(t) > 0 { // git -C, or after cd
			at = t[0].Path
		}
		r, err := repo.Open(at)
		if err != nil {
			return false
		}
		var full []string
		for _, name := range w.names {
			// Names such as MERGE_HEAD belong to what is under way.
			if _, state := repo.State(name); state {
				if _, err := r.Resolve(name); !errors.Is(err, repo.ErrNoRef) {
					return false
				}
			}
			full = append(full, name, "refs/"+name, "refs/heads/"+name, "refs/remotes/"+name, "refs/tags/"+name)
		}
		if there, err := r.Exist(full); err != nil || len(there) > 0 {
			return false
		}
	}
	return len(v.Hits) > 0
}

// beyond says what the way back does not bring, as far as the rules that fired know, and what does.
func beyond(v *risk.Verdict) (list []string) {
	for i := range v.Hits {
		if text := v.Hits[i].Rule.Beyond; text != "" && v.Hits[i].Action != risk.Allow && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// onlyAdds reports calls that do no more than to add commits to those that are there. Where nothing is changed, all stays that is there, and a
// snapshot is no news.
func onlyAdds(v *risk.Verdict) bool {
	return v.Action == risk.Checkpoint && len(v.Touched) == 0 &&
		!slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Action != risk.Allow && !hit.Rule.Adds })
}

// onlyCommitted reports calls that move no reference, take no repository, and are not about a file that matters by its name. Where nothing is
// changed, HEAD holds all that they take, and a snapshot is no news, unless something would not come back by it.
func onlyCommitted(v *risk.Verdict, s *shot) bool {
	return v.Action == risk.Checkpoint && v.Pins&^rule.PinNone == 0 && s.away == "" && s.anew == "" && len(s.gone)+len(s.emptied)+len(s.shifted) == 0 &&
		len(s.Linked)+len(s.Raised)+len(s.SettingsLeft)+len(beyond(v)) == 0 &&
		!slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Rule.When.Files != 0 })
}

// follows reports a pull where the branch has no commit that its upstream, as it was last seen, has not: a rebase rewrites nothing then.
func follows(r *repo.Repo, v *risk.Verdict) bool {
	if slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Action != risk.Allow && hit.Rule.Operation != "pull" }) {
		return false
	}
	u, err := r.Upstream()
	return err == nil && u != nil && !u.Gone && !u.More && u.Ahead == 0
}

// stays reports calls that put files back to what HEAD holds, and leave HEAD and whatever waits where it is: on a tree without a change, nothing.
func stays(r *repo.Repo, v *risk.Verdict) bool {
	return !r.Waiting() && !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		words := slices.DeleteFunc(strings.Fields(hit.Text), func(w string) bool { return strings.HasPrefix(w, "-") })
		return hit.Action != risk.Allow && (hit.File != "" || hit.Rule.Operation != "reset-hard" || len(words) < 2 || words[0] != "git" || words[1] != "reset" || !slices.Equal(words[2:], []string{"HEAD"}) && len(words) > 2)
	})
}

// mayBring reports a call of Git's that may bring files over what Git ignores.
func mayBring(hit *risk.Hit, t *risk.Target) bool {
	return hit.Rule.Pins != 0 && t.Found() && !t.Sure()
}

// mayBringAny reports a line with such a call.
func mayBringAny(v *risk.Verdict) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Action != risk.Allow && slices.ContainsFunc(hit.Targets, func(t risk.Target) bool { return mayBring(&hit, &t) })
	})
}

// onlyBrings reports calls of which each does no more than that.
func onlyBrings(v *risk.Verdict) bool {
	return !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Action != risk.Allow && (len(hit.Targets) == 0 || slices.ContainsFunc(hit.Targets, func(t risk.Target) bool { return !mayBring(&hit, &t) }))
	})
}

// idle tells when a snapshot before a call would hold nothing that it takes: where nothing of what Git ignores is there for a call that may
// replace such; where nothing is changed for one of Git itself that takes changes alone, and no branch, tag or HEAD.
func idle(v *risk.Verdict) func(*checkpoint.Checkpoint) bool {
	const aside = rule.PinNone | rule.PinStash | rule.PinIndex | rule.PinUnderway
	all := func(is func(hit *risk.Hit) bool) bool {
		return !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Action != risk.Allow && !is(&hit) })
	}
	switch {
	case v.Drops && all(func(hit *risk.Hit) bool { return hit.Rule.Drops }):
		return func(c *checkpoint.Checkpoint) bool {
			return len(c.Pins)+len(c.Settings)+len(c.SettingsLeft)+len(c.Skipped) == 0
		}
	case all(func(hit *risk.Hit) bool {
		return hit.Rule.When.Effect == 0 && len(hit.Targets) > 0 && !slices.ContainsFunc(hit.Targets, func(t risk.Target) bool { return t.Sure() })
	}):
		git := onlyBrings(v)
		return func(c *checkpoint.Checkpoint) bool { return len(c.Vaulted) == 0 && (git || len(c.Skipped) == 0) }
	case len(v.Touched) > 0 || v.Pins&^(aside|rule.PinWorktrees) != 0:
		return nil
	case all(func(hit *risk.Hit) bool {
		return hit.Rule.Pins != 0 && hit.Rule.Pins&^aside == 0 && hit.Rule.When.Effect == 0
	}):
		return (*checkpoint.Checkpoint).Bare
	}
	return nil
}
