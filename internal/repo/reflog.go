package repo

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// logAuthor signs what moai writes into reflogs.
const logAuthor = "moai <moai@localhost>"

// Logs reports whether git will log where HEAD stood when it moves: it does so where the log is there, and begins one where settings let it.
func (r *Repo) Logs() bool {
	if _, err := os.Lstat(filepath.Join(r.GitDir, "logs", "HEAD")); !disk.Absent(err) {
		return true
	}
	return strings.EqualFold(r.Config().String("core.logallrefupdates"), "always") || r.Config().Bool("core.logallrefupdates", !r.Config().Bool("core.bare", false))
}

// logMove adds a line to the reflog of a reference, and to HEAD's when HEAD stands on it, where these logs exist. It begins no
// log of its own: git does that for the references that it logs. A line that a process wrote which was killed before it moved the
// reference stands for that of who finishes its work.
func (r *Repo) logMove(name string, old, h Hash, why string) error {
	now := time.Now()
	from := old.String()
	if old.IsZero() {
		from = strings.Repeat("0", 2*r.hashSize)
	}
	line := fmt.Sprintf("%s %s %s %d %s\t%s\n", from, h, logAuthor, now.Unix(), now.Format("-0700"), why)
	logs := []string{filepath.Join(r.CommonDir, "logs", filepath.FromSlash(name))}
	head := filepath.Join(r.GitDir, "logs", "HEAD") // each work tree has its own
	if name == "HEAD" {
		logs[0] = head
	} else if on, err := r.headRef(); err == nil && on == name {
		logs = append(logs, head)
	}
	for _, path := range logs {
		fi, err := os.Lstat(path)
		// No log, or that of a reference which is gone and stood where a folder would be.
		if disk.Absent(err) || err == nil && fi.IsDir() {
			continue
		}
		if err != nil {
			return err
		}
		if !fi.Mode().IsRegular() {
			return &fs.PathError{Op: "append", Path: path, Err: disk.ErrNotRegular}
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_RDWR|disk.Nonblock, 0)
		if err != nil {
			return err
		}
		if !lastSays(f, fi.Size(), fmt.Sprintf("%s %s %s ", from, h, logAuthor), why) {
			_, err = f.WriteString(line)
		}
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lastSays says whether the last line of a log begins and ends like one that is to be added; the time between may differ.
func lastSays(f *os.File, size int64, begin, why string) bool {
	tail := make([]byte, min(size, int64(len(begin)+len(why)+64)))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return false
	}
	text, ended := strings.CutSuffix(string(tail), "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return ended && strings.HasPrefix(last, begin) && strings.HasSuffix(last, "\t"+why)
}

// switching begins the reason that git gives for a move of HEAD.
const switching = "checkout: moving from "

// switched begins such a reason with a place: a branch, or a commit by the name under which HEAD came there last.
func (r *Repo) switched(h Head) string {
	if !h.Detached {
		return switching + h.Branch
	}
	name := h.Hash.String()
	f, fi, err := disk.OpenPlain(filepath.Join(r.GitDir, "logs", "HEAD"))
	if err != nil {
		return switching + name
	}
	defer f.Close()
	tail := make([]byte, min(fi.Size(), maxHeadLog))
	if _, err := f.ReadAt(tail, fi.Size()-int64(len(tail))); err != nil {
		return switching + name
	}
	full := name
	for line := range strings.Lines(string(tail)) {
		who, why, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if f := strings.SplitN(who, " ", 3); len(f) < 3 || f[1] != full {
			continue
		}
		if _, to, ok := strings.Cut(why, " to "); ok && strings.HasPrefix(why, switching) {
			if name = to; !validRef("refs/heads/" + to) {
				name = full // HEAD~1 means another commit by now
			}
		}
	}
	return switching + name
}

// maxHeadLog bounds what is read of HEAD's reflog: some thousand moves.
const maxHeadLog = 1 << 20

// RenamedFrom is the branch that another one was until it was renamed, as the reflog says it; "" where it does not.
func (r *Repo) RenamedFrom(branch string) (was string) {
	for why := range r.logged("refs/heads/" + branch) {
		if from, ok := strings.CutSuffix(why, " to refs/heads/"+branch); ok {
			if from, ok = strings.CutPrefix(from, "Branch: renamed refs/heads/"); ok {
				was = from
			}
		}
	}
	return was
}

// Fetched reports a branch of a remote that came where it stands from there, and not by a push from here, as the reflog says it.
func (r *Repo) Fetched(ref Ref) (is bool) {
	for why, to := range r.logged(ref.Name) {
		is = to == ref.Hash.String() && why != "update by push"
	}
	return is
}

// logged are the reasons in a reference's reflog, with where it went, the oldest first.
func (r *Repo) logged(name string) iter.Seq2[string, string] {
	return func(yield func(why, to string) bool) {
		b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(r.CommonDir, "logs", filepath.FromSlash(name)), disk.NoFollow, maxHeadLog)
		if err != nil {
			return
		}
		for line := range strings.Lines(string(b)) {
			who, why, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			if f := strings.SplitN(who, " ", 3); len(f) == 3 && !yield(why, f[1]) {
				return
			}
		}
	}
}
