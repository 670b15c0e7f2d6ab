package checkpoint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

// Whatever git converts, the bytes on disk come back.
func TestBytesOnDiskComeBack(t *testing.T) {
	for _, tt := range []struct {
		name, attributes, config, filter string
		files                            map[string]string
	}{
		{name: "autocrlf", config: "core.autocrlf=true", files: map[string]string{"a.txt": "one\r\ntwo\r\n", "lf.txt": "one\ntwo\n", "bin": "a\x00\r\n"}},
		{name: "autocrlf input", config: "core.autocrlf=input", files: map[string]string{"a.txt": "one\r\ntwo\r\n"}},
		{name: "text auto, edited with CRLF", attributes: "* text=auto\n", files: map[string]string{"a.txt": "one\r\ntwo\r\n", "b.txt": "one\n", "bin": "\x00\r\n"}},
		{name: "eol crlf", attributes: "*.bat text eol=crlf\n", files: map[string]string{"x.bat": "one\r\ntwo\r\n", "y.sh": "one\n"}},
		{name: "ident", attributes: "*.c ident\n", files: map[string]string{"x.c": "/* $Id: old $ */\n"}},
		{name: "macro", attributes: "[attr]win text eol=crlf\n*.txt win\n", files: map[string]string{"x.txt": "one\r\n"}},
		{name: "in a folder", files: map[string]string{"d/.gitattributes": "* text\n", "d/x": "one\r\n"}},
		{name: "info/attributes", filter: "* text\n", files: map[string]string{"x": "one\r\n"}},
		{name: "lfs-like", attributes: "*.psd filter=ptr\n", config: "filter.ptr.clean=sha1sum", files: map[string]string{"x.psd": "a big picture\n", "y": "text\n"}},
		{name: "same size filter", attributes: "*.r filter=rot\n", config: "filter.rot.clean=tr a-z b-za", files: map[string]string{"x.r": "hello\n"}},
		{name: "utf-16", attributes: "*.txt working-tree-encoding=UTF-16LE\n", files: map[string]string{"x.txt": "a\x00\n\x00"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			if k, v, ok := strings.Cut(tt.config, "="); ok {
				s.git("config", k, v)
			}
			if tt.attributes != "" {
				s.write(".gitattributes", tt.attributes)
			}
			if tt.filter != "" {
				os.MkdirAll(filepath.Join(s.dir, ".git/info"), 0o777)
				s.write(".git/info/attributes", tt.filter)
			}
			for n, c := range tt.files {
				s.write(n, c)
			}
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "x")
			s.write("untracked", "one\r\n")
			if got := s.git("status", "--porcelain"); got != "?? untracked" {
				t.Fatalf("git does not call the files clean: %s", got)
			}
			c := s.create(CreateOptions{Operation: "rm", NoLog: true})
			if c.Stats.Changed != 0 || c.Stats.Untracked != 1 {
				t.Errorf("stats %+v, want one untracked file and nothing else", c.Stats)
			}
			if again := s.create(CreateOptions{NoLog: true}); !again.Reused {
				t.Error("the same tree made a second checkpoint")
			}
			for n := range tt.files {
				s.remove(n)
			}
			s.restore(c, RestoreOptions{NoLog: true})
			for n, want := range tt.files {
				if got := s.read(n); got != want {
					t.Errorf("%s = %q after restore, want %q", n, got, want)
				}
			}
			if got := s.git("status", "--porcelain"); got != "?? untracked" {
				t.Errorf("status after restore: %s", got)
			}
			s.git("fsck", "--strict")
		})
	}
}

// Nothing that only switches conversion off makes moai look at every file.
func TestNoConverterForPlainRepositories(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitattributes", "* -text\n*.png binary\n*.go diff=golang linguist-generated\n")
	s.git("add", "-A")
	r := s.open()
	ix, err := r.Index()
	if err != nil {
		t.Fatal(err)
	}
	if r.Converter(ix, nil) != nil {
		t.Error("a converter is made for attributes that convert nothing")
	}
	s.write("d/.gitattributes", "* text=auto\n")
	if r.Converter(ix, []string{"d/.gitattributes"}) == nil {
		t.Error("no converter for an untracked attribute file")
	}
}

// Files that only a filter makes different may not cost the work in progress its checkpoint.
func TestFilteredFilesComeLast(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "filter.ptr.clean", "sha1sum")
	s.write(".gitattributes", "*.psd filter=ptr\n")
	s.write("big.psd", "a picture\n")
	s.write("code", "old\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "x")
	s.write("code", "new\n")
	w := s.open().NewWriter(repo.WriteOptions{DryRun: true})
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(time.Hour))
	defer cancel()
	o := &CreateOptions{Limits: DefaultLimits()}
	snap := &snapshot{r: s.open(), w: w, opts: o, ix: must(s.open().Index())}
	items := []item{{path: "big.psd", pos: 1, raw: true}, {path: "code", pos: 2}}
	for i := range items {
		snap.stat(&items[i])
	}
	snap.contents(ctx, items, false, time.Time{})
	snap.contents(ctx, items, true, time.Now().Add(-time.Second))
	if items[1].side.Mode == 0 || items[0].skip != "no time left" {
		t.Errorf("code is %v, the picture %q", items[1].side, items[0].skip)
	}
	if h := halfway(ctx, time.Now()); time.Until(h) > 31*time.Minute || time.Until(h) < 29*time.Minute {
		t.Errorf("halfway is in %v", time.Until(h))
	}
}

// A checkpoint remembers how large loose blobs are, and yet sees that one is gone: the file is then stored anew.
func TestRememberedSizeOfAnObjectThatIsGone(t *testing.T) {
	s, stateDir := newSandbox(t), t.TempDir()
	s.write(".gitattributes", "* text=auto\n")
	name := func(i int) string { return fmt.Sprintf("f%d.txt", i) }
	for i := range 100 {
		s.write(name(i), fmt.Sprintf("content %d\n", i))
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "x")
	s.create(CreateOptions{StateDir: stateDir, NoLog: true})
	if b, err := os.ReadFile(s.open().DirCacheIn(stateDir) + ".sizes"); err != nil || len(b) == 0 {
		t.Fatal("nothing is remembered", err)
	}
	object := func(i int) string {
		h := s.git("rev-parse", "HEAD:"+name(i))
		return filepath.Join(s.dir, ".git/objects", h[:2], h[2:])
	}
	kit.Must(t, os.Remove(object(7)))
	os.Chmod(object(8), 0o600)
	kit.Must(t, os.Truncate(object(8), 0))
	c := s.create(CreateOptions{StateDir: stateDir, NoLog: true, Message: "again"})
	s.remove(name(7))
	s.remove(name(8))
	s.restore(c, RestoreOptions{NoLog: true})
	for i := 7; i < 9; i++ {
		if got, want := s.read(name(i)), fmt.Sprintf("content %d\n", i); got != want {
			t.Errorf("%s = %q, want %q", name(i), got, want)
		}
	}
}
