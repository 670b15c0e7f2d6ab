package risk

import "testing"

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
		{"postgres://app:correcthorse@db.prod.acme.com/x", true}, // whatever it looks like, where others reach the server
		{"kafka://app:tiger@k1.acme.io:9093", true},
		{"postgres://app:correcthorse@localhost/x", false},
		{"postgres://user:password@db.acme.io/app", false},
		{"postgres://postgres:postgres@db.acme.io/app", false},
		{"postgres://admin:${DB_PASSWORD}@db.acme.io/app", false},
		{"postgres://admin:<password>@db.acme.io/app", false},
		{"postgres://db.acme.io/app", false},
		{"https://me:" + password + "@git.acme.io/x.git", true},
		{"https://me:" + password + "@localhost/x.git", false},
		{"https://me@git.acme.io/x.git", false},
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
			t.Errorf("Secrets(%q) = %s, want none", text, found[0].Format.ID)
		}
	}
}
