package verify

import (
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// submodules are the folders ("a/b/") of submodules that are checked out. The index names them, so that a repository without any is asked nothing.
func submodules(r *repo.Repo, ix *repo.Index) (list []string) {
	for _, i := range ix.Trusted() {
		if e := ix.At(i); e.Mode == repo.ModeGitlink && len(list) < maxModules && exists(r.Path(e.Path+"/.git")) {
			list = append(list, e.Path+"/")
		}
	}
	return list
}

// CommittedInside is Committed for the repositories inside, submodules among them.
func (p *Picture) CommittedInside(r *repo.Repo, before *Picture) (files []string) {
	if p.Tree != before.Tree {
		return nil
	}
	for dir, head := range p.Heads {
		if was := before.Heads[dir]; was == "" || was == head {
			continue
		}
		if sub, err := repo.Open(r.Path(strings.TrimSuffix(dir, "/"))); err == nil && sub.WorkTree == r.Path(strings.TrimSuffix(dir, "/")) {
			files = append(files, p.part(sub, dir).Committed(sub, before.part(sub, dir))...)
		}
	}
	return files
}

// Inside are the repositories inside that both pictures know, with what each has of them.
func (p *Picture) Inside(r *repo.Repo, before *Picture, each func(sub *repo.Repo, now, before *Picture)) {
	for dir := range p.Heads {
		at := r.Path(strings.TrimSuffix(dir, "/"))
		if before.Heads[dir] == "" || p.Tree != before.Tree {
			continue
		}
		if sub, err := repo.Open(at); err == nil && sub.WorkTree == at {
			each(sub, p.part(sub, dir), before.part(sub, dir))
		}
	}
}

// part is what a picture has of a repository inside, as a picture of that.
func (p *Picture) part(sub *repo.Repo, dir string) *Picture {
	own := &Picture{Tree: sub.WorkTree, At: p.At, Head: p.Heads[dir], Files: map[string]Stamp{}, Partial: p.Partial, Rest: p.Rest}
	for path, s := range p.Files {
		if in, is := strings.CutPrefix(path, dir); is {
			own.Files[in] = s
		}
	}
	return own
}
