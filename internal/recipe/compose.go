package recipe

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// Compose are the commands of a file of services which see folders of this machine, each as the call of run that would do the same. words are the
// members that are a command together.
func Compose(s, run string, words []string) (steps []Step) {
	services := yamlNode(s).member("services")
	if services == nil {
		return nil
	}
	for _, one := range services.list[:min(len(services.list), maxSteps)] {
		line, mounts := run, 0
		if volumes := one.member("volumes"); volumes != nil {
			for _, v := range volumes.list {
				from := v.text
				if source, target := v.member("source"), v.member("target"); source != nil && target != nil {
					from = source.text + ":" + target.text
				}
				if strings.HasPrefix(from, "~") {
					line, mounts = line+" -v ~"+argv.Quote(from[1:]), mounts+1
				} else if from != "" && strings.ContainsAny(from[:1], "./$") {
					line, mounts = line+` -v "`+strings.NewReplacer(`"`, "", "`", "", `\`, "").Replace(from)+`"`, mounts+1
				}
			}
		}
		said, at := "", 0
		for _, key := range words {
			if m := one.member(key); m != nil {
				said, at = said+" "+m.shellWords(), m.line
			}
		}
		if mounts > 0 && strings.TrimSpace(said) != "" {
			steps = append(steps, Step{Parts: text(line + " image" + strings.ReplaceAll(said, "$$", "$")), Line: at, Service: true})
		}
	}
	return steps
}

// shellWords is a command as a line, or as a list of its words.
func (n *node) shellWords() string {
	if n.text != "" {
		return n.text
	}
	list := make([]string, len(n.list))
	for i := range n.list {
		list[i] = n.list[i].text
	}
	return argv.Quote(list...)
}

// Texts are the texts below a path of a manifest.
func Texts(s, kind, field string) (list []string) {
	var n *node
	keys := strings.Split(field, ".")
	switch kind {
	case "json":
		var members map[string]any
		if json.Unmarshal([]byte(s), &members) != nil {
			return nil
		}
		n = treeNode(members, 1, func(string, int) int { return 1 }, 0)
	case "toml":
		n = tomlNode(s, path.Dir(strings.ReplaceAll(field, ".", "/")))
		keys = keys[len(keys)-1:]
	default:
		n = yamlNode(s)
	}
	for _, key := range keys {
		n = n.member(key)
	}
	if n == nil || len(n.keys) > 0 {
		return nil
	}
	for _, one := range n.list {
		if one.text != "" && !slices.Contains(list, one.text) {
			list = append(list, one.text)
		}
	}
	return list
}
