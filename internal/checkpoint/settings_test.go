package checkpoint

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
)

var someSettings = []rule.Settings{{Section: "remote", Keys: []string{"url", "fetch"}}, {Section: "branch", Keys: []string{"remote", "merge"}}}

// TestForeignSettings restores from a vault that holds what no restore may set: whatever gets there must not start programs.
func TestForeignSettings(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("remote", "add", "origin", "https://example.invalid/x")
	vault := t.TempDir()
	o := CreateOptions{Operation: "remote", NoLog: true, VaultDir: vault, Sections: []string{"remote", "branch"}, Settings: someSettings}
	c := s.create(o)
	if !slices.Equal(c.Settings, []string{"remote.origin"}) {
		t.Fatalf("kept %v", c.Settings)
	}
	dir := vaultOf(s.open(), vault, c)
	evil := []repo.Setting{
		{Section: "core", Name: "x", Key: "sshcommand", Value: "./evil"},
		{Section: "core", Key: "sshcommand", Value: "./evil"},
		{Section: "url", Name: "./evil", Key: "insteadof", Value: "https://"},
		{Section: "remote", Name: "origin", Key: "uploadpack", Value: "./evil"},
		{Section: "remote", Name: "origin", Key: "vcs", Value: "evil"},
		{Section: "remote", Name: "e", Key: "url", Value: "ext::sh -c ./evil"},
		{Section: "remote", Name: "e", Key: "url", Value: "--upload-pack=./evil"},
		{Section: "remote", Name: "x\"]\n[core]\n\tsshCommand = ./evil\n[remote \"y", Key: "url", Value: "z"},
		{Section: "branch", Name: "main", Key: "mergeoptions", Value: "-s ./evil"},
		{Section: "branch", Name: "main", Key: "remote", Value: "fd::7"},
		{Section: "remote", Name: "origin", Key: "url", Value: "https://example.invalid/x\"\n[core]\n\tsshCommand = ./evil\n"},
	}
	b, err := json.Marshal(keptSettings{Settings: evil, Sections: []string{"core.x", "core.", "url.x"}})
	kit.Must(t, err)
	kit.Must(t, os.WriteFile(filepath.Join(dir, settingsFile), b, 0o600))
	s.git("remote", "remove", "origin")
	before := s.read(".git/config")
	s.restore(c, RestoreOptions{Refs: true, NoLog: true, VaultDir: vault, Settings: someSettings})
	after := s.git("config", "-f", ".git/config", "-z", "--list")
	for entry := range strings.SplitSeq(after, "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		if strings.Contains(value, "evil") && key != "remote.origin.url" || strings.Contains(key, "evil") || key == "core.sshcommand" {
			t.Errorf("%q came back", entry)
		}
	}
	if !strings.HasPrefix(s.read(".git/config"), before) {
		t.Errorf("what was there has changed:\n%s", s.read(".git/config"))
	}
	// Nothing that the checkpoint itself says counts: it may come from anybody.
	kit.Must(t, os.RemoveAll(dir))
	before = s.read(".git/config")
	s.restore(c, RestoreOptions{Refs: true, NoLog: true, VaultDir: vault, Settings: someSettings})
	if s.read(".git/config") != before {
		t.Error("settings changed without a vault")
	}
}

func TestStartsHelper(t *testing.T) {
	for value, want := range map[string]bool{
		"ext::sh -c x": true, "fd::7": true, "a-b::c": true, "-x": true, "--upload-pack=x": true, "transport.x::y": true,
		"": false, "origin": false, "https://[::1]/x": false, "ssh://git@[fe80::1]:22/x": false, "git@host:a::b": false, "/srv/a::b": false, "+refs/heads/*:refs/remotes/o/*": false, "::": false,
	} {
		if startsHelper(value) != want {
			t.Errorf("%q: %v", value, !want)
		}
	}
}

// TestVaultOfAnotherWorkTree drops and prunes from the main work tree what a linked one has in the vault, and the other way round.
func TestVaultOfAnotherWorkTree(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write(".gitignore", ".env\n")
	other := filepath.Join(t.TempDir(), "other")
	s.git("worktree", "add", "-q", other)
	vault := t.TempDir()
	o := CreateOptions{Operation: "rm", NoLog: true, VaultDir: vault, Ignored: []string{".env"}}
	copies := func() (n int) {
		list, err := filepath.Glob(filepath.Join(vault, "*", "*", vaultIndex))
		kit.Must(t, err)
		return len(list)
	}
	linked, err := repo.Open(other)
	kit.Must(t, err)
	for _, from := range []struct{ took, drops *repo.Repo }{{linked, s.open()}, {s.open(), linked}} {
		kit.Must(t, os.WriteFile(filepath.Join(from.took.WorkTree, ".env"), []byte("A=1\n"), 0o600))
		c, err := Create(t.Context(), from.took, o)
		kit.Must(t, err)
		if copies() != 1 {
			t.Fatalf("%d copies", copies())
		}
		res, err := Prune(from.drops, PruneOptions{Only: c.Name, VaultDir: vault, NoLog: true})
		if err != nil || len(res.Removed) != 1 {
			t.Fatalf("removed %v, %v", res, err)
		}
		if copies() != 0 || res.Vault == 0 {
			t.Errorf("%d copies stay, %d bytes said", copies(), res.Vault)
		}
	}
	// A work tree that only says it is this repository's keeps what its path has.
	c, err := Create(t.Context(), linked, o)
	kit.Must(t, err)
	stranger := newSandbox(t)
	stranger.commit("a")
	stranger.git("fetch", "-q", s.dir, c.Ref+":"+c.Ref)
	stranger.write(".git/worktrees/other/gitdir", filepath.Join(other, ".git")+"\n")
	stranger.write(".git/worktrees/other/commondir", "../..\n")
	stranger.write(".git/worktrees/other/HEAD", "ref: refs/heads/main\n")
	if _, err := Prune(stranger.open(), PruneOptions{All: true, VaultDir: vault, NoLog: true}); err != nil {
		t.Fatal(err)
	}
	if copies() != 1 {
		t.Error("another repository took the copy")
	}
}
