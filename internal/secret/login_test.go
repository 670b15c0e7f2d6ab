package secret

import (
	"strings"
	"testing"
)

// TestLoginsOfAddresses asks about passwords in addresses: for certain, as the guard does, and rather once too often, as snapshots
// do before they publish a file.
func TestLoginsOfAddresses(t *testing.T) {
	table := New(builtin(t))
	for _, c := range []struct {
		address     string
		sure, maybe bool
	}{
		// A server that others reach: whatever the password looks like.
		{"postgres://app:correcthorse@db.prod.acme.com/x", true, true},
		{"postgres://app:aaab@db.prod.acme.com/x", true, true},
		{"postgres://app:12345678@db.prod.acme.com/x", true, true},
		{"postgres://app:열려라참깨@db.prod.acme.com/x", true, true},
		{"postgres://app:password1@db.prod.acme.com/x", true, true},
		{"postgres://app:topsecret@db.prod.acme.com/x", true, true},
		{"redis://:hunter@cache.acme.com:6379/0", true, true},
		{"mongodb://app:tiger@localhost:27017,b.acme.com:27017/x", true, true},
		{"https://bob:summer@git.acme.com/x.git", true, true},
		{"kafka+sasl://app:summer@k1.acme.com:9093", true, true},
		{"jdbc:postgresql://app:summer@db.acme.com/x", true, true},
		{"rtsp://admin:summer@192.0.2.7:554/live", true, true},
		{"postgres://app:summer@[2001:db8::7]:5432/x", true, true},
		{"postgres://app:summer@db.${STAGE}.acme.com/x", true, true},
		{"postgres://app:sum#mer@db.acme.com/x", false, true},
		{"postgres://app:sum?mer@db.acme.com/x", false, true},
		{"postgres://app:sum)mer@db.acme.com/x", false, true},
		{"postgres://app:pa$$word@db.acme.com/x", false, true},
		{`postgres:\/\/app:correcthorse@db.prod.acme.com\/x`, true, true},
		{"postgres://acme:acme@db.acme.com/x", false, true},
		// One that only this machine or its containers reach: as the password looks.
		{"postgres://app:correcthorse@localhost/x", false, false},
		{"postgres://app:correcthorse@localhost./x", false, false},
		{"postgres://app:correcthorse@127.0.0.1:5432/x", false, false},
		{"postgres://app:correcthorse@[::1]:5432/x", false, false},
		{"postgres://app:correcthorse@db:5432/x", false, false},
		{"postgres://app:correcthorse@${cfg.host}:5432/x", false, false},
		{"postgres://app:correcthorse@{cfg.host}/x", false, false},
		{"postgres://app:correcthorse@db.example.com/x", false, false},
		{"postgres://app:correcthorse@db.test/x", false, false},
		{"postgres://app:correcthorse@mac.local/x", false, false},
		{"postgres://app:correcthorse@db.invalid/x", false, false},
		{"postgres://app:correcthorse@a.test:1,b.example.org:2/x", false, false},
		{"postgres://app:q8Zt3Lw0Vb@db:5432/x", false, true},
		// What documentation and programs put there.
		{"postgres://user:password@db.acme.com/x", false, false},
		{"postgres://user:PASSWORD@db.acme.com/x", false, false},
		{"postgres://user:dbPassword@db.acme.com/x", false, false},
		{"postgres://user:your-password-here@db.acme.com/x", false, false},
		{"postgres://user:[YOUR-PASSWORD]@db.acme.com/x", false, false},
		{"postgres://user:changeme@db.acme.com/x", false, false},
		{"postgres://postgres:postgres@db.acme.com/x", false, false},
		{"https://user:secret@git.acme.com/x", false, false},
		{"https://user:token@git.acme.com/x", false, false},
		{"https://user:****@git.acme.com/x", false, false},
		{"https://user:passwordHere@git.acme.com/x", false, false},
		{"https://user:xxxxxxxx@git.acme.com/x", false, false},
		{"https://user:...@git.acme.com/x", false, false},
		{"https://user:<password>@git.acme.com/x", false, false},
		{"https://user:{password}@git.acme.com/x", false, false},
		{"https://user:${TOKEN}@git.acme.com/x", false, false},
		{"https://user:$TOKEN@git.acme.com/x", false, false},
		{"https://user:%TOKEN%@git.acme.com/x", false, false},
		{"https://user:{{ token }}@git.acme.com/x", false, false},
		{"https://user:%(token)s@git.acme.com/x", false, false},
		{"https://user:#{token}@git.acme.com/x", false, false},
		// No login at all.
		{"https://acme.com:8080/a@b.com", false, false},
		{"https://acme.com/@bob:latest@x.com", false, false},
		{"https://me@git.acme.com/x.git", false, false},
		{"https://acme.com/?to=bob:summer@b.com", false, false},
		{`https?://([^:/]+):([^@/]+)@([a-z0-9.]+)/`, false, false},
		{"docker://alpine:3.18.4@sha256:e3b0c44298fc1c149afbf4c8996fb924", false, false},
		{"https://localhost:3000@evil.com", false, true},
	} {
		for _, text := range []string{"DATABASE_URL=" + c.address + "\n", "  url: \"" + c.address + "\"\n", "see " + c.address} {
			if got := len(table.Find(text)) > 0; got != c.sure {
				t.Errorf("Find(%q) = %t, want %t", text, got, c.sure)
			}
			if got := table.Holds(text); got != c.maybe {
				t.Errorf("Holds(%q) = %t, want %t", text, got, c.maybe)
			}
			if c.maybe && !strings.Contains(table.Mask(text), stars) {
				t.Errorf("Mask(%q) = %q", text, table.Mask(text))
			}
		}
	}
}

// TestLoginsAreHiddenWhole masks an address whose user is the token.
func TestLoginsAreHiddenWhole(t *testing.T) {
	table := New(builtin(t))
	if got := table.Mask("git clone https://hunter2Xq7:x-oauth-basic@git.acme.com/x.git"); got != "git clone https://***@git.acme.com/x.git" {
		t.Error(got)
	}
}
