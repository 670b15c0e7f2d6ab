package ground

import (
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Configured lists Git's settings of a section that hold in a folder, as "key value". ok is false where they cannot be read.
func (g *Facts) Configured(dir, section string) (list []string, ok bool) {
	if !g.looks.Take(work.Path(dir) + costOpen) {
		return nil, false
	}
	r, err := g.open(dir)
	if err != nil {
		_, declined := repo.AsDeclined(err)
		return nil, !declined
	}
	info, known := g.lstat(filepath.Join(r.CommonDir, "config"))
	if !known || info != nil && !g.looks.Take(4*work.Read(info.Size())) {
		return nil, false
	}
	for key, value := range r.Config().All() {
		if strings.HasPrefix(key, section+".") {
			list = append(list, key+" "+value)
		}
	}
	return list, true
}
