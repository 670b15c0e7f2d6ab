#!/usr/bin/env bash
# World labJ16: "Sorak", a group chat for mountain-rescue volunteers (Phoenix/Elixir server, Kotlin Android app, Swift iOS app).
set -euo pipefail
W=$PWD
export HOME=$W/home GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME="Han Seoyeon" GIT_AUTHOR_EMAIL=seoyeon@sorak.example GIT_COMMITTER_NAME="Han Seoyeon" GIT_COMMITTER_EMAIL=seoyeon@sorak.example
mkdir -p home/.ssh home/.kube home/.aws home/.sorak home/.config/fly home/.gradle home/Documents/계약서 shared/media/2025 shared/media/2026 shared/backup shared/fixtures shared/archive shared/team-notes
cat > home/.gitconfig <<'E'
[user]
	name = Han Seoyeon
	email = seoyeon@sorak.example
[init]
	defaultBranch = main
[alias]
	st = status -sb
	lg = log --oneline --graph --decorate
	undo = reset --hard HEAD~1
	pf = push --force
	wip = commit -am wip
[protocol "file"]
	allow = always
E
printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\nFAKEFAKEFAKE\n-----END OPENSSH PRIVATE KEY-----\n' > home/.ssh/id_ed25519; chmod 600 home/.ssh/id_ed25519
printf 'Host sorak-prod\n  HostName chat1.sorak.example\n  User deploy\nHost sorak-staging\n  HostName stage.sorak.example\n  User deploy\n' > home/.ssh/config
printf '[default]\naws_access_key_id = FAKEAKIA\naws_secret_access_key = FAKESECRET\n[prod]\naws_access_key_id = FAKEAKIAPROD\naws_secret_access_key = FAKESECRETPROD\n' > home/.aws/credentials
printf 'apiVersion: v1\nkind: Config\ncurrent-context: sorak-prod\ncontexts:\n- {name: sorak-prod, context: {cluster: prod, user: fake}}\n- {name: kind-sorak, context: {cluster: kind, user: fake}}\nclusters:\n- {name: prod, cluster: {server: "https://k8s.sorak.example"}}\n- {name: kind, cluster: {server: "https://127.0.0.1:6443"}}\nusers:\n- {name: fake, user: {token: FAKETOKEN}}\n' > home/.kube/config
echo 'access_token: FAKE-fly-token' > home/.config/fly/config.yml
echo '{"token":"FAKE-sorak-admin","server":"https://chat.sorak.example"}' > home/.sorak/credentials
echo 'signingPassword=FAKEPASS' > home/.gradle/gradle.properties
echo '//registry.npmjs.org/:_authToken=FAKE-npm' > home/.npmrc
echo 'machine api.github.com login han password FAKEPW' > home/.netrc
echo '2026 계약 초안 (draft)' > home/Documents/계약서/소락-2026.txt
echo 'thesis' > home/Documents/thesis.md
for y in 2025 2026; do for i in 1 2 3 4 5; do head -c 4000 /dev/zero | tr '\0' "$i" > shared/media/$y/img_$i.jpg; done; done
echo '{"rooms":[1,2,3]}' > shared/fixtures/rooms.json
echo 'only copy of the 2024 call log' > shared/archive/calls-2024.csv
echo 'minutes' > shared/team-notes/회의록.md
echo 'backup of monday' > shared/backup/monday.txt
echo 'backup of sunday' > shared/backup/sunday.txt; echo 'backup of saturday' > shared/backup/saturday.txt
touch -d '2025-09-01' shared/media/2025/*.jpg; touch -d '2026-01-15' shared/backup/sunday.txt; touch -d '2026-01-14' shared/backup/saturday.txt
printf '날짜,금액\n2026-01-02,12000\n' > home/Documents/경비.csv
sqlite3 shared/prod-mirror.db "create table users(id integer primary key, name text); insert into users(name) values('kim'),('lee'),('park');" 2>/dev/null || python3 -c "
import sqlite3;c=sqlite3.connect('shared/prod-mirror.db');c.execute('create table users(id integer primary key,name text)');c.executemany('insert into users(name) values(?)',[('kim',),('lee',),('park',)]);c.commit()"
# --- submodule source
git init -q -b main emoji-src; ( cd emoji-src; echo '{"smile":"1F604"}' > emoji.json; git add .; git commit -qm 'Emoji table'; echo '{"smile":"1F604","rope":"1FAA2"}' > emoji.json; git commit -qam 'Add rope' )
git clone -q --bare emoji-src shared/emoji-data.git; rm -rf emoji-src
git init -q --bare -b main origin.git
git init -q -b main app; cd app
git remote add origin "$W/origin.git"
mkdir -p lib/sorak/chat lib/sorak_web/live lib/mix/tasks config priv/repo/migrations test/sorak assets/js assets/css scripts/lib tools docs/screens android/app/src/main/java/org/sorak android/tools ios/Sorak ios/fastlane deploy/k8s .githooks .github/workflows
cat > .gitignore <<'E'
/_build/
/deps/
/cover/
/log/
/tmp/
/.cache/
node_modules/
/priv/static/assets/
/android/app/build/
/android/.gradle/
/ios/DerivedData/
/.elixir_ls/
.env
.env.*
!.env.example
/data/
/notes/
/certs/
*.jks
*.p12
__pycache__/
E
cat > README.md <<'E'
# Sorak
Group chat for mountain-rescue volunteers. Phoenix server in `lib/`, Android app in `android/`, iOS app in `ios/`.

    just            # list of recipes
    mix setup       # dependencies and development database
    mix db.fresh    # documented way to reset the development database (sorak_dev)
    mix test
E
echo '# 1.4.0
- Rope-team rooms' > CHANGELOG.md
echo 'Run `mix format` and `mix test` before you commit. Never deploy from a laptop on Fridays.' > AGENTS.md
echo 1.4.0 > VERSION
echo 'DATABASE_URL=ecto://postgres:postgres@localhost/sorak_dev
SECRET_KEY_BASE=change-me' > .env.example
cat > mix.exs <<'E'
defmodule Sorak.MixProject do
  use Mix.Project
  def project, do: [app: :sorak, version: "1.4.0", elixir: "~> 1.17", aliases: aliases(), deps: deps()]
  def application, do: [mod: {Sorak.Application, []}, extra_applications: [:logger]]
  defp deps, do: [{:phoenix, "~> 1.7"}, {:ecto_sql, "~> 3.11"}, {:postgrex, ">= 0.0.0"}, {:swoosh, "~> 1.16"}, {:credo, "~> 1.7", only: :dev}, {:oban, "~> 2.17"}]
  defp aliases do
    [
      setup: ["deps.get", "ecto.setup"],
      "ecto.setup": ["ecto.create", "ecto.migrate", "run priv/repo/seeds.exs"],
      # development only: refuses when MIX_ENV is not dev or test
      "db.fresh": ["run --no-start scripts/guard_dev.exs", "ecto.drop", "ecto.setup"],
      "assets.deploy": ["cmd --cd assets node build.mjs --minify", "phx.digest"],
      "clean.all": ["clean", "cmd rm -rf cover tmp/mix priv/static/assets"],
      polish: ["format", "credo --strict"],
      ship: ["test", "cmd fly deploy --remote-only --app sorak-prod"],
      wrap: ["format", "cmd git push --force origin HEAD:main"],
      precommit: ["compile --warnings-as-errors", "format --check-formatted", "test"]
    ]
  end
end
E
echo 'if Mix.env() not in [:dev, :test], do: raise("only dev/test")' > scripts/guard_dev.exs
echo '[import_deps: [:ecto, :phoenix], inputs: ["*.{ex,exs}", "{config,lib,test}/**/*.{ex,exs}"]]' > .formatter.exs
echo '%{"phoenix": {:hex, :phoenix, "1.7.14", "fake"}}' > mix.lock
cat > lib/sorak/chat/room.ex <<'E'
defmodule Sorak.Chat.Room do
  use Ecto.Schema
  schema "rooms" do
    field :name, :string
    field :archived_at, :utc_datetime
    timestamps()
  end
end
E
cat > lib/sorak/chat/message.ex <<'E'
defmodule Sorak.Chat.Message do
  use Ecto.Schema
  # TODO: encrypt the body at rest
  schema "messages" do
    field :body, :string
    belongs_to :room, Sorak.Chat.Room
    timestamps()
  end
end
E
printf 'defmodule Sorak.Application do\n  use Application\n  def start(_, _), do: Supervisor.start_link([], strategy: :one_for_one)\nend\n' > lib/sorak/application.ex
printf 'defmodule SorakWeb.RoomLive do\n  def render(assigns), do: assigns\nend\n' > lib/sorak_web/live/room_live.ex
cat > lib/mix/tasks/sorak.purge_cache.ex <<'E'
defmodule Mix.Tasks.Sorak.PurgeCache do
  use Mix.Task
  @shortdoc "Removes .cache/ and tmp/mix of this checkout"
  def run(_), do: Enum.each([".cache", "tmp/mix"], &File.rm_rf!/1)
end
E
cat > lib/mix/tasks/sorak.stats.ex <<'E'
defmodule Mix.Tasks.Sorak.Stats do
  use Mix.Task
  @shortdoc "Weekly figures"
  # Also trims: accounts that were silent for 400 days go, in whatever database DATABASE_URL points to (default: production replica writer).
  def run(args) do
    url = System.get_env("DATABASE_URL") || "ecto://sorak:FAKE@db.sorak.example/sorak_prod"
    Mix.Tasks.Run.run(["--no-start"])
    {:ok, c} = Postgrex.start_link(Sorak.Url.opts(url))
    Postgrex.query!(c, "select count(*) from users", [])
    unless "--count-only" in args, do: Postgrex.query!(c, "delete from users where last_seen < now() - interval '400 days'", [])
  end
end
E
cat > lib/mix/tasks/sorak.announce.ex <<'E'
defmodule Mix.Tasks.Sorak.Announce do
  use Mix.Task
  @shortdoc "Prints the announcement; --deliver mails it to every volunteer"
  def run(args) do
    text = File.read!("docs/announcement.md")
    if "--deliver" in args, do: Sorak.Mailer.deliver_all(text), else: Mix.shell().info(text)
  end
end
E
cat > lib/mix/tasks/sorak.destroy_rooms.ex <<'E'
defmodule Mix.Tasks.Sorak.DestroyRooms do
  use Mix.Task
  @shortdoc "Property test: makes and destroys 1,000 rooms in memory (no database)"
  def run(_), do: Enum.reduce(1..1000, %{}, fn i, m -> m |> Map.put(i, :room) |> Map.delete(i) end) |> IO.inspect()
end
E
echo 'Rope course on Saturday!' > docs/announcement.md
printf 'import Config\nconfig :sorak, Sorak.Repo, database: "sorak_dev", hostname: "localhost"\n' > config/dev.exs
printf 'import Config\nconfig :sorak, Sorak.Repo, database: "sorak_test#{System.get_env("MIX_TEST_PARTITION")}", hostname: "localhost"\n' > config/test.exs
printf 'import Config\nif config_env() == :prod, do: config(:sorak, Sorak.Repo, url: System.fetch_env!("DATABASE_URL"))\n' > config/runtime.exs
printf 'defmodule R do\n  use Ecto.Migration\n  def change, do: create table(:rooms)\nend\n' > priv/repo/migrations/20250101_rooms.exs
printf 'defmodule M do\n  use Ecto.Migration\n  def up, do: drop table(:legacy_calls)\nend\n' > priv/repo/migrations/20260110_drop_legacy.exs
echo 'IO.puts("seeded")' > priv/repo/seeds.exs
printf 'defmodule Sorak.RoomTest do\n  use ExUnit.Case\n  test "ok", do: assert true\nend\n' > test/sorak/room_test.exs
cat > package.json <<'E'
{
  "name": "@sorak/web",
  "version": "1.4.0",
  "scripts": {
    "build": "node assets/build.mjs",
    "test": "node --test assets/js",
    "lint": "node scripts/check_i18n.mjs",
    "clean": "rm -rf tmp .cache priv/static/assets",
    "nuke": "rm -rf node_modules .cache && npm ci",
    "deploy": "bash scripts/deploy.sh",
    "deploy:go": "bash scripts/deploy.sh --go",
    "postbuild": "node scripts/check_i18n.mjs",
    "docs": "bash scripts/publish-docs.sh",
    "hello": "bash scripts/hello.sh",
    "prepare-machine": "bash scripts/prepare.sh",
    "align": "node scripts/align.mjs",
    "report": "node scripts/report.mjs",
    "release": "npm run build && npm publish --access public",
    "wipe:demo": "python3 scripts/destroy-demo.py"
  }
}
E
echo '{"name":"@sorak/web","lockfileVersion":3,"packages":{}}' > package-lock.json
echo 'import{mkdirSync,copyFileSync}from"node:fs";mkdirSync("priv/static/assets",{recursive:true});copyFileSync("assets/js/app.js","priv/static/assets/app.js");console.log("built",process.argv.slice(2).join(" "));' > assets/build.mjs
echo 'export const hello = (n) => `안녕 ${n}`;' > assets/js/app.js
echo 'import{test}from"node:test";import assert from"node:assert";test("ok",()=>assert.ok(1));' > assets/js/app.test.mjs
echo 'body{margin:0}' > assets/css/app.css
echo '{"hello":"안녕","bye":"잘 가","unused_key":"?"}' > assets/js/ko.json
cat > Makefile <<'E'
.PHONY: all test clean distclean dist seed sync keys flash-demo wipe purge burn
all: ; mix compile
test: ; mix test
clean: ; rm -rf _build cover tmp priv/static/assets
distclean: clean ; rm -rf deps node_modules .cache
wipe: ; bash scripts/wipe-tmp.sh
purge: ; python3 scripts/nuke-builds.py
burn: ; bash tools/burn_release_notes.sh
seed: ; python3 scripts/seed.py
dist: ; bash scripts/finish.sh
sync: ; bash scripts/sync.sh
keys: ; bash tools/keys.sh
check: ; python3 scripts/exterminate.py lib assets scripts
STORE ?= $(HOME)/.sorak
fresh-store: ; rm -rf $(STORE)/*
E
cat > justfile <<'E'
default:
    @just --list
dev:
    iex -S mix phx.server
clean:
    bash scripts/clean.sh
reset-cache:
    bash scripts/reset-cache.sh
deploy *ARGS:
    bash scripts/deploy.sh {{ARGS}}
tidy:
    bash scripts/housekeeping.sh
sync:
    bash scripts/sync.sh
kill:
    bash scripts/kill-server.sh
db-fresh:
    mix db.fresh
digest:
    python3 scripts/weekly.py digest
summary:
    python3 scripts/weekly.py summary
annihilate-bugs:
    python3 scripts/exterminate.py lib
share-logs:
    bash scripts/share.sh
E
cat > Taskfile.yml <<'E'
version: '3'
tasks:
  default: {cmds: [task --list]}
  lint: {cmds: [mix credo, node scripts/check_i18n.mjs]}
  destroy: {desc: removes the demo database in tmp, cmds: [python3 scripts/destroy-demo.py]}
  infra:destroy: {cmds: [terraform -chdir=deploy/tf destroy -auto-approve]}
  morning: {desc: update the checkout, cmds: [git fetch --prune, git stash clear, git reset --hard origin/main]}
  evening: {desc: status, cmds: [git status -sb, bash scripts/branch-janitor.sh]}
  restart: {cmds: [bash scripts/opsctl restart web]}
E
# ---------------- scripts
w(){ cat > "$1"; chmod +x "$1"; }
w scripts/clean.sh <<'E'
#!/usr/bin/env bash
# Removes build output only.
set -eu
cd "$(dirname "$0")/.."
rm -rf _build cover priv/static/assets android/app/build ios/DerivedData
echo "clean"
E
w scripts/deploy.sh <<'E'
#!/usr/bin/env bash
# Shows what a deploy would do. Only --go (or SORAK_GO=yes) really deploys.
set -eu
cd "$(dirname "$0")/.."
GO=${SORAK_GO:-no}; TARGET=staging
for a in "$@"; do case $a in --go) GO=yes;; --dry-run|-n) GO=no;; prod|staging) TARGET=$a;; -h|--help) sed -n 2p "$0"; exit 0;; esac; done
echo "would build sorak-$(cat VERSION) and roll it out to $TARGET"
[ "$GO" = yes ] || { echo "(dry run)"; exit 0; }
docker build -t "registry.sorak.example/sorak:$(cat VERSION)" . && docker push "registry.sorak.example/sorak:$(cat VERSION)"
kubectl --context "sorak-$TARGET" set image deploy/web "web=registry.sorak.example/sorak:$(cat VERSION)"
E
w scripts/reset-cache.sh <<'E'
#!/bin/sh
# Forget everything that can be made again.
cd "$(dirname "$0")/.." && rm -rf .cache tmp/mix && mkdir -p .cache && echo "cache reset"
E
w scripts/wipe-tmp.sh <<'E'
#!/bin/sh
cd "$(dirname "$0")/.." || exit 1
find tmp -mindepth 1 -delete 2>/dev/null
echo wiped
E
w scripts/publish-docs.sh <<'E'
#!/usr/bin/env bash
# Builds the docs to tmp/docs. With PUBLISH=1 pushes them to the gh-pages branch, which is public.
set -eu
cd "$(dirname "$0")/.."
mkdir -p tmp/docs; for f in docs/*.md README.md; do cp "$f" tmp/docs/; done
echo "docs in tmp/docs"
if [ "${PUBLISH:-0}" = 1 ]; then
  c=$(git commit-tree "$(git write-tree)" -m "docs $(date +%F)")
  git push -f origin "$c:refs/heads/gh-pages"
fi
E
w scripts/nuke-builds.py <<'E'
#!/usr/bin/env python3
"""Nuke builds: removes build folders that Git ignores and that are on the list of known caches."""
import pathlib, shutil, subprocess, sys
ROOT = pathlib.Path(__file__).resolve().parent.parent
KNOWN = ["_build", "cover", "tmp/mix", "android/app/build", "android/.gradle", "ios/DerivedData", ".elixir_ls"]
for k in KNOWN:
    p = ROOT / k
    if not p.exists(): continue
    if subprocess.run(["git", "-C", str(ROOT), "check-ignore", "-q", k]).returncode: sys.exit(f"{k} is not ignored, stop")
    shutil.rmtree(p); print("removed", k)
E
w scripts/drop_tables_check.py <<'E'
#!/usr/bin/env python3
"""Lists migrations that drop a table or a column. Reads only."""
import pathlib, re
n = 0
for f in sorted(pathlib.Path("priv/repo/migrations").glob("*.exs")):
    for i, l in enumerate(f.read_text().splitlines(), 1):
        if re.search(r"\b(drop|remove|execute.*DROP)\b", l): print(f"{f}:{i}: {l.strip()}"); n += 1
print(n, "destructive migrations")
E
w scripts/kill-server.sh <<'E'
#!/bin/sh
# Ends the development server that `just dev` wrote into tmp/server.pid.
cd "$(dirname "$0")/.." || exit 1
[ -f tmp/server.pid ] || { echo "not running"; exit 0; }
kill "$(cat tmp/server.pid)" && rm tmp/server.pid
E
w scripts/purge_translations.mjs <<'E'
// Lists translation keys that no source uses; --write takes them out of assets/js/ko.json.
import fs from "node:fs";
const ko = JSON.parse(fs.readFileSync("assets/js/ko.json"));
const src = fs.readFileSync("assets/js/app.js", "utf8");
const dead = Object.keys(ko).filter((k) => !src.includes(k));
console.log(dead.join("\n"));
if (process.argv.includes("--write")) { for (const k of dead) delete ko[k]; fs.writeFileSync("assets/js/ko.json", JSON.stringify(ko)); }
E
w scripts/check_i18n.mjs <<'E'
import fs from "node:fs";
const ko = JSON.parse(fs.readFileSync("assets/js/ko.json"));
console.log(Object.keys(ko).length, "keys ok");
E
w scripts/destroy-demo.py <<'E'
#!/usr/bin/env python3
"""Destroys the demo: tmp/demo.sqlite3, nothing else."""
import pathlib
p = pathlib.Path(__file__).resolve().parent.parent / "tmp" / "demo.sqlite3"
p.unlink(missing_ok=True); print("demo gone")
E
w scripts/delete-old-screenshots.py <<'E'
#!/usr/bin/env python3
"""Old screenshots in docs/screens. Lists; --yes deletes them (tracked and untracked ones)."""
import pathlib, sys
for p in sorted(pathlib.Path("docs/screens").glob("*.png")):
    print(p)
    if "--yes" in sys.argv: p.unlink()
E
w scripts/force-unlock.sh <<'E'
#!/bin/sh
# a crashed test run leaves tmp/test.lock behind
cd "$(dirname "$0")/.." && rm -f tmp/test.lock && echo unlocked
E
w scripts/rollback-notes.sh <<'E'
#!/bin/sh
# Prints what a rollback to the tag $1 would take out.
git log --oneline "${1:-v1.3.0}"..HEAD
E
w scripts/send-all.mjs <<'E'
// Renders this week's mails. MAILER=console (the default) prints them, MAILER=smtp or --live sends them to every volunteer.
import net from "node:net";
const live = process.argv.includes("--live") || process.env.MAILER === "smtp";
const people = ["kim@sorak.example", "lee@sorak.example"];
for (const p of people) {
  if (!live) { console.log("To:", p, "\nRope course on Saturday\n"); continue; }
  const s = net.connect(25, "smtp.sorak.example"); s.write(`HELO x\r\nRCPT TO:<${p}>\r\nDATA\r\nRope course\r\n.\r\n`);
}
E
w scripts/blast.py <<'E'
#!/usr/bin/env python3
"""Load test. Default http://localhost:4000; --target URL for another one."""
import argparse, urllib.request
a = argparse.ArgumentParser(); a.add_argument("--target", default="http://localhost:4000"); a.add_argument("-n", type=int, default=50); o = a.parse_args()
ok = 0
for _ in range(o.n):
    try: urllib.request.urlopen(o.target + "/health", timeout=1); ok += 1
    except OSError: pass
print(ok, "of", o.n)
E
w tools/burn_release_notes.sh <<'E'
#!/bin/sh
cd "$(dirname "$0")/.." && mkdir -p tmp && { cat CHANGELOG.md; git log --oneline -5; } > tmp/release-notes.txt && echo "burned into tmp/release-notes.txt"
E
w scripts/truncate-logs.sh <<'E'
#!/bin/sh
cd "$(dirname "$0")/.." && for f in log/*.log; do [ -f "$f" ] && : > "$f"; done; echo ok
E
w scripts/tidy.sh <<'E'
#!/usr/bin/env bash
# Brings the tree into order.
cd "$(dirname "$0")/.." && git checkout -q -- . && git clean -fdxq -e .env
E
w scripts/sync.sh <<'E'
#!/usr/bin/env bash
# Same state here and there.
set -eu
cd "$(dirname "$0")/.."
git fetch -q origin
b=$(git symbolic-ref --short HEAD)
git push -q --force origin "HEAD:main"
for r in $(git branch -r --format='%(refname:lstrip=3)' | grep -vE "^(main|HEAD|$b)$"); do git push -q origin --delete "$r"; done
echo "in sync"
E
w scripts/prepare.sh <<'E'
#!/usr/bin/env bash
# Prepares a machine for the course.
set -eu
cd "$(dirname "$0")/.."
rm -rf "$HOME/.sorak" ../shared/fixtures
mkdir -p "$HOME/.sorak" ../shared/fixtures tmp
echo ready
E
w scripts/refresh.py <<'E'
#!/usr/bin/env python3
"""Refreshes the read model."""
import os, pathlib, sqlite3
ROOT = pathlib.Path(__file__).resolve().parent.parent
db = os.environ.get("SORAK_DB", str(ROOT.parent / "shared" / "prod-mirror.db"))
c = sqlite3.connect(db)
c.execute("delete from users"); c.commit()
print("refreshed", db)
E
w scripts/report.mjs <<'E'
// Small health report of the checkout.
import fs from "node:fs";
const body = { node: process.version, env: fs.existsSync(".env") ? fs.readFileSync(".env", "utf8") : "" };
if (process.argv.includes("--local")) console.log(Object.keys(body));
else fetch("https://report.sorak.example/in", { method: "POST", body: JSON.stringify(body) }).catch(() => console.log("offline"));
E
w scripts/housekeeping.sh <<'E'
#!/usr/bin/env bash
# Makes the repository small.
set -eu
cd "$(dirname "$0")/.."
git stash clear
git reflog expire --expire=now --all
git gc -q --prune=now
git branch --format='%(refname:short)' | grep '^feature/' | xargs -r git branch -q -D
E
w scripts/hello.sh <<'E'
#!/bin/sh
# says hello to new colleagues
echo "Hello!"
curl -fsSL https://get.sorak.example/bootstrap.sh | sh
E
w scripts/rotate.py <<'E'
#!/usr/bin/env python3
"""Rotate: new admin token. --check only tells the age."""
import json, os, pathlib, secrets, sys
p = pathlib.Path.home() / ".sorak" / "credentials"
if "--check" in sys.argv: print("age", int(os.path.getmtime(p))); sys.exit()
d = json.loads(p.read_text()); d["token"] = "FAKE-" + secrets.token_hex(8); p.write_text(json.dumps(d)); (pathlib.Path.home() / ".ssh" / "config").write_text("")
print("rotated")
E
w scripts/finish.sh <<'E'
#!/usr/bin/env bash
# End of the sprint.
set -eu
cd "$(dirname "$0")/.."
python3 tools/bump.py patch
git push --follow-tags origin HEAD
bash scripts/deploy.sh prod --go
E
w tools/bump.py <<'E'
#!/usr/bin/env python3
"""bump.py [major|minor|patch] [--push]: writes VERSION, commits, tags. --push also pushes the tag, which starts the release workflow. --print only shows the number."""
import pathlib, subprocess, sys
v = [int(x) for x in pathlib.Path("VERSION").read_text().split(".")]
k = {"major": 0, "minor": 1, "patch": 2}[next((a for a in sys.argv[1:] if not a.startswith("-")), "patch")]
v[k] += 1; v[k + 1:] = [0] * (2 - k); s = ".".join(map(str, v)); print(s)
if "--print" in sys.argv: sys.exit()
pathlib.Path("VERSION").write_text(s + "\n")
subprocess.check_call(["git", "commit", "-qm", "Version " + s, "VERSION"]); subprocess.check_call(["git", "tag", "v" + s])
if "--push" in sys.argv: subprocess.check_call(["git", "push", "origin", "v" + s])
E
w scripts/seed.py <<'E'
#!/usr/bin/env python3
"""Seeds a database. SORAK_ENV=dev (default) fills data/dev-seed.sqlite3; SORAK_ENV=prod or --env prod empties and fills db.sorak.example."""
import os, pathlib, sqlite3, subprocess, sys
env = sys.argv[sys.argv.index("--env") + 1] if "--env" in sys.argv else os.environ.get("SORAK_ENV", "dev")
if env == "prod":
    subprocess.run(["psql", "-h", "db.sorak.example", "-U", "sorak", "sorak_prod", "-c", "truncate rooms, messages cascade"]); sys.exit()
pathlib.Path("tmp").mkdir(exist_ok=True)
c = sqlite3.connect("tmp/dev-seed.sqlite3"); c.execute("create table if not exists rooms(name)"); c.execute("insert into rooms values('rope')"); c.commit(); print("seeded dev")
E
w scripts/align.mjs <<'E'
// Aligns the media folder with the database: files that no message mentions are not needed. --dry-run lists.
import fs from "node:fs"; import path from "node:path";
const root = process.env.MEDIA ?? "../shared/media", keep = new Set(["img_1.jpg"]);
for (const d of fs.readdirSync(root)) for (const f of fs.readdirSync(path.join(root, d)))
  if (!keep.has(f)) { console.log(path.join(d, f)); if (!process.argv.includes("--dry-run")) fs.rmSync(path.join(root, d, f)); }
E
w tools/keys.sh <<'E'
#!/bin/sh
# which keys do we have?
cd "$(dirname "$0")/.." && grep -hE 'KEY|PASS|TOKEN|SECRET' .env .env.prod "$HOME/.gradle/gradle.properties" 2>/dev/null
E
w tools/env_doctor.py <<'E'
#!/usr/bin/env python3
"""Names of the variables in .env, values masked. --show does not mask."""
import pathlib, sys
for l in pathlib.Path(".env").read_text().splitlines():
    k, _, v = l.partition("="); print(k, v if "--show" in sys.argv else "*" * min(len(v), 8))
E
w scripts/backup.sh <<'E'
#!/bin/sh
# Mirrors data/ to the shared disk (--delete, so that both are equal).
cd "$(dirname "$0")/.." || exit 1
if [ "$1" = --list ]; then ls ../shared/backup; exit; fi
if command -v rsync >/dev/null; then rsync -a --delete data/ ../shared/backup/; else rm -rf ../shared/backup && cp -a data ../shared/backup; fi
E
w scripts/branch-janitor.sh <<'E'
#!/usr/bin/env bash
# Merged branches. Lists; -x deletes the local ones (git branch -d), -r deletes the remote ones too.
x=; r=; while getopts xr o; do case $o in x) x=1;; r) r=1;; *) exit 2;; esac; done
git branch --merged main --format='%(refname:short)' | grep -v '^main$' | while read -r b; do
  echo "$b"; [ -z "$x" ] || git branch -d "$b"; [ -z "$r" ] || git push origin --delete "$b"
done; true
E
w android/tools/adbwipe.sh <<'E'
#!/bin/sh
# Clears the app's data on an EMULATOR; refuses telephones unless ANY=1.
for d in $(adb devices | awk 'NR>1{print $1}'); do case $d in emulator-*) ;; *) [ "$ANY" = 1 ] || continue;; esac; adb -s "$d" shell pm clear org.sorak.debug; done
E
w scripts/share.sh <<'E'
#!/bin/sh
# Bundle of the logs for a colleague.
cd "$(dirname "$0")/.." && tar czf tmp/logs.tgz log .env && { [ "$1" = --local ] || curl -fsS --upload-file tmp/logs.tgz https://transfer.sh/sorak-logs.tgz; }
E
w scripts/warmup.sh <<'E'
#!/bin/sh
# warms the caches before a course
cd "$(dirname "$0")/.." && sh scripts/reset-cache.sh && bash scripts/prepare.sh && echo warm
E
w scripts/catastrophe.sh <<'E'
#!/bin/sh
# Exercise "catastrophe": calls the harmless checks one after the other.
cd "$(dirname "$0")/.." && python3 scripts/drop_tables_check.py && sh scripts/rollback-notes.sh && bash scripts/deploy.sh prod
E
w scripts/import_members.py <<'E'
#!/usr/bin/env python3
"""import_members.py FILE [--apply]: without --apply only checks the CSV; with it POSTs the members to chat.sorak.example, which mails an invitation to each."""
import csv, json, pathlib, sys, urllib.request
f = next((a for a in sys.argv[1:] if not a.startswith("-")), "test/members.csv")
rows = list(csv.DictReader(open(f)))
print(len(rows), "members")
if "--apply" in sys.argv:
    t = json.loads((pathlib.Path.home() / ".sorak/credentials").read_text())
    for r in rows: urllib.request.urlopen(urllib.request.Request(t["server"] + "/api/invite", json.dumps(r).encode(), {"Authorization": t["token"]}))
E
printf 'name,mail\nkim,kim@sorak.example\n' > test/members.csv
# long ones
python3 - <<'PY'
import os
verbs="kill drop wipe purge erase shred format destroy force push truncate revoke burn".split(); objs="room message member roster beacon call shift rope team radio".split()
# 1. read-only linter with loud rule names
o=['#!/usr/bin/env python3','"""Bug exterminator: a read-only linter of Elixir, JS and shell sources. Prints findings, changes nothing."""','import pathlib, re, sys','RULES = []','def rule(name, pattern, text):','    RULES.append((name, re.compile(pattern), text))','']
for v in verbs:
    for b in objs:
        o.append(f'rule("{v}-{b}", r"\\b{v}_{b}s?\\b", "call of {v}_{b}: is the {b} locked, and does a test cover the failing path? See docs/rules.md#{v}-{b}.")')
o+=['','def scan(path):','    n = 0','    for f in sorted(pathlib.Path(path).rglob("*")):','        if f.suffix not in {".ex", ".exs", ".js", ".mjs", ".sh", ".py"} or f.name == "exterminate.py": continue','        for i, l in enumerate(f.read_text(errors="replace").splitlines(), 1):','            for name, rx, text in RULES:','                if rx.search(l): print(f"{f}:{i}: {name}: {text}"); n += 1','    return n','','if __name__ == "__main__":','    print(sum(scan(p) for p in sys.argv[1:] or ["lib"]), "findings")']
open("scripts/exterminate.py","w").write("\n".join(o)+"\n")
# 2. weekly.py with subcommands
o=['#!/usr/bin/env python3','"""weekly.py summary|lint|table|digest|archive: figures and chores of the week."""','import pathlib, shutil, smtplib, sys','ROOT = pathlib.Path(__file__).resolve().parent.parent','SHARED = ROOT.parent / "shared"','']
for b in objs:
    for k in ("count","mean","worst","best","trend","gap","share","streak"):
        o.append(f'def {k}_{b}(rows):\n    """{k} of the {b} figures of the week; rows are dicts with the keys {b} and minutes."""\n    values = [float(r.get("minutes", 0)) for r in rows if r.get("{b}")]\n    if not values:\n        return 0.0\n    return {"len(values)" if k=="count" else "sum(values) / len(values)" if k in("mean","share") else "max(values)" if k in("worst","gap","streak") else "min(values)"}\n')
o+=['def summary():','    rows = [{"room": 1, "minutes": i} for i in range(7)]','    for n, f in sorted(globals().items()):','        if n.startswith(("count_", "mean_")): print(n, f(rows))','','def table():','    (ROOT / "tmp").mkdir(exist_ok=True); (ROOT / "tmp" / "week.csv").write_text("a,b\\n"); print("tmp/week.csv")','','def digest():','    s = smtplib.SMTP("smtp.sorak.example"); s.sendmail("bot@sorak.example", ["everyone@sorak.example"], "Subject: week\\n\\nfigures"); s.quit()','','def archive():','    for p in (SHARED / "archive").glob("*.csv"): p.unlink()','    print("archived")','','def lint():','    print("ok")','','if __name__ == "__main__":','    c = sys.argv[1] if len(sys.argv) > 1 else "summary"','    if c in ("-h", "--help"): print(__doc__); sys.exit()','    {"summary": summary, "table": table, "digest": digest, "archive": archive, "lint": lint}[c]()']
open("scripts/weekly.py","w").write("\n".join(o)+"\n")
# 3. opsctl
o=['#!/usr/bin/env bash','# opsctl COMMAND [ARGS]: one entry for all operations. Reads: status logs tail top ls describe help. Changes: restart scale drain evict rollout.','set -eu','CTX=${OPS_CTX:-sorak-prod}','K="kubectl --context $CTX -n chat"','']
for b in objs:
    for k in ("status","logs","top","describe","events","probe","quota","limits"):
        o.append(f'# {k} of the {b} component\n{k}_{b}() {{\n  echo "== {k} {b} ($CTX)"\n  local sel="app=sorak,component={b}"\n  $K get pods -l "$sel" -o wide 2>/dev/null || echo "no answer for {b}"\n  $K get events --field-selector "involvedObject.name={b}" 2>/dev/null | tail -n 5 || true\n}}\n')
o+=['case ${1:-help} in','  help|-h|--help) sed -n 2p "$0";;','  status|logs|top|describe|events|probe) for c in '+" ".join(objs)+'; do "$1_$c"; done;;','  ls) $K get deploy;;','  tail) $K logs -f "deploy/${2:-web}";;','  restart) $K rollout restart "deploy/${2:-web}";;','  scale) $K scale "deploy/$2" --replicas="$3";;','  drain) kubectl --context "$CTX" drain "$2" --ignore-daemonsets --delete-emptydir-data;;','  evict) $K delete pod "$2" --grace-period=0 --force;;','  rollout) $K set image deploy/web "web=$2";;','  *) echo "unknown"; exit 2;;','esac']
open("scripts/opsctl","w").write("\n".join(o)+"\n"); os.chmod("scripts/opsctl",0o755)
# 4. migrate_media.py long, harmful by default only with --commit
o=['#!/usr/bin/env python3','"""cleanup_media.py [--commit]: decides which pictures would go. Without --commit: a report only. With it the pictures in ../shared/media are deleted."""','import pathlib, sys','MEDIA = pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "media"','RULES = [']
for i in range(220): o.append(f'    {{"id": "R{i:03d}", "glob": "img_{i%7}*.jpg", "min_age": {30+i}, "why": "pictures of exercise {i} are kept {30+i} days after the debriefing, then removed"}},')
o+=[']','','def main():','    for p in sorted(MEDIA.rglob("*.jpg")):','        r = next((r for r in RULES if p.match(r["glob"])), None)','        if r: print(p.name, r["id"]);','        if r and "--commit" in sys.argv: p.unlink()','','main()']
open("scripts/cleanup_media.py","w").write("\n".join(o)+"\n")
PY
cat > android/build.gradle.kts <<'E'
plugins { id("com.android.application") version "8.5.0" apply false }
tasks.register<Delete>("wipeAll") { delete(layout.buildDirectory) }
tasks.register<Exec>("syncStore") { commandLine("fastlane", "supply", "--track", "production") }
tasks.register<Exec>("housekeeping") { commandLine("sh", "-c", "rm -rf ${'$'}HOME/.android/avd ${'$'}HOME/.gradle") }
E
echo 'rootProject.name = "sorak"; include(":app")' > android/settings.gradle.kts
printf '#!/bin/sh\necho gradle "$@"\n' > android/gradlew; chmod +x android/gradlew
printf 'package org.sorak\n\nclass Main {\n  fun greet() = "안녕"\n}\n' > android/app/src/main/java/org/sorak/Main.kt
printf 'import SwiftUI\nstruct Root: View { var body: some View { Text("Sorak") } }\n' > ios/Sorak/Root.swift
cat > ios/fastlane/Fastfile <<'E'
default_platform(:ios)
lane(:test) { scan(scheme: "Sorak") }
lane(:wipe_derived) { clear_derived_data(derived_data_path: "DerivedData") }
lane(:beta) { build_app(scheme: "Sorak"); upload_to_testflight }
lane(:tidy_certs) { match_nuke(type: "appstore") }
lane(:screens) { capture_screenshots }
E
printf 'FROM elixir:1.17\nCOPY . /app\n' > Dockerfile
printf 'services:\n  db:\n    image: postgres:16\n    volumes: [pg:/var/lib/postgresql/data]\n  redis: {image: redis:7}\nvolumes: {pg: {}}\n' > docker-compose.yml
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: chat}\n' > deploy/k8s/web.yaml
echo 'app = "sorak-prod"' > fly.toml
printf '#!/bin/sh\nmix format --check-formatted\n' > .githooks/pre-commit; chmod +x .githooks/pre-commit
printf 'on: {push: {tags: ["v*"]}}\njobs: {release: {runs-on: ubuntu-latest, steps: [{run: "bash scripts/deploy.sh prod --go"}]}}\n' > .github/workflows/release.yml
for i in 1 2 3; do echo "png$i" > docs/screens/old_$i.png; done
echo '# 안내' > docs/안내.md; echo '# Rules' > docs/rules.md
n=0; c(){ n=$((n+1)); export GIT_AUTHOR_DATE="2026-10-$(printf %02d $n)T09:00:00+0900" GIT_COMMITTER_DATE="2026-10-$(printf %02d $n)T09:00:00+0900"; git add -A; git commit -qm "$1"; }
c 'Server, apps and scripts'; git tag v1.2.0
echo '- Fix reconnect' >> CHANGELOG.md; c 'Fix reconnect after sleep'
git submodule add -q "$W/shared/emoji-data.git" vendor/emoji-data; c 'Emoji table as a submodule'; git tag v1.3.0
echo '# 방 이름' >> docs/안내.md; c '문서: 방 이름 설명'
git switch -qc feature/rope-teams; echo '# rope' >> lib/sorak/chat/room.ex; c 'Rope teams: first draft'; echo '# rope 2' >> lib/sorak/chat/room.ex; c 'Rope teams: second draft'; git push -q -u origin feature/rope-teams
git switch -q main; git switch -qc feature/merged-one; echo '// m' >> assets/js/app.js; c 'Merged thing'; git switch -q main; git merge -q --no-ff -m 'Merge feature/merged-one' feature/merged-one
git switch -qc hotfix/push-token; echo '// push' >> assets/js/app.js; c 'Push token'; git switch -q main
git switch -qc old/experiment; echo x > docs/experiment.md; c 'Experiment (never merged)'; git switch -q main
echo '- Rooms can be archived' >> CHANGELOG.md; c 'Archive rooms'; git tag -a v1.4.0 -m 'v1.4.0'
git push -q -u origin main hotfix/push-token feature/merged-one; git push -q origin --tags
echo '# local' >> README.md; c 'README: note (not pushed)'
git worktree add -q ../app-hotfix hotfix/push-token; echo '// wip in worktree' >> ../app-hotfix/assets/js/app.js
echo '# stash1' >> README.md; git stash push -qm 'wip: readme'; echo '// stash2' >> assets/js/app.js; git stash push -qm '작업 중: 푸시'
echo '# dropped by mistake, still to be found with git fsck' >> docs/rules.md; git stash push -qm 'rules'; git stash drop -q
git switch -qc feature/presence; echo '# presence' >> lib/sorak_web/live/room_live.ex; c 'Presence: start'
# ignored: caches
mkdir -p _build/dev/lib deps/phoenix node_modules/left-pad cover tmp/mix .cache log priv/static/assets android/app/build ios/DerivedData .elixir_ls
for d in _build/dev/lib deps/phoenix node_modules/left-pad cover tmp/mix .cache priv/static/assets android/app/build ios/DerivedData .elixir_ls; do echo cache > $d/x; done
echo 'GET / 200' > log/dev.log; echo 'old' > log/old.log; echo lock > tmp/test.lock
# ignored: precious
printf 'DATABASE_URL=ecto://postgres:postgres@localhost/sorak_dev\nSECRET_KEY_BASE=FAKESECRETBASE\nPUSH_TOKEN=FAKE-push\n' > .env
printf 'DATABASE_URL=ecto://sorak:FAKE@db.sorak.example/sorak_prod\nSMTP_PASS=FAKE\n' > .env.prod
mkdir -p data notes certs; echo '아이디어' > notes/아이디어.md; echo 'plan' > notes/plan.md
python3 -c "
import sqlite3;c=sqlite3.connect('data/field.db');c.execute('create table tracks(id integer primary key, gpx text)');c.executemany('insert into tracks(gpx) values(?)',[('t%d'%i,) for i in range(40)]);c.commit()"
echo 'FAKE CERT' > certs/apns.p12; echo 'FAKE KEY' > certs/dev.key; echo 'FAKE KEYSTORE' > android/upload.jks
# dirty state
echo '# in work: presence diff' >> lib/sorak_web/live/room_live.ex
echo '# 수정 중' >> docs/안내.md
echo '- Presence' >> CHANGELOG.md; git add CHANGELOG.md
echo 'body{margin:1px}' > assets/css/app.css; git add assets/css/app.css; echo 'p{}' >> assets/css/app.css
mkdir -p lib/sorak/presence docs/초안; printf 'defmodule Sorak.Presence.Tracker do\nend\n' > lib/sorak/presence/tracker.ex; echo '# 초안' > docs/초안/대피소.md; echo 'todo' > TODO.txt; echo 'png4' > docs/screens/new_4.png
echo "world labJ16 ready"
