package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// repository checks that Git can be read. Without it there are no checkpoints,
// so what they could bring back is not protected.
func repository(e *Env) Result {
	r, err := repo.Open(e.Project)
	if errors.Is(err, repo.ErrNone) {
		if _, err := checkpoint.FindShadow(e.StateDir, e.Dir); err == nil {
			return Result{Status: OK, Detail: "no Git repository; moai keeps the snapshots of this folder"}
		}
		return Result{Status: Warn, Detail: "no Git repository, so no checkpoints", Fix: "git init"}
	}
	var declined *repo.Declined
	if errors.As(err, &declined) {
		fix := declined.Command()
		if fix == "" {
			fix = "git status"
		}
		return Result{Status: Fail, Detail: "cannot be read, so there are no checkpoints, and what would destroy its files is asked about: " + declined.Reason, Fix: fix}
	}
	if err != nil {
		return Result{Status: Fail, Detail: "cannot be read: " + err.Error(), Fix: "git status"}
	}
	head, err := r.Head()
	if err != nil {
		return Result{Status: Fail, Detail: "HEAD cannot be read: " + err.Error(), Fix: "git fsck"}
	}
	if err := parts(r, &head); err != nil {
		fix := "git fsck"
		var damaged *repo.Damaged
		if errors.As(err, &damaged) {
			fix = damaged.Advice
		}
		return Result{Status: Fail, Detail: "it is damaged, so there are no checkpoints: " + err.Error(), Fix: fix}
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
	r.GiveUpLocks("refs/stash", "refs/heads/"+head.Branch) // what a killed moai left is nothing to ask anybody about
	if lock, since := leftLock(r); lock != "" {
		detail := fmt.Sprintf("%s has been there since %s: a killed process left it, and Git and checkpoints wait for it in vain", lock, since.Format(time.DateTime))
		if filepath.Base(lock) == "index.lock" { // `git commit -a` keeps it while the message is written (seen with 2.39)
			detail += ", unless a commit is open in an editor"
		}
		return Result{Status: Warn, Detail: detail, Fix: "rm " + argv.Quote(lock)}
	}
	if res := references(r); res != nil {
		return *res
	}
	return Result{Detail: r.WorkTree + ", " + where}
}

// references tells of those of moai's own that lead nowhere, as an older version, a lost disk or a power cut leaves them.
func references(r *repo.Repo) *Result {
	list, err := checkpoint.FindBroken(r)
	if err != nil {
		return &Result{Status: Warn, Detail: err.Error(), Fix: "git fsck"}
	}
	if len(list) == 0 {
		return nil
	}
	res := &Result{
		Status: Warn, Fix: "moai doctor --fix",
		Detail: fmt.Sprintf("references of moai's own lead nowhere (%d), and git gc and git fsck fail for them; if a disk with objects is only away, bring it back first", len(list)),
	}
	for _, b := range list[:min(len(list), maxReferences)] {
		res.Items = append(res.Items, Item{Name: b.Ref, Status: Warn, Detail: b.Why})
	}
	return res
}

// maxReferences bounds how many are named.
const maxReferences = 5

// parts reads what every checkpoint needs: the index, and the commit of HEAD with its tree.
func parts(r *repo.Repo, head *repo.Head) error {
	if !r.Bare() {
		ix, err := r.Index()
		if err != nil {
			return err
		}
		ix.Close()
	}
	if head.Unborn {
		return nil
	}
	c, err := r.Commit(head.Hash)
	if err != nil {
		return err
	}
	_, err = r.Tree(c.Tree)
	return err
}

// leftLock is a lock that hardly anybody can still hold: Git takes these for moments, however long the command is, but for a
// commit that waits for its message.
func leftLock(r *repo.Repo) (path string, since time.Time) {
	for _, path := range []string{
		filepath.Join(r.GitDir, "index.lock"), filepath.Join(r.GitDir, "HEAD.lock"), filepath.Join(r.CommonDir, "packed-refs.lock"), filepath.Join(r.CommonDir, "config.lock"),
	} {
		if fi, err := os.Lstat(path); err == nil && time.Since(fi.ModTime()) > repo.LockMoments {
			return path, fi.ModTime()
		}
	}
	return "", time.Time{}
}
