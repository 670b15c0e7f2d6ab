package lang

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// With is the table with what a user adds to it. What he says comes first: a file name or an extension of a language of his is taken from the
// one that has it, and his tools are asked before the built-in ones.
func (t *Table) With(o *rule.OwnLanguages) (*Table, error) {
	c, err := Compile(o.Languages, &rule.LanguagePaths{Work: o.Work, Systems: o.Systems, Facts: o.Facts})
	if err != nil {
		return nil, err
	}
	if len(t.Claims)+2*len(c.Claims) > math.MaxInt16 {
		return nil, fmt.Errorf("%d names with claims are too many", len(c.Claims))
	}
	w := *t
	w.more = true
	w.Languages = slices.Clone(t.Languages)
	at := make([]int16, len(o.Languages)+1) // the places in w of the languages of c
	for i := range c.Languages {
		l := &c.Languages[i]
		if at[i+1] = t.byID(l.ID); at[i+1] == 0 {
			w.Languages = append(w.Languages, *l)
			w.own++
			at[i+1] = int16(len(w.Languages))
			continue
		}
		before(reflect.ValueOf(w.Language(at[i+1])).Elem(), reflect.ValueOf(l).Elem())
	}
	w.Needs = slices.Clone(t.Needs)
	for _, n := range slices.Backward(c.Needs) { // those of a name come before those of patterns
		count := func(of Needs) int { return strings.Count(of.File, "*") }
		at := slices.IndexFunc(w.Needs, func(of Needs) bool { return count(of) >= count(n) })
		if at < 0 {
			at = len(w.Needs)
		}
		w.Needs = slices.Insert(w.Needs, at, n)
	}
	w.Facts = slices.Concat(c.Facts, t.Facts)
	w.Systems = rule.Ecosystems{
		List: slices.Concat(c.Systems.List, t.Systems.List), Settings: slices.Concat(t.Systems.Settings, c.Systems.Settings),
		Scripts: slices.Concat(t.Systems.Scripts, c.Systems.Scripts),
	}
	w.Work.Runners = slices.Concat(c.Work.Runners, t.Work.Runners)
	w.Work.Tasks, w.Work.Steps = slices.Concat(t.Work.Tasks, c.Work.Tasks), slices.Concat(t.Work.Steps, c.Work.Steps)
	w.Work.Services = slices.Concat(c.Work.Services, t.Work.Services)
	w.Work.Before, w.Work.Prints = slices.Concat(t.Work.Before, c.Work.Before), slices.Concat(t.Work.Prints, c.Work.Prints)
	w.Specials = slices.Clone(t.Specials)
	for _, s := range c.Specials { // a few among thousands: sorting all would take longer than a hook
		at, there := slices.BinarySearchFunc(w.Specials, s, func(a, b Special) int { return cmp.Or(strings.Compare(a.Ext, b.Ext), strings.Compare(a.Name, b.Name)) })
		if !there {
			w.Specials = slices.Insert(w.Specials, at, s)
		}
	}
	w.Sums = slices.Concat(t.Sums, c.Sums)
	w.Claims = slices.Clone(t.Claims)
	w.Extension, w.Filename = w.over(c, at, c.Extensions, t.Extension), w.over(c, at, c.Filenames, t.Filename)
	w.Interpreter = w.over(c, at, c.Interpreters, t.Interpreter)
	w.Manifest = func(name string) bool { return c.Manifests[name] || t.Manifest(name) }
	return &w, nil
}

// over is a lookup of t behind the user's own: what he says of a name, and the claims of others only where he has but a claim himself.
func (t *Table) over(c *Compiled, at []int16, own map[string]Ref, below func(string) Ref) func(string) Ref {
	merged := make(map[string]Ref, len(own))
	for name, mine := range own {
		ref := below(name)
		ref.Flags |= mine.Flags
		if mine.Lang != 0 {
			ref.Lang, ref.Claims = at[mine.Lang], 0
		}
		if mine.Claims != 0 {
			row := slices.Clone(c.Claims[mine.Claims-1])
			for i := range row {
				row[i].Lang = at[row[i].Lang]
			}
			t.Claims = append(t.Claims, append(row, t.claims(ref)...))
			ref.Claims = int16(len(t.Claims))
		}
		merged[name] = ref
	}
	return func(name string) Ref {
		if ref, ok := merged[name]; ok {
			return ref
		}
		return below(name)
	}
}

// before puts what is said anew before what was: lists in front, other values in their place.
func before(old, said reflect.Value) {
	for i := range old.NumField() {
		switch to, from := old.Field(i), said.Field(i); {
		case to.Kind() == reflect.Struct:
			before(to, from)
		case from.IsZero():
		case to.Kind() == reflect.Slice:
			to.Set(reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(to.Type(), 0, to.Len()+from.Len()), from), to))
		default:
			to.Set(from)
		}
	}
}
