package risk

import "strings"

// Which cluster a client of Kubernetes changes: that of the context which the line names, else of the current one of its file of settings.

// clusterElsewhere reports a context that is none of those which tools for clusters on this machine make, and that no word of its name calls a
// place where things are tried out. Where none is found nothing is known.
func (m *match) clusterElsewhere() bool {
	context := m.context()
	if context == "" || m.c.holdsWord(context, "stages") || m.localCluster(context) {
		return false
	}
	m.detail = context
	return true
}

// clusterHere reports a context of one that a tool for clusters on this machine made. The name "default" says nothing.
func (m *match) clusterHere() bool {
	context := m.context()
	return context != "" && context != "default" && m.localCluster(context)
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

// context is the one that the line names, else the current one; "" where it is not known.
func (m *match) context() string {
	context, named := m.call.valueOf(m.c.set, "options-of-context")
	if !named {
		context = m.currentContext()
	}
	if strings.ContainsAny(context, "$`") {
		return ""
	}
	return strings.ToLower(context)
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

// currentContext reads it from the file that the line, the environment or else the home says. Of several files the first that names one counts.
func (m *match) currentContext() string {
	c, k := m.c, m.call
	if c.in.Settings == nil || k.away() {
		return ""
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
				return name
			}
		}
	}
	return ""
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
