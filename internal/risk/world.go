package risk

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// worldEntry is what stands at a path in the world of the examples.
type worldEntry struct {
	path string
	is   worldBits
}

type worldBits uint8

const (
	there   worldBits = 1 << iota // something is at the path
	plain                         // a plain file
	unheld                        // with content that Git does not hold
	changed                       // which a look at its folder tells
	listed                        // a pattern finds it
	ignored                       // Git ignores it, and all below
)

var world = [...]worldEntry{
	{"/home/dev/.aws/credentials", there},
	{"/home/dev/.claude/plans/calm-fox.md", there | plain},
	{"/home/dev/.claude/projects/-home-dev-code-app/memory/MEMORY.md", there | plain},
	{"/home/dev/.config/moai", there},
	{"/home/dev/.npmrc", there | plain},
	{"/home/dev/.pypirc", there | plain},
	{"/home/dev/.config/moai/rules/allowed.toml", there},
	{"/home/dev/.config/moai/trusted.json", there},
	{"/home/dev/.local/state/moai", there},
	{"/home/dev/.ssh/id_rsa", there},
	{"/home/dev/Documents/thesis.docx", there | plain},
	{"/home/dev/logs/o.txt", there | plain},
	{"/home/dev/code/app", there},
	{"/home/dev/code/app/.claude/settings.json", there},
	{"/home/dev/code/app/.env", there | plain | ignored},
	{"/home/dev/code/app/.git", there},
	{"/home/dev/code/app/.npmrc", there | plain},
	{"/home/dev/code/app/.git/info/exclude", there},
	{"/home/dev/code/app/CLAUDE.md", there | plain},
	{"/home/dev/code/app/README.md", there | plain | listed},
	{"/home/dev/code/app/body.json", there | plain},
	{"/home/dev/code/app/build", ignored},
	{"/home/dev/code/app/credentials.json", there | ignored},
	{"/home/dev/code/app/current", there | unheld},
	{"/home/dev/code/app/data.db", there | plain},
	{"/home/dev/code/app/dist", ignored},
	{"/home/dev/code/app/docs", there},
	{"/home/dev/code/app/kube/elsewhere", there | plain},
	{"/home/dev/code/app/lib/tmp", there},
	{"/home/dev/code/app/tmp/all.pid", there | plain},
	{"/home/dev/code/app/tmp/guard.pid", there | plain},
	{"/home/dev/code/app/tmp/web.pid", there | plain},
	{"/home/dev/code/app/lib/tmp/novel.txt", there | plain | unheld | changed},
	{"/home/dev/code/app/env.tar", there | plain},
	{"/home/dev/code/app/env.zip", there | plain},
	{"/home/dev/code/app/local-data", there | ignored},
	{"/home/dev/code/app/local-data/a.txt", unheld},
	{"/home/dev/code/app/local-data/app.db", there | plain},
	{"/home/dev/code/app/local-data/big", unheld},
	{"/home/dev/code/app/local-data/big.bin", unheld},
	{"/home/dev/code/app/local-data/big.db", unheld},
	{"/home/dev/code/app/local-data/big.iso", unheld},
	{"/home/dev/code/app/local-data/big.mp4", unheld},
	{"/home/dev/code/app/local-data/big.pdf", unheld},
	{"/home/dev/code/app/local-data/big.tar.gz", unheld},
	{"/home/dev/code/app/main.go", there | plain | unheld | changed | listed},
	{"/home/dev/code/app/migrated/api/migrations/0001_initial.py", there | plain | listed},
	{"/home/dev/code/app/migrated/api/migrations/0002_names.py", there | plain | listed},
	{"/home/dev/code/app/migrated/api/migrations/0003_index.py", there | plain | listed},
	{"/home/dev/code/app/migrated/db/migrate/20240101000000_users.rb", there | plain | listed},
	{"/home/dev/code/app/migrated/db/migrate/20250202000000_names.rb", there | plain | listed},
	{"/home/dev/code/app/migrated/db/migrate/20250301000000_index.rb", there | plain | listed},
	{"/home/dev/code/app/node_modules", ignored},
	{"/home/dev/code/app/elixir/deps", there | ignored},
	{"/home/dev/code/app/elixir/mix.exs", there},
	{"/home/dev/code/app/elixir/mix.lock", there},
	{"/home/dev/code/app/php/composer.json", there},
	{"/home/dev/code/app/php/composer.lock", there},
	{"/home/dev/code/app/php/vendor", there | ignored},
	{"/home/dev/code/app/unlocked/vendor", there | ignored},
	{"/home/dev/code/app/notes.txt", there | plain | unheld | changed | listed},
	{"/home/dev/code/app/out", there},
	{"/home/dev/code/app/out/plan.md", there | plain | unheld},
	{"/home/dev/code/app/src", there},
	{"/home/dev/code/app/src/keys", there},
	{"/home/dev/code/app/src/keys/prod", there | plain},
	{"/home/dev/code/app/closed.tar", there | plain},
	{"/home/dev/code/app/release.tar", there | plain},
	{"/home/dev/code/app/hooked.tar", there | plain},
	{"/home/dev/code/app/src.tar", there | plain},
	{"/home/dev/code/app/src/app.go", there | plain | listed},
	{"/home/dev/code/app/src/lib", there},
	{"/home/dev/code/app/target", ignored},
	{"/home/dev/code/app/tmp", ignored},
	{"/home/dev/code/app/한글 폴더", there},
	{"/home/dev/code/fresh/.git", there},
	{"/home/dev/code/fresh-app", there},
	{"/home/dev/code/fresh-app/.env", unheld},
	{"/home/dev/code/guarded/.git", there},
	{"/home/dev/code/indexed/.git", there},
	{"/home/dev/code/kept-out/.git", there},
	{"/home/dev/code/kept/.git", there},
	{"/home/dev/code/kept/.env", there | plain | ignored},
	{"/home/dev/code/locked/.git", there},
	{"/home/dev/code/locked/secrets", there},
	{"/home/dev/code/locked/secrets/README.md", there | plain},
	{"/home/dev/code/locked/secrets/smtp", there | plain | ignored},
	{"/home/dev/code/main-tree/.git/HEAD", there | plain},
	{"/home/dev/code/nested/.git", there},
	{"/home/dev/code/nested/.gitmodules", there},
	{"/home/dev/code/nested/sub/.git", there},
	{"/home/dev/code/other-app", there},
	{"/home/dev/code/other-app/.git", there},
	{"/home/dev/code/other-app/.env", unheld},
	{"/home/dev/code/other-app/src", there},
	{"/home/dev/code/other-app/src/a.go", there | plain | listed},
	{"/home/dev/code/sensitive/main.tf", there | plain | listed},
	{"/home/dev/code/tagged/.git", there},
}

func worldHas(p string, is worldBits) bool {
	return slices.ContainsFunc(world[:], func(one worldEntry) bool {
		return one.is&is != 0 && (one.path == p || strings.HasPrefix(one.path, worldRoot) && one.path[len(worldRoot):] == p)
	})
}

// worldRoot is the folder of the project in that world.
const worldRoot = "/home/dev/code/app/"

// World is the place in which every example of a rule happens; rules/README.md
// describes it. Nothing in it exists on the machine.
func World() Input {
	return Input{
		Dir: "/home/dev/code/app", Root: "/home/dev/code/app", Home: "/home/dev",
		Own:     []string{"/home/dev/.config/moai", "/home/dev/.local/state/moai", "/home/dev/.cfg/moai"}, // the last one is not there yet
		Program: func() []string { return []string{"/opt/guard/m"} },
		Registers: func(p string) bool {
			return p == "/home/dev/code/app/.claude/settings.json" || p == "/home/dev/.claude/settings.json" || p == "/home/dev/.codex/hooks.json" || p == "/home/dev/.cursor/hooks.json"
		},
		Settings: func(p string) (text string, there bool) {
			if p == "/home/dev/.cursor/hooks.json" || strings.HasSuffix(p, "/.qwen/settings.json") && !strings.HasPrefix(p, worldRoot) && p != "/home/dev/.qwen/settings.json" {
				return `{"hooks": {"before": "moai"}}`, true
			}
			switch strings.TrimPrefix(p, "/home/dev/code/app/") {
			case "/home/dev/code/tagged/.gitlab-ci.yml":
				return "release:\n  rules:\n    - if: $CI_COMMIT_TAG\n", true
			case "/home/dev/code/other-app/.gitconfig", "/home/dev/code/other-app/git/config":
				return "[core]\n\tfsmonitor = \"rm -rf x\"\n", true
			case "src/.gitconfig", "src/git/config":
				return "[user]\n\tname = fsmonitor\n[alias]\n\tst = status\n", true
			case ".claude/settings.json", "/home/dev/.claude/settings.json":
				return `{"hooks": "moai"}`, true
			case "unhooked/settings.json", "unhooked/.claude/settings.local.json", "unhooked.json", "/home/dev/code/unhooked/settings.json":
				return `{"disableAllHooks": true}`, true
			case "named":
				return "src/app.go\n/home/dev/.cursor/hooks.json\n", true
			case "named-own":
				return "/home/dev/.config/moai/trusted.json /opt/guard\n", true
			case "named-others":
				return "src/hooks.json\n.cursor/hooks.json\n", true
			case "unhooked.patch":
				return "+++ b/.claude/settings.json\n+{\"disableAllHooks\": true}\n", true
			case "tmp/guard.pid", "tmp/web.pid", "tmp/all.pid":
				return map[string]string{"tmp/guard.pid": "4711\n", "tmp/web.pid": "4712\n", "tmp/all.pid": "4711 4712\n"}[strings.TrimPrefix(p, "/home/dev/code/app/")], true
			case "/proc/4711/cmdline":
				return "/opt/moaid\x00", true
			case "/proc/4712/cmdline":
				return "ruby\x00bin/server\x00", true
			case "kube/elsewhere":
				return "apiVersion: v1\ncontexts:\n- context:\n    cluster: kind-app\n  name: kind-app\ncurrent-context: \"acme-main\"\n", true
			case "kube/elsewhere.json":
				return "{\n  \"current-context\": \"acme-main\",\n  \"kind\": \"Config\"\n}\n", true
			case "kube/here":
				return "current-context: kind-app\n", true
			case "body.json":
				return `{"name": "a"}`, true
			case "keyed/body.json":
				return `{"token": "ghp_q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U"}`, true
			case "pathed/settings.json":
				return `{"env": {"PATH": "./bin:/usr/bin"}}`, true
			case "pathed.patch":
				return "+++ b/.claude/settings.json\n {\n+  \"env\": {\n+    \"BASH_ENV\": \"x\"\n+++ b/src/app.go\n+x\n", true
			case "registered-anew.patch":
				return "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n-{\"hooks\": \"moai\"}\n+{\"hooks\": \"moai\", \"model\": \"x\"}\n", true
			case "registering.patch":
				return "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n+{\"hooks\": \"moai\"}\n", true
			case "features.patch":
				return "+++ b/.claude/settings.json\n+  \"model\": \"x\"\n+++ b/src/app.go\n+// \"PATH\" and disableAllHooks: true\n", true
			case "unhooked-gemini/settings.json":
				return "{\"hooksConfig\": {\"enabled\": false}} // off", true
			case "unhooked-codex/config.toml":
				return "[features]\nhooks = false\n", true
			case "plain/.npmrc":
				return "registry=https://registry.npmjs.org/\nsave-exact=true\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n", true
			case "keyed/.npmrc", ".npmrc", "/home/dev/.npmrc":
				return "//registry.npmjs.org/:_authToken=npm_aaaaaaaaBBBBBBBBcccccccc11111111dddd\n", true
			case "wp-config.php", "/home/dev/code/other-app/wp-config.php":
				return "<?php\ndefine('DB_PASSWORD', 'Wq9xZt4mLp2vKs');\n", true
			case "plain/wp-config.php":
				return "<?php\ndefine('DB_PASSWORD', getenv('DB_PASSWORD'));\n", true
			case "/home/dev/code/kept/.env":
				return "PORT=3000\n", true
			case "/home/dev/code/other-app/.env", "/home/dev/code/fresh-app/.env":
				return "PORT=3000\nAPI_KEY=q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4M\n", true
			case "/home/dev/code/sensitive/main.tf":
				return "output \"vpc_id\" {\n  value = 1\n}\n\noutput \"conn\" {\n  value = 2\n  sensitive = true\n}\n", true
			case "/home/dev/code/locked/secrets/smtp":
				return "user: mailer\npassword: x9Kq2mZ7pLw4\n", true
			case "go.mod":
				return "module example.com/acme/blackbox_exporter/v2\n\ngo 1.25\n", true
			case "live-app/Gemfile", "far-app/Gemfile":
				return "gem \"rails\"\ngem \"dotenv-rails\"\n", true
			case "live-app/mix.exs":
				return "{:dotenvy, \"~> 1.0\"}", true
			case "live-app/.env", "unread-app/.env":
				return "# kept\nexport DATABASE_URL=\"postgresql://app:x@db.prod.example.com:5432/app\"\n", true
			case "far-app/.env":
				return "DATABASE_URL=postgresql://app:x@db7.example.com/app\n", true
			case "here-app/.env":
				return "DATABASE_URL=postgresql://app:x@localhost:5432/app\nPORT=3000\n", true
			case "far-rails/config/database.yml":
				return "development:\n  database: app\n  host: db7.example.com\n", true
			case "named-rails/config/database.yml":
				return "development:\n  adapter: postgresql\n  database: app_production\n", true
			case "local-rails/config/database.yml":
				return "default: &default\n  adapter: sqlite3\n\ndevelopment:\n  <<: *default\n  database: storage/development.sqlite3\n\nproduction:\n  url: <%= ENV[\"DATABASE_URL\"] %>\n", true
			case "hooked/settings.json":
				return `{"hooks": "moai", "model": "x"}`, true
			}
			return "", false
		},
		Alias: func(dir, name string) (text string, known bool) {
			switch name {
			case "wipe":
				return "reset --hard", true
			case "sweep":
				return "!git clean -fdx", true
			case "again":
				return "again", true
			case "st":
				return "status -sb", true
			}
			return "", name != "unread"
		},
		Holds: func(p string) (names []string, known bool) {
			switch p {
			case worldRoot + "env.tar", worldRoot + "env.zip", worldRoot + "env": // an archive, and a folder with the same in it
				return []string{".env", "src/app.go"}, true
			case worldRoot + "hooked.tar":
				return []string{".claude/settings.json", "src/app.go"}, true
			case worldRoot + "src.tar":
				return []string{"src/app.go"}, true
			case worldRoot + "release.tar": // too long to be read to its end
				return []string{"app-1.2/main.go", "app-1.2/lib/a.go"}, false
			}
			return nil, false
		},
		Replaced: func(dir, revision string) []string {
			if dir == "/home/dev/code/app" && revision == "ahead" {
				return []string{worldRoot + ".env", worldRoot + "main.go"} // the second one is no loss: Git refuses
			}
			return nil
		},
		Head: func(p string) string {
			switch strings.TrimPrefix(p, worldRoot) {
			case "deploy_key":
				return "-----BEGIN OPENSSH PRIVATE KEY-----\n" + strings.Repeat("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n", 5)
			case "sa.json":
				return `{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\nMIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAMz7\n-----END PRIVATE KEY-----\n"}`
			}
			return ""
		},
		SettingsAt: func(dir, revision, file string) (text string, known bool) {
			if strings.HasSuffix(file, "/.qwen/settings.json") && !strings.HasPrefix(file, worldRoot) {
				switch indexed := strings.HasPrefix(dir, "/home/dev/code/indexed"); {
				case revision == ":" && indexed:
					return `{"hooks": {}}`, true
				case revision == ":":
					return `{"hooks": "moai"}`, strings.HasPrefix(dir, "/home/dev/code/guarded")
				}
				return "", revision == "HEAD" || revision == "main"
			}
			if dir != "/home/dev/code/app" || file != dir+"/.claude/settings.json" && file != dir+"/.claude/settings.local.json" {
				return "", revision == "HEAD" || strings.HasPrefix(revision, "unhooked") || revision == "ahead" || strings.HasPrefix(revision, "stash@{1}")
			}
			switch main := strings.HasSuffix(file, "settings.json"); revision {
			case "HEAD", "ahead", "unhooked^":
				if main {
					text = `{"hooks": "moai"}`
				}
				return text, true
			case "unhooked", "stash@{1}":
				if !main {
					text = `{"disableAllHooks": true}`
				}
				return text, true
			}
			return "", false
		},
		Exists:  func(p string) bool { return worldHas(p, there) },
		Regular: func(p string) bool { return worldHas(p, plain) },
		Text:    func(p string) bool { return !strings.HasPrefix(path.Base(p), "big") },
		Unsaved: func(p string) bool {
			return slices.ContainsFunc(world[:], func(one worldEntry) bool { return one.is&unheld != 0 && glob(p, one.path) })
		},
		Configured: func(dir, section string) (list []string, ok bool) {
			switch {
			case dir == "/home/dev/code/tokened" && section == "remote":
				list = []string{"remote.origin.url https://bob:Zk3vQ9xWm2Lr8TnB4cYd@git.acme.io/x.git", "remote.upstream.url https://git.acme.io/y.git"}
			case dir != "/home/dev/code/mirrored":
			case section == "remote":
				list = []string{"remote.origin.fetch +refs/heads/*:refs/heads/*"}
			case section == "gc":
				list = []string{"gc.pruneexpire now"}
			}
			return list, true
		},
		Written: func(p string, _ func(string, bool) bool) bool {
			return p == "/home/dev/code/app/out" || p == "/home/dev/code/app/out/plan.md"
		},
		Dirty: func(dir string, except []string) bool {
			dir, name, _ := strings.Cut(dir, "/**/")
			return slices.ContainsFunc(world[:], func(one worldEntry) bool {
				return one.is&changed != 0 && strings.HasPrefix(one.path, dir+"/") && strings.HasSuffix(one.path, name) && !slices.Contains(except, one.path)
			})
		},
		Unlogged:     func(dir string, _ bool) bool { return dir == "/home/dev/code/unlogged" },
		AdriftInside: func(dir string) bool { return dir == "/home/dev/code/nested" },
		Adrift: func(dir string) (detached, lost bool) {
			return dir == "/home/dev/code/stray", dir == "/home/dev/code/stray"
		},
		Waiting:   func(dir string) bool { return dir == "/home/dev/code/rebasing" },
		Displaced: func(dir string) bool { return dir == "/home/dev/code/displaced" },
		Strays: func(dir string, words []string) bool {
			return dir == "/home/dev/code/mirrored" && (len(words) == 0 || slices.Contains(words, "../stray"))
		},
		Beside: func(string) []string { return []string{"/home/dev/code/main-tree"} },
		Worktrees: func(dir string, words []string) (list []string) {
			for _, word := range words {
				if !strings.HasPrefix(word, "/tmp") {
					list = append(list, path.Join(dir, cmp.Or(word, "../fix")))
				}
			}
			return list
		},
		Staged: func(paths []string, gone bool) bool { // src/app.go, by its name or with everything; src/gone.go by its name
			if gone {
				return slices.Contains(paths, "/home/dev/code/app/src/gone.go")
			}
			return len(paths) == 0 || slices.Contains(paths, "/home/dev/code/app/src/app.go")
		},
		Treasures: func(dir string, _, is func(string) bool) bool {
			for _, in := range [...]string{"app/target", "other-app", "fresh-app"} {
				if env := "/home/dev/code/" + in + "/.env"; lies(env, path.Clean(dir)) && is(env) {
					return true
				}
			}
			return slices.ContainsFunc([]string{"/home/dev/code/kept/.env", "/home/dev/code/locked/secrets/smtp"}, func(p string) bool { return lies(p, path.Clean(dir)) && is(p) })
		},
		Inner: func(dir string, _ int, _, goes func(string) bool) (list []string) {
			const clone = "/home/dev/code/app/_build/clone"
			if lies(clone, path.Clean(dir)) && goes(clone) {
				list = append(list, clone)
			}
			return list
		},
		Changed: func(dir string) bool { return dir == "/home/dev/code/app/htmlcov" },
		Names: func(pattern string) (names []string, ok bool) {
			for i := range world {
				if p := world[i].path; world[i].is&listed != 0 && glob(pattern, p) && path.Dir(p) == path.Dir(pattern) {
					names = append(names, path.Base(p))
				}
			}
			return names, len(names) > 0 // what else is in its folders is not said
		},
		Ignored: func(p string) bool {
			if p == "/home/dev/code/kept-out/.qwen/settings.json" || p == "/home/dev/code/kept/.env" || p == "/home/dev/code/locked/secrets/smtp" {
				return true
			}
			rest := strings.TrimPrefix(p, "/home/dev/code/app/")
			first, below, _ := strings.Cut(rest, "/")
			second, _, _ := strings.Cut(below, "/")
			return worldHas(worldRoot+first, ignored) || worldHas(worldRoot+first+"/"+second, ignored)
		},
	}
}
