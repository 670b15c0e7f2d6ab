package doctor

import (
	"errors"

	"github.com/modu-ai/moai/internal/repo"
)

// repository checks that Git can be read. Without it there are no checkpoints,
// so what they could bring back is not protected.
func repository(e *Env) Result {
	r, err := repo.Open(e.Project)
	if errors.Is(err, repo.ErrNone) {
		return Result{Status: Warn, Detail: "no Git repository, so no checkpoints", Fix: "git init"}
	}
	if err != nil {
		return Result{Status: Fail, Detail: "cannot be read: " + err.Error(), Fix: "git status"}
	}
	head, err := r.Head()
	if err != nil {
		return Result{Status: Fail, Detail: "HEAD cannot be read: " + err.Error(), Fix: "git fsck"}
	}
	where := "on " + head.Branch
	switch {
	case r.Bare():
		return Result{Status: Warn, Detail: "a bare repository: there is no working tree to snapshot"}
	case head.Unborn:
		where = "on " + head.Branch + ", no commits yet"
	case head.Detached:
		where = "HEAD is detached"
	}
	return Result{Detail: r.WorkTree + ", " + where}
}
