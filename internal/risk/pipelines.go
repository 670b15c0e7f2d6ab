package risk

import (
	"path"
	"slices"
	"strings"
)

// A push rewrites nothing, and is everyday. Where the repository says itself that a tag starts something, such as a release, the push of one is more than that.

// maxPipelines bounds how many files are read that say what a service does with a push; with more of them one may.
const maxPipelines = 64

// startsByTag reports a push of tags from a repository in which a pipeline starts by one.
func (m *match) startsByTag() bool {
	c, k := m.c, m.call
	if c.in.Settings == nil || k.away() || !m.pushesTags() {
		return false
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok {
		return false
	}
	top, read := c.repository(dir), 0
	for name := range c.set.words("files-of-pipelines") {
		files := []string{top + "/" + name}
		if strings.Contains(name, "*") {
			files = files[:0]
			if c.in.Names == nil || !c.spend(costSettings) {
				continue
			}
			names, _ := c.in.Names(top + "/" + name)
			for _, base := range names {
				files = append(files, top+"/"+path.Dir(name)+"/"+base)
			}
		}
		for _, file := range files {
			if read++; top == "" || read > maxPipelines || !c.spend(costSettings) {
				return read > maxPipelines
			}
			text, there := c.in.Settings(file)
			if there && len(text) <= maxLooked && c.spend(1+len(text)/textBytes) && c.tagStarts(text) {
				m.detail = "by " + strings.TrimPrefix(file, top+"/")
				return true
			}
		}
	}
	return false
}

// tagStarts reports a pipeline that says so: in front of its jobs, if it has them by that name, or by a variable that a service sets for tags alone.
func (c *checker) tagStarts(text string) bool {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString(line)
		}
	}
	head, _, jobs := strings.Cut(b.String(), "\njobs:")
	return jobs && c.set.mentions("starts-by-tag", head) || c.set.mentions("set-for-tags", b.String())
}

// pushesTags reports a push that takes tags along: all, or one by its name or as a call before it on the line has made it.
func (m *match) pushesTags() bool {
	c, k := m.c, m.call
	if k.given([]string{"-d", "--delete"}) {
		return false
	}
	if k.given([]string{"--tags", "--follow-tags"}) {
		return true
	}
	return slices.ContainsFunc(m.refspecs(), func(spec [2]string) bool {
		from, to := spec[0], spec[1]
		return from != "" && (strings.HasPrefix(from, "refs/tags/") || strings.HasPrefix(to, "refs/tags/") || version(from) ||
			slices.ContainsFunc(c.calls[:min(k.index, len(c.calls))], func(p call) bool {
				return p.name == k.name && p.sub("tag", nil) && slices.ContainsFunc(p.operands[min(1, len(p.operands)):], func(j int) bool { return p.cmd.Args[j].Text == from })
			}))
	})
}
