package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// branchPlan is what an undo does to the settings of branches that come back, or go: Git takes them along with a branch, too.
type branchPlan struct {
	back, gone []string // sections
	want       []repo.Setting
}

// branchesOf plans that. Those of a branch that was renamed stand under its new name; else a checkpoint of the turn has them, or the one that
// an undo before has made.
func (e *env) branchesOf(u *undoing, ch *change, plan *undo.Plan) *branchPlan {
	p := &branchPlan{}
	table := e.risks(u.r.WorkTree).Settings
	had := e.during(u, ch)
	if ch.mirrors { // as it was last
		slices.Reverse(had)
	}
	for _, m := range plan.Moves {
		branch, is := strings.CutPrefix(m.Ref, "refs/heads/")
		section := "branch." + branch
		now := checkpoint.SettingsNow(u.r, table, section)
		switch {
		case !is:
		case m.To.IsZero() && len(now) > 0:
			p.gone = append(p.gone, section)
		case m.From.IsZero() && len(now) == 0:
			want := e.renamedSettings(u, plan, branch)
			for i := range had {
				if len(want) == 0 {
					want = slices.DeleteFunc(had[i].SettingsThen(u.r, e.vaultDir(), table), func(s repo.Setting) bool { return s.Of() != section })
				}
			}
			if len(want) > 0 {
				p.back, p.want = append(p.back, section), append(p.want, want...)
			}
		}
	}
	return p
}

// renamedSettings are those of a branch under the name that goes in its favour.
func (e *env) renamedSettings(u *undoing, plan *undo.Plan, branch string) (out []repo.Setting) {
	for _, m := range plan.Moves {
		name, is := strings.CutPrefix(m.Ref, "refs/heads/")
		if is && m.To.IsZero() && u.r.RenamedFrom(name) == branch {
			for _, s := range checkpoint.SettingsNow(u.r, e.risks(u.r.WorkTree).Settings, "branch."+name) {
				s.Name = branch
				out = append(out, s)
			}
		}
	}
	return out
}

// during are the checkpoints of a session since its turns began, the oldest first.
func (e *env) during(u *undoing, ch *change) (out []checkpoint.Checkpoint) {
	if u.r.Shadow || len(ch.turns) == 0 {
		return nil
	}
	list, err := checkpoint.Last(u.r, manyUndone)
	if err != nil {
		return nil
	}
	for i := range slices.Backward(list) {
		if list[i].Session == ch.session && !list[i].Time.Before(ch.began()) {
			out = append(out, list[i])
		}
	}
	return out
}

// keep saves what goes, so that a redo finds it.
func (p *branchPlan) keep(e *env, u *undoing, ch *change) error {
	if len(p.gone) == 0 {
		return nil
	}
	o := e.saving(u.r, ch.session)
	o.Operation, o.Session, o.Sections, o.Settings, o.Now = "undo", ch.session, []string{"branch"}, e.risks(u.r.WorkTree).Settings, time.Now()
	_, err := checkpoint.Create(u.ctx, u.r, o)
	return err
}

// set does it, as far as the branches came and went.
func (p *branchPlan) set(e *env, u *undoing) error {
	there := func(section string) bool {
		_, err := u.r.Resolve("refs/heads/" + strings.TrimPrefix(section, "branch."))
		return err == nil
	}
	p.back = slices.DeleteFunc(p.back, func(section string) bool { return !there(section) })
	p.gone = slices.DeleteFunc(p.gone, there)
	if len(p.back)+len(p.gone) == 0 {
		return nil
	}
	want := slices.DeleteFunc(p.want, func(s repo.Setting) bool { return !slices.Contains(p.back, s.Of()) })
	return checkpoint.SetSettings(u.r, e.risks(u.r.WorkTree).Settings, slices.Concat(p.back, p.gone), want)
}

// texts name it.
func (p *branchPlan) texts() (out []string) {
	for _, section := range p.back {
		out = append(out, "settings of "+term.Name(section)+" come back")
	}
	for _, section := range p.gone {
		out = append(out, "settings of "+term.Name(section)+" go")
	}
	return out
}

// settingsGone says which settings went with a command of the turns and do not come back, and what brings them back.
func (e *env) settingsGone(u *undoing, ch *change, p *branchPlan) (out []string) {
	table := e.risks(u.r.WorkTree).Settings
	named := slices.Concat(p.back, p.gone)
	for _, c := range e.during(u, ch) {
		var gone []string
		for _, s := range c.SettingsThen(u.r, e.vaultDir(), table) {
			section := s.Of()
			if slices.Contains(named, section) {
				continue
			}
			if branch, is := strings.CutPrefix(section, "branch."); is {
				if _, err := u.r.Resolve("refs/heads/" + branch); err != nil {
					continue
				}
			}
			if now := checkpoint.SettingsNow(u.r, table, section); !slices.ContainsFunc(now, func(n repo.Setting) bool { return n.Key == s.Key }) {
				gone, named = append(gone, term.Name(section)), append(named, section)
			}
		}
		if len(gone) > 0 {
			out = append(out, fmt.Sprintf("settings of %s (%s brings them back)", strings.Join(gone[:min(len(gone), shownUndone)], ", "), checkpoint.Way{ID: c.Brief(), Missing: true}))
		}
	}
	return out
}
