package settings

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/modu-ai/moai/internal/argv"
)

// update brings moai's entries to what is wanted, drops the ones that are
// not, and returns the hooks for which there is no entry yet. The edits are
// pending.
func (d *document) update(want Registration) (missing []Hook, err error) {
	own, err := d.own()
	if err != nil {
		return nil, err
	}
	given := make([]int, len(own)) // 1 + index into want.Hooks
	taken := make([]bool, len(want.Hooks))
	give := func(fits func(o entry, h Hook) bool) {
		for i, o := range own {
			for n, h := range want.Hooks {
				if given[i] == 0 && !taken[n] && h.Event == o.event && fits(o, h) {
					given[i], taken[n] = n+1, true
				}
			}
		}
	}
	// An entry whose matcher is right already is preferred over one that
	// needs another, and a matcher that others share is not changed.
	give(func(o entry, h Hook) bool { return equalMatcher(o.matcher, h.Matcher) })
	give(func(o entry, h Hook) bool { return len(o.list.Elements) == 1 })
	for i, o := range own {
		if given[i] != 0 {
			d.refresh(o, want, want.Hooks[given[i]-1])
		}
	}
	d.drop(own, func(i int) bool { return given[i] == 0 })
	for n, h := range want.Hooks {
		if !taken[n] {
			missing = append(missing, h)
		}
	}
	return missing, nil
}

// equalMatcher knows the three spellings of "always".
func equalMatcher(a, b string) bool {
	always := func(m string) bool { return m == "" || m == "*" }
	return a == b || always(a) && always(b)
}

// refresh plans the edits that turn an entry of moai into the wanted one.
// Only what differs is touched: a member that the user added, or ordered
// differently, is where it was.
func (d *document) refresh(o entry, want Registration, h Hook) {
	obj := o.value.Value.(*hujson.Object)
	gone := map[int]bool{} // members that go, all in one cut: each alone would leave the other's comma
	unset := func(name string) {
		if i := slices.IndexFunc(obj.Members, func(m hujson.ObjectMember) bool { return text(&m.Name) == name }); i >= 0 {
			gone[i] = true
		}
	}
	if !covers(o.matcher, h.Matcher) {
		d.set(o.group, "matcher", quote(h.Matcher), nil)
	}
	switch v := member(obj, "onFailure"); {
	case h.Failure == Block && text(v) != "block":
		// Behind the command and not at the end: a line with its comma can be deleted by hand.
		d.set(obj, "onFailure", quote("block"), member(obj, "command"))
	case h.Failure == Continue && v != nil && text(v) != "continue":
		unset("onFailure")
	}
	switch {
	case want.ByName && o.call.byName():
	case want.Portable, want.Line:
		if o.call.shell != want.text(h) {
			d.set(obj, "command", quote(want.text(h)), nil)
		}
		unset("args")
	default:
		if o.call.shell != "" || o.call.program != want.Program {
			d.set(obj, "command", quote(want.Program), nil)
		}
		// Shell text has its arguments in the command. With args beside it the
		// client takes the command for a path, so both change together.
		if o.call.shell != "" || !slices.Equal(o.call.args, h.Args) {
			d.set(obj, "args", quoteList(h.Args), member(obj, "command"))
		}
	}
	// A registration without a timeout has no opinion on the one that is there.
	if h.Timeout > 0 && o.timeout() != float64(h.Timeout) && !(want.ByName && o.call.byName()) {
		d.set(obj, "timeout", strconv.Itoa(h.Timeout), nil)
	}
	d.cut(*o.value, gone)
}

// text is the command of an entry: the program alone, where its arguments stand in a list.
func (r *Registration) text(h Hook) string {
	switch {
	case r.Portable:
		return portable(h.Args)
	case r.Line:
		return argv.Quote(append([]string{r.Program}, h.Args...)...)
	}
	return r.Program
}

// set replaces the value of a member. A new member goes behind after, or at
// the end of the object.
func (d *document) set(obj *hujson.Object, name, value string, after *hujson.Value) {
	if v := member(obj, name); v != nil {
		d.edits = append(d.edits, edit{v.StartOffset, v.EndOffset, value})
		return
	}
	last := &obj.Members[len(obj.Members)-1]
	if after == nil {
		after = &last.Value
	}
	// The blanks are those of the last member; its comments are its own.
	gap, colon := string(last.Name.BeforeExtra), string(last.Value.BeforeExtra)
	if strings.TrimSpace(gap) != "" {
		gap = " "
	}
	if strings.TrimSpace(colon) != "" {
		colon = " "
	}
	d.edits = append(d.edits, edit{after.EndOffset, after.EndOffset, "," + gap + quote(name) + ":" + colon + value})
}

// add plans the insertion of a new group for h, with all that has to be
// around it.
func (d *document) add(want Registration, h Hook) {
	command := object{{"type", quote("command")}, {"command", quote(want.text(h))}}
	if h.Failure == Block {
		command = append(command, field{"onFailure", quote("block")})
	}
	if !want.Portable && !want.Line {
		command = append(command, field{"args", quoteList(h.Args)})
	}
	if h.Timeout > 0 {
		command = append(command, field{"timeout", strconv.Itoa(h.Timeout)})
	}
	group := object{{"hooks", list{command}}}
	if h.Matcher != "" {
		group = append(object{{"matcher", quote(h.Matcher)}}, group...)
	}

	// What is there already decides how much is inserted; a group of its own
	// leaves the matchers of others alone.
	hooks := member(d.object, "hooks")
	if hooks == nil {
		d.insert(d.root, field{"hooks", object{{h.Event, list{group}}}})
		return
	}
	groups := member(hooks.Value.(*hujson.Object), h.Event)
	if groups == nil {
		d.insert(*hooks, field{h.Event, list{group}})
		return
	}
	d.insert(*groups, group)
}

// drop plans the deletion of the entries that gone picks, and of what around
// them is empty then.
func (d *document) drop(own []entry, gone func(i int) bool) {
	entries := map[*hujson.Array]map[int]bool{}
	groups := map[*hujson.Array]map[int]bool{}
	for i, o := range own {
		if !gone(i) {
			continue
		}
		mark(entries, o.list, o.inList)
		if len(entries[o.list]) == len(o.list.Elements) && bare(o.list.Elements, o.list.AfterExtra) && bareMembers(o.group) {
			mark(groups, o.groups, o.inGroups)
		}
	}
	if len(entries) == 0 {
		return
	}

	// From the outside in: what goes as a whole is not looked into again, so
	// that no two edits overlap.

	hooks := member(d.object, "hooks")
	members := hooks.Value.(*hujson.Object)
	events := map[int]bool{}
	for i := range members.Members {
		m := members.Members[i]
		arr, ok := m.Value.Value.(*hujson.Array)
		if ok && len(groups[arr]) > 0 && len(groups[arr]) == len(arr.Elements) && bare(arr.Elements, arr.AfterExtra) && bareColon(m) {
			events[i] = true
		}
	}
	at := slices.IndexFunc(d.object.Members, func(m hujson.ObjectMember) bool { return text(&m.Name) == "hooks" })
	if len(events) == len(members.Members) && bareMembers(members) && bareColon(d.object.Members[at]) {
		d.cut(d.root, map[int]bool{at: true})
		return
	}
	d.cut(*hooks, events)
	for i := range members.Members {
		arr, ok := members.Members[i].Value.Value.(*hujson.Array)
		if !ok || events[i] {
			continue
		}
		d.cut(members.Members[i].Value, groups[arr])
		for g := range arr.Elements {
			group, ok := arr.Elements[g].Value.(*hujson.Object)
			if !ok || groups[arr][g] {
				continue
			}
			if v := member(group, "hooks"); v != nil {
				if l, ok := v.Value.(*hujson.Array); ok {
					d.cut(*v, entries[l])
				}
			}
		}
	}
}

func mark(m map[*hujson.Array]map[int]bool, arr *hujson.Array, i int) {
	if m[arr] == nil {
		m[arr] = map[int]bool{}
	}
	m[arr][i] = true
}

// bare reports whether nothing but blanks is between the elements: a comment
// is a foreign byte that must survive.
func bare(elements []hujson.Value, end hujson.Extra) bool {
	for _, v := range elements {
		if !v.BeforeExtra.IsStandard() || !v.AfterExtra.IsStandard() {
			return false
		}
	}
	return end.IsStandard()
}

func bareMembers(obj *hujson.Object) bool {
	for _, m := range obj.Members {
		if !bare([]hujson.Value{m.Name, m.Value}, nil) {
			return false
		}
	}
	return obj.AfterExtra.IsStandard()
}

// bareColon looks between name and value only; what is around a member is not
// deleted with it.
func bareColon(m hujson.ObjectMember) bool {
	return m.Name.AfterExtra.IsStandard() && m.Value.BeforeExtra.IsStandard()
}

// quote writes a JSON string. The escapes of HTML would only make "<" and "&"
// in a path hard to read.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

func quoteList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
