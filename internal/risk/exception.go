package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// exception finds the user's exception that lets a hit through. All of a hit's
// targets must be covered: one allowed path does not excuse another. One that nobody has
// answered for is noted in the hit.
func (s *Set) exception(in *Input, h *Hit) *rule.Allowed {
	for set := s; set != nil; set = set.More {
		for i := range set.Allows {
			e := &set.Allows[i]
			if !excuses(e, in, h) {
				continue
			}
			if set.Sealed == nil || set.Sealed(e) {
				return e
			}
			if h.Unsealed == nil {
				h.Unsealed = e
			}
		}
	}
	return nil
}

// Excusable reports whether exceptions can name a rule: what stands for a line
// that was not understood is in no table, and an exception for it would excuse
// anything.
func Excusable(r *rule.Risk) bool { return !slices.Contains(Own(), r) }

// Named reports whether an exception for pattern ("git.*") is for the rule id.
func Named(pattern, id string) bool {
	return slices.ContainsFunc(rule.Braces(pattern), func(p string) bool { return globFold(p, id) })
}

func excuses(e *rule.Allowed, in *Input, h *Hit) bool {
	if !Named(e.Rule, h.Rule.ID) {
		return false
	}
	if e.Session != "" && e.Session != in.Session || e.Project != "" && e.Project != in.Root && (!in.Windows || forward(e.Project) != in.Root) {
		return false
	}
	if !in.Now.IsZero() && e.Over(in.Now) {
		return false
	}
	if e.Path != "" {
		if len(h.Targets) == 0 {
			return false
		}
		for i := range h.Targets {
			if !covers(e.Path, h.Targets[i].Path, in) {
				return false
			}
		}
	}
	if e.Argument != "" {
		arguments, found := rule.Braces(e.Argument), false
		for _, word := range strings.Fields(h.Text) {
			if host := remoteHost(strings.Trim(word, `"'`)); host != "" && h.Host != "" && host != h.Host {
				continue // whose host is trusted is what files go to, not what they come from
			}
			found = found || slices.ContainsFunc(arguments, func(p string) bool { return glob(p, strings.Trim(word, `"'`)) })
		}
		if !found {
			return false
		}
	}
	return !e.Once || in.Used == nil || !in.Used(e)
}

// Trust is the command by which a person lets a rule pass for the host that files are copied to, from now on; "" where there is none.
func (h *Hit) Trust() string {
	if h.Host == "" {
		return ""
	}
	return "moai risk allow " + h.Rule.ID + " --argument '" + h.Host + ":*' --reason 'my own server'"
}

// covers compares a path with the glob of an exception: relative globs start at
// the project, a folder covers what is in it.
func covers(pattern, p string, in *Input) bool {
	return slices.ContainsFunc(rule.Braces(anchored(pattern, in)), func(one string) bool {
		return glob(one, p) || strings.HasPrefix(p, one+"/")
	})
}

// anchored makes a glob begin where a path does.
func anchored(pattern string, in *Input) string {
	if in.Windows {
		pattern = drive(forward(pattern), true)
	}
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok && in.Home != "" {
		pattern = in.Home + "/" + rest
	}
	if !strings.HasPrefix(pattern, "/") && !(in.Windows && len(pattern) > 1 && pattern[1] == ':') && in.Root != "" {
		pattern = in.Root + "/" + pattern
	}
	return strings.TrimRight(pattern, "/")
}

// RealGlob is the glob of an exception with the links in its folders followed, as they
// are in the targets that it will be compared with. It is meant for the moment in which
// a person makes the exception: a link that leads elsewhere later must not take the
// exception along.
func RealGlob(pattern string, in *Input) string {
	if pattern == "" || in.Follow == nil {
		return pattern
	}
	if in.Windows {
		in = onWindows(in)
	}
	base, rest := anchored(pattern, in), ""
	if i := strings.IndexAny(base, "*?{"); i >= 0 {
		cut := max(strings.LastIndexByte(base[:i], '/'), 0)
		base, rest = base[:cut], base[cut:]
	}
	if base == "" || base[0] != '/' && !in.Windows {
		return pattern // there is no project to begin at
	}
	c := checker{in: in}
	real := c.spelled(in.Follow(base))
	if real == base {
		return pattern
	}
	return real + rest
}
