package secret

import (
	"os"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

func builtin(t testing.TB) *rule.Secrets {
	t.Helper()
	s, err := rule.LoadSecrets(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMask(t *testing.T) {
	table := New(builtin(t))
	for in, want := range map[string]string{
		"git push https://bob:hunter2@acme.io/x main":                            "git push https://***@acme.io/x main",
		"https://x.io/a?query=workflow%3ATest&logo=github%20actions&branch=main": "https://x.io/a?query=workflow%3ATest&logo=github%20actions&branch=main",
		"https://x.io/a?x=x7Kq29Lm%40Zr4w8Q":                                     "https://x.io/a?x=***",
		"TOKEN=abc AWS_SECRET_KEY=x make":                                        "TOKEN=*** AWS_SECRET_KEY=*** make",
		"mysql --password secret -u root":                                        "mysql --password *** -u root",
		"curl --api-key=zzz https://x":                                           "curl --api-key=*** https://x",
		`curl -H "Authorization: Bearer abc" https://x`:                          `curl -H "Authorization: Bearer ***" https://x`,
		"echo ghp_0123456789abcdefghij > f":                                      "echo ghp_*** > f",
		"rm -rf src/tokenizer":                                                   "rm -rf src/tokenizer",
		"a\nb\tc":                                                                "a\nb\tc",
		"curl --user 'bob:hunter2' https://x":                                    "curl --user 'bob:***' https://x",
		"PGUSER=x mongosh -p hunter2|cat":                                        "PGUSER=x mongosh -p ***|cat",
		"AKIAIOSFODNN7EXAMPLE":                                                   "AKIAIOSFODNN7EXAMPLE",
		"aws_secret_access_key wJalrXUtnFEMI/K7MDENG":                            "aws_secret_access_key wJalrXUtnFEMI/K7MDENG", // prose
		"don't print the mysql -phunter2 password, ok?":                          "don't print the mysql -p*** password, ok?",
		"ssh h 'mysql -u root -phunter2 db' && ls":                               "ssh h 'mysql -u root -p*** db' && ls",
		`bash -c "echo hunter2 | sudo -S ls" x`:                                  `bash -c "echo *** | sudo -S ls" x`,
		"DB_PASSWORD=\"a b c\" run":                                              "DB_PASSWORD=\"***\" run",
		"DB_PASSWORD= run":                                                       "DB_PASSWORD= run",
		"비밀번호는 password: 열려라참깨 입니다":                                              "비밀번호는 password: *** 입니다",
		"-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEAx7k2Vn9d\\n-----END RSA PRIVATE KEY-----\\n": "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\\n",
	} {
		if got := table.Mask(in); got != want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// A text is cut before it is searched. The cut must leave no half of a key, which would not look like one.
func TestMaskOfLongText(t *testing.T) {
	table := New(builtin(t))
	key := "ghp_" + "q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U"
	for n := maxMask - 60; n < maxMask+10; n++ {
		got := table.Mask(strings.Repeat("x", n) + " " + key + " more")
		if strings.Contains(got, key[:8]) {
			t.Fatalf("with %d bytes before it: …%q", n, got[len(got)-60:])
		}
	}
}

// Texts that are made to be expensive: the work grows with their length and not faster, and what is left unseen is hidden.
func TestWorkIsBounded(t *testing.T) {
	table := New(builtin(t))
	for name, part := range map[string]string{
		"names": "password", "assignments": "token=", "keys": "-eyJhbGciOi", "pem": "-----BEGIN RSA PRIVATE KEY-----", "programs": "mysql ", "quotes": "password=\"", "addresses": "a://b:",
		"near": "password login ", "headers": "cookie:x", "base64": "/SK/sk-/MT/AQVN/ABSK", "strings": "<<<<<<", "poured": "<(", "tuples": "(password,", "rows": "(password) values ('x',", "kept": "tee .env x ", "about": "api key for ", "logins": "log in /", "pipes": "echo x|sudo -S ",
	} {
		text := strings.Repeat(part, maxFind/8/len(part))
		s := scan{table: table, text: text, wide: true}
		s.run()
		if most := maxWork*(len(text)+1024) + maxFind; s.work > most {
			t.Errorf("%s: %d bytes of work for %d", name, s.work, len(text))
		}
		table.Find(text)
		table.Holds(text)
		table.Mask(text)
	}
}

func TestHolds(t *testing.T) {
	table := New(builtin(t))
	for text, want := range map[string]bool{
		"DB_PASSWORD=hunter2\n":                                         true,
		"password: hunter22x\n":                                         true,
		"{\"password\": \"Enter your password\"}":                       false,
		"{\"password\": \"correct h0rse8 battery\"}":                    true,
		"const token = parser.next()\n":                                 false,
		"func tokenize(s string) []Token { return nil }":                false,
		"password = os.environ[\"DATABASE_PASSWORD\"]":                  false,
		"password: ${DB_PASSWORD}":                                      false,
		"api_key = \"your_api_key_goes_here\"":                          false,
		"#!/bin/sh\nmysql -u root -phunter2 app < x.sql\n":              true,
		"#!/bin/sh\nmysql -u root -p app < x.sql\n":                     false,
		"machine api.acme.io login bob password s3cretWord\n":           true,
		"url: postgres://app:q8Zt3Lw0Vb@db:5432/app":                    true,
		"url: postgres://app:${DB}@db:5432/app":                         false,
		"curl -H 'Cookie: session=8f7a9c0d1e2f3a4b'":                    true,
		"Set a Cookie: it is sent back":                                 true, // once too often
		"the password is kept in the vault, and the token in a keyring": false,
		"":                             false,
		strings.Repeat("x", maxFind+1): true,
	} {
		if got := table.Holds(text); got != want {
			t.Errorf("Holds(%.80q) = %t, want %t", text, got, want)
		}
	}
}

func FuzzMask(f *testing.F) {
	table := New(builtin(f))
	f.Add("curl -H \"Cookie: ", "hunter2Xq7", "\"; x")
	f.Add("mysql -p", "hunter2Xq7", " | cat")
	f.Add("echo ", "hunter2Xq7", " | sudo -S")
	f.Fuzz(func(t *testing.T, before, secret, after string) {
		text := before + secret + after
		once := table.Mask(text)
		// What is masked stays masked, and the same.
		if len(once) < len(text) && len(text) < maxMask/2 {
			if again := table.Mask(once); len(again) > len(once)+64 {
				t.Errorf("Mask(%q) = %q, and again %q", text, once, again)
			}
		}
		table.Find(text)
		table.Holds(text)
	})
}

// benchLine is a command as it comes to a hook.
const benchLine = "cd packages/api && curl -sS -H \"Authorization: Bearer abcdefgh\" https://api.acme.io/v1/users?page=2 | jq '.items[] | .name' > out.json && npm test -- --coverage 2>&1 | tail -50"

func BenchmarkMask(b *testing.B) {
	table := New(builtin(b))
	for _, c := range []struct{ name, text string }{
		{"short", "ls -la"}, {"plain", "git add -A && git commit -m 'explain git reset and more' && git push origin main"}, {"line", benchLine}, {"prompt", strings.Repeat("Please look at the handler of the login page, it returns 500 when the session is gone. ", 20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				table.Mask(c.text)
			}
		})
	}
}

func BenchmarkFind(b *testing.B)  { benchText(b, func(t *Table, text string) { t.Find(text) }) }
func BenchmarkHolds(b *testing.B) { benchText(b, func(t *Table, text string) { t.Holds(text) }) }

func benchText(b *testing.B, f func(*Table, string)) {
	table := New(builtin(b))
	text := ""
	for len(text) < 16<<10 {
		text += "func handler(w http.ResponseWriter, r *http.Request) { task := disk.Ask(\"token\") }\n"
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f(table, text)
	}
}

// Each private key of OpenSSH begins with a run of one letter, and chance puts a word such as "fake" into one of two hundred: of short keys
// both are signs of an example.
func TestFindLongKey(t *testing.T) {
	table := New(builtin(t))
	body := "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n" + strings.Repeat("QyNTUxOQAAACBkq8Zt3Lw0Vb7Xn2RkFaKe9Jd4Mf6Pc1Ya0Te3UpQmLxWzGvBnAAAJj\n", 4)
	if got := table.Find("-----BEGIN OPENSSH PRIVATE KEY-----\n" + body + "-----END OPENSSH PRIVATE KEY-----\n"); len(got) != 1 {
		t.Errorf("a private key of OpenSSH: %v, want it found", got)
	}
	if got := table.Find("-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("A", 64) + "\n-----END PRIVATE KEY-----\n"); len(got) != 0 {
		t.Errorf("a made-up key: %v, want none", got)
	}
}
