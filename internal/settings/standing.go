package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// What the client does with the files was seen on Claude Code 2.1.329 and 2.1.330.

// Scoped is one of the files that a client reads its hooks from; Data is nil for
// none, Err says that it is there and cannot be read.
type Scoped struct {
	Path string
	Data []byte
	Err  error
}

// Standing is how a guard stands by all files together.
type Standing struct {
	Off     string     // the file that switches every hook off; "" if none does
	OffLine int        // and its line
	Tools   []string   // of the asked ones, those with which the guard is called
	Skipped []Unread   // files that the client does not take, and why
	Seen    []Sighting // moai's entries for the event, good and bad, in the order of the files
	Others  []string   // files that register moai for other events alone
}

// Unread is a file that the client does not take.
type Unread struct {
	Path string
	Line int // 0 for the whole file
	Why  string
}

func (u Unread) String() string {
	if u.Line == 0 {
		return u.Path + ": " + u.Why
	}
	return fmt.Sprintf("%s: line %d: %s", u.Path, u.Line, u.Why)
}

// Sighting is an entry of moai as it stands.
type Sighting struct {
	Path    string
	Line    int
	Matcher string
	Bent    string // the member that takes its verdict away, as written; "" for none
	Foreign string // the program, where it does not run what it should
}

// Stands tells with which of tools the client calls moai on an event, if it reads
// these files, the least specific first. calls says whether an entry runs what
// it should; entries that are written as one of known count in any case.
func Stands(files []Scoped, event string, tools, known []string, calls func(*Entry) bool) Standing {
	var s Standing
	fits := make([]bool, len(tools))
	all := make([][]byte, len(files))
	for i := range files {
		all[i] = files[i].Data
	}
	if i, line, off := Off(all...); off {
		s.Off, s.OffLine = files[i].Path, line
	}
	for i := range files {
		f := &files[i]
		if f.Err != nil {
			s.Skipped = append(s.Skipped, Unread{Path: f.Path, Why: f.Err.Error()})
			continue
		}
		if isBlank(f.Data) {
			continue
		}
		if p := Skipped(f.Data); p != nil {
			s.Skipped = append(s.Skipped, Unread{f.Path, p.Line, p.Text})
			continue
		}
		d, err := parse(f.Data)
		if err != nil {
			continue // Skipped has said so
		}
		own, err := d.own()
		if err != nil {
			s.Skipped = append(s.Skipped, Unread{Path: f.Path, Why: err.Error()})
			continue
		}
		if len(own) > 0 && !slices.ContainsFunc(own, func(o entry) bool { return o.event == event }) {
			s.Others = append(s.Others, f.Path)
		}
		for _, o := range own {
			if o.event != event {
				continue
			}
			e := Entry{Event: o.event, Matcher: o.matcher, Program: o.call.program, Args: o.call.args, Shell: o.call.shell, Timeout: o.timeout(), Line: d.line(o.value.StartOffset)}
			seen := Sighting{Path: f.Path, Line: e.Line, Matcher: o.matcher}
			if !slices.Contains(known, wording(&o)) {
				seen.Bent = bent(o.value)
				if seen.Bent == "" && !calls(&e) {
					seen.Foreign = strings.Join(append([]string{e.Program}, e.Args...), " ")
				}
			}
			s.Seen = append(s.Seen, seen)
			if seen.Bent != "" || seen.Foreign != "" {
				continue
			}
			for n, tool := range tools {
				fits[n] = fits[n] || Fits(o.matcher, tool)
			}
		}
	}
	for n, tool := range tools {
		if fits[n] {
			s.Tools = append(s.Tools, tool)
		}
	}
	return s
}

// Wordings lists how moai is called on an event, whatever that is worth: somebody's own
// arrangement counts for Stands as long as it is there in the same words.
func Wordings(files []Scoped, event string) []string {
	var list []string
	for i := range files {
		if files[i].Err != nil || isBlank(files[i].Data) || Skipped(files[i].Data) != nil {
			continue
		}
		d, err := parse(files[i].Data)
		if err != nil {
			continue
		}
		own, err := d.own()
		if err != nil {
			continue
		}
		for _, o := range own {
			if o.event == event {
				list = append(list, wording(&o))
			}
		}
	}
	return list
}

// Plain reports an entry that runs its program and nothing else, so that what the program
// says and how it ends is the hook's: a word more of shell text can throw either away.
func (e *Entry) Plain() bool {
	return e.Shell == "" || e.Shell == portable(e.Args) || strings.NewReplacer(`"`, "", "'", "").Replace(e.Shell) == strings.Join(append([]string{e.Program}, e.Args...), " ")
}

// wording is an entry without its matcher, as one text.
func wording(o *entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q", o.call.program, o.call.args, o.call.shell)
	if obj, ok := o.value.Value.(*hujson.Object); ok {
		for _, name := range bends {
			if m := member(obj, name); m != nil {
				fmt.Fprintf(&b, " %s=%s", name, m.String())
			}
		}
	}
	return b.String()
}

// bends are the members of an entry that take its verdict away: it runs for some calls
// only, or nobody waits for what it says.
var bends = [...]string{"if", "async", "asyncRewake", "shell", "timeout"}

// shortest is the least time in seconds that a guard needs to judge on a busy
// machine: what it says after its timeout does not count.
const shortest = 3

// bent is the first such member of an entry, as it is written; "" for none.
func bent(v *hujson.Value) string {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return strings.TrimSpace(v.String())
	}
	for _, name := range bends {
		m := member(obj, name)
		switch {
		case m == nil || m.Value.Kind() == 'f' || m.Value.Kind() == 'n':
		case name == "timeout" && m.Value.Kind() == '0' && m.Value.(hujson.Literal).Float() >= shortest:
		default:
			return name + ": " + strings.TrimSpace(m.String())
		}
	}
	return ""
}

// Fits tells whether a matcher of the client picks a name: nothing and "*" pick all,
// plain names are a list, anything else is a regular expression that may fit
// anywhere in the name. One that cannot be read picks nothing.
func Fits(matcher, name string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if strings.IndexFunc(matcher, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_- ,|", r))
	}) < 0 {
		for _, one := range strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
			if strings.TrimSpace(one) == name {
				return true
			}
		}
		return false
	}
	if len(matcher) > 4096 {
		return false
	}
	re, err := regexp.Compile(matcher)
	return err == nil && re.MatchString(name)
}
