package risk

import (
	"slices"
	"strings"
)

// Which cluster a client of Kubernetes changes: that of the context which the line names, else of the current one of its file of settings.

// clusterElsewhere reports a context that is none of those which tools for clusters on this machine make, and that no word of its name calls a
// place where things are tried out. Where none is found nothing is known.
func (m *match) clusterElsewhere() bool {
	for _, context := range m.contexts() {
		if context != "" && !m.c.holdsWord(context, "stages") && !m.localCluster(context) {
			m.detail = context
			return true
		}
	}
	return false
}

// clusterHere reports a context of one that a tool for clusters on this machine made. The name "default" says nothing.
func (m *match) clusterHere() bool {
	return !slices.ContainsFunc(m.contexts(), func(context string) bool {
		return context == "" || context == "default" || !m.localCluster(context)
	})
}

// clusterUnset reports a file of settings that the line or a variable names and that is not there: nothing tells a cluster.
func (m *match) clusterUnset() bool {
	c, k := m.c, m.call
	files, named := k.valueOf(c.set, "options-of-kubeconfig")
	if !named {
		files = m.variableHere("KUBECONFIG")
	}
	if rest, ok := strings.CutPrefix(files, "~/"); ok && c.in.Home != "" {
		files = c.in.Home + "/" + rest
	}
	file, known := c.absolute(k, files)
	return files != "" && known && c.in.Exists != nil && !k.away() && !strings.ContainsAny(files, "$`:;") && !c.in.Exists(file)
}

// contexts are those that the call may meet: the one that it names, else the current one and what the line switched to before it; "" where it is
// not known.
func (m *match) contexts() (list []string) {
	if context, named := m.call.valueOf(m.c.set, "options-of-context"); named {
		list = []string{context}
	} else {
		list = m.switched()
	}
	for i, context := range list {
		if strings.ContainsAny(context, "$`") {
			context = ""
		}
		list[i] = strings.ToLower(context)
	}
	return list
}

// switched is the current context, and those that calls in front of this one make the current one. What is switched to for sure leaves nothing of
// what was before.
func (m *match) switched() (list []string) {
	c, k := m.c, m.call
	current, text := m.currentContext()
	list = []string{current}
	for i := range c.calls[:min(k.index, len(c.calls))] {
		context, made := c.switchesTo(&c.calls[i])
		if context == "" {
			continue
		}
		behind, chained := c.follows(&c.calls[i], k)
		if chained || behind && !made && namesContext(text, context) {
			list = list[:0]
		}
		list = append(list, context)
	}
	return list
}

// switchesTo is the context that a call makes the current one, by a row of "switches-context": the words, a colon, and its name, in which {} is the
// operand behind them, or the value of an option that names it. made tells that the call makes it.
func (c *checker) switchesTo(k *call) (context string, made bool) {
	if k.away() {
		return "", false
	}
	for row := range c.set.words("switches-context") {
		words, name, _ := strings.Cut(row, " : ")
		program, sub, _ := strings.Cut(words, " ")
		at := 0
		if program != k.raw || sub != "" && !k.sub(sub, &at) {
			continue
		}
		if name == "{}" {
			if at < len(k.operands) {
				context = k.operand(at)
			}
			return context, false
		}
		value, given := k.valueOf(c.set, "options-of-cluster-name")
		if front, default_, ok := strings.Cut(name, "{}="); ok && !given && at < len(k.operands) {
			return front + k.operand(at), true
		} else if ok && !given {
			return front + default_, true
		} else if ok {
			return front + value, true
		}
		return name, true
	}
	return "", false
}

// follows reports that a call comes behind one that runs for sure, and whether it does so only where that one ended well: a && b.
func (c *checker) follows(first, k *call) (behind, chained bool) {
	from, to := first.cmd.Span[1], k.cmd.Span[0]
	if len(first.cmd.Via) > 0 || len(k.cmd.Via) > 0 || from > to || to > len(c.res.Text) {
		return false, false
	}
	between := c.res.Text[from:to]
	chained = strings.Contains(between, "&&") && !strings.ContainsAny(strings.ReplaceAll(between, "&&", ""), "|;&\n")
	return chained || !first.cmd.Conditional && !strings.Contains(between, "||"), chained
}

// namesContext reports that a file of settings has a context: switching to it does not fail.
func namesContext(text, context string) bool {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t\"'-"), "name"); ok && strings.Trim(rest, " \t\r\n\"':,") == context {
			return true
		}
	}
	return false
}

func (m *match) localCluster(context string) bool {
	return m.c.set.members("local-clusters").Meets(func(name string) bool { return glob(name, context) })
}

// valueOf is the value of the last option of a group.
func (k *call) valueOf(set *Set, group string) (value string, given bool) {
	for i := range k.options {
		if o := &k.options[i]; o.has && set.In(group, o.name) {
			value, given = o.value, true
		}
	}
	return value, given
}

// currentContext reads it from the file that the line, the environment or else the home says, and what the file holds. Of several files the first
// that names one counts.
func (m *match) currentContext() (context, text string) {
	c, k := m.c, m.call
	if c.in.Settings == nil || k.away() {
		return "", ""
	}
	files, named := k.valueOf(c.set, "options-of-kubeconfig")
	if !named {
		files = m.variableHere("KUBECONFIG")
	}
	if files == "" {
		files = "~/.kube/config"
	}
	separator := ":"
	if c.in.Windows {
		separator = ";"
	}
	const most = 4 // files; a longer list is not read to its end
	for n, file := range strings.Split(files, separator) {
		if n == most || !c.spend(costSettings) {
			break
		}
		if rest, ok := strings.CutPrefix(file, "~/"); ok && c.in.Home != "" {
			file = c.in.Home + "/" + rest
		}
		file, known := c.absolute(k, file)
		if !known {
			break
		}
		if text, there := c.in.Settings(file); there && c.spend(len(text)/textBytes) {
			if name := contextIn(text); name != "" {
				return name, text
			}
		}
	}
	return "", ""
}

// variableHere is a variable as the call has it: by the line, else by the environment.
func (m *match) variableHere(name string) string {
	assigns := m.call.cmd.Assigns
	for i := len(assigns) - 1; i >= 0; i-- {
		if assigns[i].Name == name {
			return assigns[i].Value.Text
		}
	}
	value, _ := m.c.variable(name)
	return value
}

// contextIn finds the current context by its line, in YAML and in JSON.
func contextIn(text string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t\"'"), "current-context"); ok {
			return strings.Trim(rest, " \t\r\n\"':,")
		}
	}
	return ""
}
