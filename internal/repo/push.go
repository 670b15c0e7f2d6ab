package repo

import "strings"

// PushesHidden reports that settings make a push without named references take those below hidden along: the remote is a mirror,
// or what it is given by default has them. remote is its name or address, "" for the one that git picks, "*" for any.
func (r *Repo) PushesHidden(remote, hidden string) bool {
	if remote == "" {
		remote = r.pushRemote()
	}
	// One look at each setting: there may be many. The last value of a variable counts, and of refspecs all.
	type settings struct{ asked, covers, spared bool }
	of := map[string]*settings{}
	entries := r.Config().entries
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		name, variable, ok := remoteKey(e.key)
		if !ok || variable != "mirror" && variable != "push" || remote != "*" && name != remote {
			continue
		}
		s := of[name]
		if s == nil {
			s = &settings{}
			of[name] = s
		}
		if variable == "push" {
			covers, spares := covers(e.value, hidden)
			s.covers, s.spared = s.covers || covers, s.spared || spares
			continue
		}
		if on, known := ParseBool(e.value); !s.asked && (e.bare || on && known) {
			return true
		}
		s.asked = true
	}
	for _, s := range of {
		if s.covers && !s.spared {
			return true
		}
	}
	return false
}

// remoteKey takes "remote.NAME.variable" apart.
func remoteKey(key string) (name, variable string, ok bool) {
	rest, ok := strings.CutPrefix(key, "remote.")
	at := strings.LastIndexByte(rest, '.')
	if !ok || at < 0 {
		return "", "", false
	}
	return rest[:at], rest[at+1:], true
}

// pushRemote is where a push goes that names no remote, in the order in which git asks.
func (r *Repo) pushRemote() string {
	c := r.Config()
	var own string
	if h, err := r.Head(); err == nil && h.Branch != "" {
		own = c.String("branch." + h.Branch + ".remote")
		if to := c.String("branch." + h.Branch + ".pushremote"); to != "" {
			return to
		}
	}
	if to := c.String("remote.pushdefault"); to != "" {
		return to
	}
	if own != "" {
		return own
	}
	only := ""
	for i := range c.entries {
		name, _, ok := remoteKey(c.entries[i].key)
		switch {
		case !ok || name == only:
		case only != "":
			return "origin" // there are several
		default:
			only = name
		}
	}
	if only != "" {
		return only
	}
	return "origin"
}

// covers reports that a refspec's source takes references below hidden along, or takes all of them out.
func covers(spec, hidden string) (takes, spares bool) {
	if out, ok := strings.CutPrefix(spec, "^"); ok {
		before, after, star := strings.Cut(out, "*")
		return false, star && after == "" && strings.HasPrefix(hidden, before)
	}
	source, _, _ := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	before, _, star := strings.Cut(source, "*")
	return strings.HasPrefix(before, hidden) || star && strings.HasPrefix(hidden, before), false
}
