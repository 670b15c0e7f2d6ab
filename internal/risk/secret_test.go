package risk

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/rule"
)

// TestEveryFamilyIsFound makes random keys in the form of each family with a prefix. A
// family whose numbers do not fit each other would never fire and nobody would notice.
func TestEveryFamilyIsFound(t *testing.T) {
	r := builtin(t)
	set := NewSet(r)
	const rounds = 20
	for i := range r.Tokens {
		token := &r.Tokens[i]
		if len(token.Prefixes) == 0 || token.Chars == "login" || token.Chars == "pem" {
			continue // TestSecrets and TestLogins have these
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		found := 0
		for range rounds {
			key := token.Prefixes[0] + randomBody(token.Chars, token.Min, random)
			if len(set.Secrets("value: \""+key+"\"")) > 0 {
				found++
			}
		}
		// By chance one may hold a word of the examples or repeat itself.
		if found < rounds-2 {
			t.Errorf("%s: %d of %d random keys are found", token.ID, found, rounds)
		}
	}
}

func randomBody(chars string, n int, random *rand.Rand) string {
	const digits, upper, lower = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
	set := digits + upper + lower
	switch chars {
	case "hex":
		set = digits + "abcdef"
	case "upper":
		set = digits + upper
	}
	var b strings.Builder
	for range n {
		b.WriteByte(set[random.IntN(len(set))])
	}
	return b.String()
}

func TestLogins(t *testing.T) {
	set := NewSet(builtin(t))
	const password = "q8Zt3Lw0Vb7Xn2" // random enough for the family, and nobody's
	for _, c := range []struct {
		address string
		want    bool
	}{
		{"postgres://admin:" + password + "@db.prod.acme.io:5432/app", true},
		{"postgresql://app:" + password + "@10.4.0.12/app?sslmode=require", true},
		{"mongodb+srv://app:" + password + "@cluster0.ab1cd.mongodb.net/app", true},
		{"mongodb://app:" + password + "@a.acme.io:27017,b.acme.io:27017/app", true},
		{"redis://:" + password + "@cache.acme.io:6379/0", true},
		{"postgres://admin:" + password + "@localhost:5432/app", false},
		{"postgres://admin:" + password + "@127.0.0.1/app", false},
		{"postgres://admin:" + password + "@db:5432/app", false}, // a container of the project
		{"postgres://admin:" + password + "@db.example.com/app", false},
		{"postgres://admin:" + password + "@db.test/app", false},
		{"postgres://admin:" + password + "@mac.local/app", false},
		{"postgres://user:password@db.acme.io/app", false},
		{"postgres://postgres:postgres@db.acme.io/app", false},
		{"postgres://admin:${DB_PASSWORD}@db.acme.io/app", false},
		{"postgres://admin:<password>@db.acme.io/app", false},
		{"postgres://db.acme.io/app", false},
		{"https://me:" + password + "@git.acme.io/x.git", false}, // no database
	} {
		if got := len(set.Secrets("DATABASE_URL="+c.address)) > 0; got != c.want {
			t.Errorf("Secrets(%q) found = %t, want %t", c.address, got, c.want)
		}
	}
}

// Words that look like the beginning of a key, in text that holds none.
func TestSecretsInOrdinaryText(t *testing.T) {
	set := NewSet(builtin(t))
	for _, text := range []string{
		"sk-test sk-toggleable__control the task-list-item of risk-free disk-space",
		"API-VERSION-2024 and api-gateway-controller-deployment",
		"pattern.match(patch) path/to/patient.records.that.are.long.enough.to.look.like.something.else.entirely.abcdef",
		"image@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"\"integrity\": \"sha512-q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3Uq8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3Uq8Zt3Lw0Vb==\"",
		"const discordClientDescription = loadDescriptionOfTheWholeDiscordIntegrationForTheSettingsPage",
		"https://discord.com/api/webhooks/123456789012345678/abc",
		"v1.0-beta.1 v1.0-rc2 sm_path rnd_seed api_org_name nfp_ napi_status",
		"한글 문서: 토큰은 sk-로 시작하고 pat으로 시작하지 않는다",
	} {
		if found := set.Secrets(text); len(found) > 0 {
			t.Errorf("Secrets(%q) = %s, want none", text, found[0].Token.ID)
		}
	}
}

// TestWordsAreFound compares one pass over a text with a search for one word after the other, on texts that are made of the
// words, of parts of them, and of what looks like them to the filter.
func TestWordsAreFound(t *testing.T) {
	tokens := append(slices.Clone(builtin(t).Tokens), rule.Token{Word: "sk"}, rule.Token{Word: "a_b"}, rule.Token{Word: "키"})
	var table wordTable
	table.fill(tokens)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for b.Len() < 200 {
			w := tokens[random.IntN(len(tokens))].Word
			switch random.IntN(6) {
			case 0:
				w = strings.ToUpper(w)
			case 1:
				w = w[:random.IntN(len(w)+1)]
			case 2:
				w = strings.ReplaceAll(w, "_", "\x7f") // the same but for the bit of the case
			case 3:
				w = " 토큰 İ\n"
			}
			b.WriteString(w)
		}
		text := b.String() + "."
		type place struct{ word, at int }
		got, want := map[place]bool{}, map[place]bool{}
		table.scan(text, func(word, at int) { got[place{word, at}] = true })
		low := []byte(text) // not strings.ToLower, which may change the length
		for i, c := range low {
			if 'A' <= c && c <= 'Z' {
				low[i] = c + 'a' - 'A'
			}
		}
		for i := range tokens {
			for at := range low {
				if strings.HasPrefix(string(low[at:]), tokens[i].Word) && at+2 < len(low) {
					want[place{i, at}] = true
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("scan(%q) (-want +got):\n%s", text, diff)
		}
	}
}
