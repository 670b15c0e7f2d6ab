package doctor

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// lately is how many days count: what failed before that has been mended since, or nobody minds.
const lately = 7

// trouble is what the journal says about the calls of one event.
type trouble struct {
	kind, event, text string
	times             int
	millis            float64 // of the slowest
	last              time.Time
}

// calls tells by the journal which calls of the last days failed, were not as promised, or took longer than they should.
func calls(e *Env) Result {
	var list []*trouble
	recent := journal.Query{Types: []string{"hook_slow", "hook_failed", "contract_broken"}, Since: time.Now().AddDate(0, 0, -lately)}
	known, err := recent.Run(state.JournalPath(e.StateDir, e.Project), func(j *journal.Event) error {
		var d struct {
			Event, Cause, Slowest string
			Millis                float64 `json:"duration_ms"`
		}
		if err := json.Unmarshal(j.Details, &d); err != nil {
			return nil // another moai's words
		}
		at := slices.IndexFunc(list, func(t *trouble) bool { return t.kind == j.Type && t.event == d.Event })
		if at < 0 {
			at, list = len(list), append(list, &trouble{kind: j.Type, event: d.Event})
		}
		t := list[at]
		t.times, t.last = t.times+1, j.Created
		if d.Millis >= t.millis {
			t.millis, t.text = d.Millis, d.Cause+d.Slowest
		}
		return nil
	})
	if err != nil {
		return Result{Status: Warn, Detail: plain(err)}
	}
	r, failed, slow := Result{}, 0, 0
	for _, t := range list {
		last := t.last.Local().Format(time.DateTime)
		switch t.kind {
		case "hook_slow":
			slow += t.times
			r.Items = append(r.Items, Item{Name: t.event, Millis: t.millis, Detail: fmt.Sprintf("over its budget %s, at worst by %s", term.Count(t.times, "time"), t.text)})
		case "hook_failed":
			failed += t.times
			if t.event == "" {
				t.event = "unknown event"
			}
			r.Items = append(r.Items, Item{Name: t.event, Status: Warn, Detail: fmt.Sprintf("failed %s, last at %s: %s", term.Count(t.times, "time"), last, t.text)})
		default:
			r.Items = append(r.Items, Item{Name: "surroundings", Status: Warn, Detail: fmt.Sprintf("not as promised (moai hook contract), last at %s: %s", last, t.text)})
		}
	}
	r.Detail = fmt.Sprintf("in the last %d days %s failed and %d took longer than they should", lately, term.Count(failed, "call"), slow)
	if known.Trimmed && known.From.After(recent.Since) {
		r.Detail += "; what was before " + known.From.Local().Format(time.DateTime) + " is no longer in the journal"
	}
	return sum(r)
}
