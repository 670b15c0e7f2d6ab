package settings

import (
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// A flat file has no groups: {"version": 1, "hooks": {EVENT: [{"command": …, "matcher": …}]}}.

// flatVersion is the one that is written where a file says none.
const flatVersion = "1"

// PlanFlat is Plan for a flat file.
func PlanFlat(old []byte, want Registration) ([]byte, error) {
	d, err := parse(orEmpty(old))
	if err != nil {
		return nil, err
	}
	if hooks, err := d.flatHooks(); err != nil {
		return nil, err
	} else if standing(hooks, want) {
		return old, nil
	}
	if d, err = d.withoutFlat(); err != nil {
		return nil, err
	}
	if member(d.object, "version") == nil {
		d.insert(d.root, field{"version", flatVersion})
	}
	for i := range want.Hooks {
		if d, err = d.applied(); err != nil {
			return nil, err
		}
		d.addFlat(want, &want.Hooks[i])
	}
	if d, err = d.applied(); err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// RemoveFlat is Remove for a flat file.
func RemoveFlat(old []byte) ([]byte, error) {
	if isBlank(old) {
		return old, nil
	}
	d, err := parse(old)
	if err != nil {
		return nil, err
	}
	if d, err = d.withoutFlat(); err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// flatHooks is the object of the events; nil where there is none.
func (d *document) flatHooks() (*hujson.Object, error) {
	v := member(d.object, "hooks")
	if v == nil {
		return nil, nil
	}
	hooks, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.wrong(*v, `"hooks"`, "an object")
	}
	for i := range hooks.Members {
		if _, ok := hooks.Members[i].Value.Value.(*hujson.Array); !ok {
			return nil, d.wrong(hooks.Members[i].Value, quote(text(&hooks.Members[i].Name)), "a list")
		}
	}
	return hooks, nil
}

// flatEntry is one entry as it is written.
func (r *Registration) flatEntry(h *Hook) object {
	entry := object{{"command", quote(r.text(*h))}}
	if h.Matcher != "" {
		entry = append(entry, field{"matcher", quote(h.Matcher)})
	}
	if h.Timeout > 0 {
		entry = append(entry, field{"timeout", strconv.Itoa(h.Timeout)})
	}
	if h.Failure == Block {
		entry = append(entry, field{"failClosed", "true"})
	}
	return entry
}

// standing reports that a file has exactly the wanted entries of moai.
func standing(hooks *hujson.Object, want Registration) bool {
	if hooks == nil {
		return false
	}
	found := 0
	for i := range hooks.Members {
		event, entries := text(&hooks.Members[i].Name), hooks.Members[i].Value.Value.(*hujson.Array)
		for j := range entries.Elements {
			v := &entries.Elements[j]
			if _, own := ownCall(v); !own {
				continue
			}
			found++
			obj := v.Value.(*hujson.Object)
			if !slices.ContainsFunc(want.Hooks, func(h Hook) bool {
				wanted := want.flatEntry(&h)
				return h.Event == event && len(wanted) == len(obj.Members) && !slices.ContainsFunc(wanted, func(f field) bool {
					m := member(obj, f.name)
					return m == nil || string(m.Pack()) != f.value.(string) && quote(text(m)) != f.value.(string)
				})
			}) {
				return false
			}
		}
	}
	return found == len(want.Hooks)
}

// addFlat plans the insertion of an entry.
func (d *document) addFlat(want Registration, h *Hook) {
	entry := want.flatEntry(h)
	hooks := member(d.object, "hooks")
	if hooks == nil {
		d.insert(d.root, field{"hooks", object{{h.Event, list{entry}}}})
		return
	}
	if entries := member(hooks.Value.(*hujson.Object), h.Event); entries != nil {
		d.insert(*entries, entry)
		return
	}
	d.insert(*hooks, field{h.Event, list{entry}})
}

// withoutFlat is the document without the entries of moai, and without lists that hold nothing else.
func (d *document) withoutFlat() (*document, error) {
	hooks, err := d.flatHooks()
	if err != nil || hooks == nil {
		return d, err
	}
	empty := map[int]bool{}
	for i := range hooks.Members {
		entries := hooks.Members[i].Value.Value.(*hujson.Array)
		gone := map[int]bool{}
		for j := range entries.Elements {
			if _, own := ownCall(&entries.Elements[j]); own {
				gone[j] = true
			}
		}
		switch {
		case len(gone) == 0:
		case len(gone) == len(entries.Elements):
			empty[i] = true
		default:
			d.cut(hooks.Members[i].Value, gone)
		}
	}
	if len(empty) > 0 {
		d.cut(*member(d.object, "hooks"), empty)
	}
	return d.applied()
}
