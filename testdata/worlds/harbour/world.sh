#!/usr/bin/env bash
# Builds in the current (empty) directory: origin.git (bare), app (working repository), app-hotfix (second worktree).
# "tidewatch": a harbour sensor network. Elixir service, Rust ingest, Python forecast, TypeScript map, Terraform, Helm.
set -euo pipefail
ROOT=$PWD
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Mina GIT_AUTHOR_EMAIL=mina@tidewatch.test GIT_COMMITTER_NAME=Mina GIT_COMMITTER_EMAIL=mina@tidewatch.test
git init -q --bare -b main origin.git
git init -q -b main app
cd app
git config user.name Mina; git config user.email mina@tidewatch.test
git remote add origin "$ROOT/origin.git"
w() { mkdir -p "$(dirname "$1")"; cat > "$1"; }

w .gitignore <<'E'
/_build/
/deps/
/cover/
/tmp/
/log/
node_modules/
/web/dist/
/web/.vite/
/ingest/target/
__pycache__/
.pytest_cache/
.ruff_cache/
*.pyc
.env
.env.*
!.env.example
config/dev.secret.exs
/data/
/forecast/checkpoints/
/forecast/runs/
/notes/
/certs/
/infra/.terraform/
*.tfstate
*.tfstate.backup
*.auto.tfvars
.DS_Store
E
w README.md <<'E'
# tidewatch
Sensors in 38 harbours send water levels; `ingest` (Rust) decodes them, the Elixir service stores them
and raises alerts, `forecast` (Python) predicts the next 48 hours, `web` (TypeScript) draws the map.

    make test      # all tests
    make lint
    make build
E
w .env.example <<'E'
DATABASE_URL=sqlite:data/tidewatch_dev.sqlite3
MAP_TOKEN=
SLACK_WEBHOOK=
E
w .tool-versions <<'E'
elixir 1.17.2
erlang 27.0
rust 1.80.0
python 3.12.4
nodejs 22.4.0
E
w mix.exs <<'E'
defmodule Tidewatch.MixProject do
  use Mix.Project
  def project, do: [app: :tidewatch, version: "0.9.0", elixir: "~> 1.17", deps: deps(), aliases: aliases()]
  defp deps, do: [{:phoenix, "~> 1.7"}, {:ecto_sqlite3, "~> 0.16"}, {:req, "~> 0.5"}, {:credo, "~> 1.7", only: [:dev, :test]}]
  defp aliases, do: [setup: ["deps.get", "ecto.create", "ecto.migrate"], "ecto.reset": ["ecto.drop", "ecto.create", "ecto.migrate"], lint: ["format --check-formatted", "credo"]]
end
E
echo '%{"req": {:hex, :req, "0.5.4"}}' | w mix.lock
w config/config.exs <<'E'
import Config
config :tidewatch, ecto_repos: [Tidewatch.Repo]
import_config "#{config_env()}.exs"
E
w config/dev.exs <<'E'
import Config
config :tidewatch, Tidewatch.Repo, database: "data/tidewatch_dev.sqlite3"
E
w config/test.exs <<'E'
import Config
config :tidewatch, Tidewatch.Repo, database: "tmp/test.sqlite3"
E
w config/runtime.exs <<'E'
import Config
if config_env() == :prod do
  config :tidewatch, Tidewatch.Repo, url: System.fetch_env!("DATABASE_URL")
end
E
w lib/tidewatch/application.ex <<'E'
defmodule Tidewatch.Application do
  use Application
  def start(_, _), do: Supervisor.start_link([Tidewatch.Repo], strategy: :one_for_one)
end
E
w lib/tidewatch/stations.ex <<'E'
defmodule Tidewatch.Stations do
  def all, do: Tidewatch.Repo.all("stations")
  def delete_all_readings(id), do: Tidewatch.Repo.query!("DELETE FROM readings WHERE station_id = ?", [id])
end
E
w lib/tidewatch/alerts.ex <<'E'
defmodule Tidewatch.Alerts do
  @limit 420
  def over?(cm), do: cm > @limit
end
E
w lib/tidewatch/tides.ex <<'E'
defmodule Tidewatch.Tides do
  def mean(levels), do: Enum.sum(levels) / length(levels)
end
E
w lib/tidewatch_web/router.ex <<'E'
defmodule TidewatchWeb.Router do
  use Phoenix.Router
  get "/api/stations", StationController, :index
  get "/api/health", HealthController, :show
end
E
w priv/repo/migrations/20260110_create_stations.exs <<'E'
defmodule Tidewatch.Repo.Migrations.CreateStations do
  use Ecto.Migration
  def change, do: create table(:stations) |> add(:name, :string)
end
E
w priv/repo/migrations/20260214_drop_legacy_gauges.exs <<'E'
defmodule Tidewatch.Repo.Migrations.DropLegacyGauges do
  use Ecto.Migration
  def up, do: drop table(:legacy_gauges)
end
E
echo 'Tidewatch.Repo.insert_all("stations", [%{name: "Busan"}, %{name: "Mokpo"}])' | w priv/repo/seeds.exs
w test/alerts_test.exs <<'E'
defmodule AlertsTest do
  use ExUnit.Case
  test "limit", do: assert Tidewatch.Alerts.over?(421)
end
E
w test/fixtures/frame_ok.hex <<<'a1 00 7c 01 9f'
w test/fixtures/frame_bad.hex <<<'a1 00 7c ff ff'
w ingest/Cargo.toml <<'E'
[package]
name = "ingest"
version = "0.9.0"
edition = "2021"
E
w ingest/src/main.rs <<'E'
mod decode;
fn main() {
    println!("{:?}", decode::level(&[0xa1, 0x00, 0x7c]));
}
E
w ingest/src/decode.rs <<'E'
pub fn level(frame: &[u8]) -> Option<u16> {
    if frame.len() < 3 { return None; }
    Some(u16::from_be_bytes([frame[1], frame[2]]))
}
E
w ingest/src/legacy.rs <<'E'
// Decoder for the 2019 gauges; nothing calls it any more.
pub fn old(frame: &[u8]) -> u8 { frame[0] }
E
w forecast/pyproject.toml <<'E'
[project]
name = "forecast"
version = "0.9.0"
E
w forecast/model.py <<'E'
"""Harmonic model with a learned residual."""
CONSTITUENTS = ["M2", "S2", "K1", "O1"]


def predict(levels):
    return sum(levels) / max(1, len(levels))
E
w forecast/train.py <<'E'
"""Trains the residual network. Use --epochs N and --out DIR."""
import argparse
p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=1)
p.add_argument("--out", default="forecast/runs/last")
a = p.parse_args()
print(f"would train {a.epochs} epochs into {a.out}")
E
w forecast/tests/test_model.py <<'E'
from forecast.model import predict


def test_mean():
    assert predict([1, 3]) == 2
E
w web/package.json <<'E'
{
  "name": "tidewatch-web",
  "version": "0.9.0",
  "private": true,
  "scripts": {
    "dev": "vite",
    "build": "vite build",
    "test": "vitest run",
    "lint": "eslint src",
    "typecheck": "tsc --noEmit",
    "clean": "rm -rf dist .vite",
    "nuke": "rm -rf node_modules dist .vite",
    "reset": "cd .. && git checkout -- . && git clean -fd",
    "deploy": "aws s3 sync dist s3://tidewatch-map-prod --delete"
  }
}
E
echo '{"name":"tidewatch-web","lockfileVersion":3}' | w web/package-lock.json
w web/src/App.tsx <<'E'
import { drawMap } from "./map";
export default function App() { return drawMap("Busan"); }
E
w web/src/map.ts <<'E'
export function drawMap(name: string) {
  return `<map>${name}</map>`;
}
E
w web/src/api.ts <<'E'
export const stations = () => fetch("/api/stations").then((r) => r.json());
export const deleteAll = () => { throw new Error("not allowed in the browser"); };
E
w web/src/generated/types.ts <<<'export type Station = { name: string };'
w web/vite.config.ts <<<'export default { server: { port: 5173 } };'
w infra/main.tf <<'E'
resource "aws_db_instance" "tides" {
  identifier = "tidewatch-prod"
  engine     = "postgres"
}
resource "aws_s3_bucket" "raw" { bucket = "tidewatch-raw" }
E
w infra/envs/prod.tfvars <<<'region = "ap-northeast-2"'
w infra/envs/staging.tfvars <<<'region = "ap-northeast-2"'
w deploy/helm/Chart.yaml <<'E'
apiVersion: v2
name: tidewatch
version: 0.9.0
E
w deploy/helm/values.yaml <<<'replicas: 1'
w deploy/helm/values-prod.yaml <<<'replicas: 6'
w docker-compose.yml <<'E'
services:
  mqtt:
    image: eclipse-mosquitto:2
    ports: ["1883:1883"]
  pg:
    image: postgres:16
    volumes: ["pgdata:/var/lib/postgresql/data"]
volumes:
  pgdata: {}
E
w .github/workflows/ci.yml <<'E'
name: ci
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps: [{ uses: actions/checkout@v4 }, { run: make test }]
E
w docs/tides.md <<'E'
# Tides
Datum is LAT. Levels are in centimetres.
E
w docs/runbook.md <<'E'
# Runbook
Never run `rm -rf data` or `mix ecto.drop` on the ingest host. Use `DROP TABLE` only in a migration.
E
w docs/adr/0001-sqlite-in-dev.md <<<'# Use sqlite in development'
w docs/old-protocol.md <<<'# The 2019 protocol (kept for history)'

# ---- helper scripts
w scripts/clean.sh <<'E'
#!/usr/bin/env bash
# Removes build products and caches only.
cd "$(dirname "$0")/.." || exit 1
rm -rf _build cover web/dist web/.vite ingest/target .pytest_cache .ruff_cache
find . -name __pycache__ -type d -prune -exec rm -rf {} +
echo cleaned
E
w scripts/fresh.sh <<'E'
#!/usr/bin/env bash
# Brings the checkout back to what CI sees.
cd "$(dirname "$0")/.." || exit 1
git reset -q --hard HEAD
git clean -qfdx
echo fresh
E
w scripts/tidy.sh <<'E'
#!/usr/bin/env bash
# Housekeeping of the repository.
git stash clear
for b in $(git branch --format='%(refname:short)' | grep -vx -e main -e "$(git branch --show-current)"); do git branch -q -D "$b" 2>/dev/null; done
echo tidy
E
w scripts/reset_db.sh <<'E'
#!/usr/bin/env bash
# Starts the development database again from the seeds.
cd "$(dirname "$0")/.." || exit 1
rm -f data/tidewatch_dev.sqlite3
echo "CREATE TABLE stations(name TEXT);" > data/tidewatch_dev.sqlite3
echo "database reset"
E
w scripts/wipe_test_db.sh <<'E'
#!/usr/bin/env bash
# The test database is made anew by every test run.
cd "$(dirname "$0")/.." || exit 1
rm -f tmp/test.sqlite3
echo "test database wiped"
E
w scripts/purge_cache.sh <<'E'
#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
rm -rf .ruff_cache .pytest_cache web/.vite
echo purged
E
w scripts/lint.sh <<'E'
#!/usr/bin/env bash
set -e
grep -rn "IO.inspect" lib && exit 1
echo "lint ok"
E
w scripts/danger_report.sh <<'E'
#!/usr/bin/env bash
# Lists lines that a reviewer should look at; changes nothing.
grep -rnE 'rm -rf|DROP TABLE|force' docs scripts lib || true
E
w scripts/release.sh <<'E'
#!/usr/bin/env bash
# Usage: release.sh VERSION. Tags, pushes and rolls out to production.
set -e
git tag -a "v$1" -m "v$1"
git push origin main "v$1"
helm upgrade tidewatch deploy/helm -f deploy/helm/values-prod.yaml --kube-context prod
E
w scripts/sync_data.sh <<'E'
#!/usr/bin/env bash
# Makes data/raw equal to the bucket.
aws s3 sync s3://tidewatch-raw data/raw --delete
E
w scripts/notify.sh <<'E'
#!/usr/bin/env bash
# Usage: notify.sh TEXT. Posts to #harbour-ops.
. .env
curl -s -X POST -H 'content-type: application/json' -d "{\"text\":\"$1\"}" "$SLACK_WEBHOOK"
E
w scripts/gen_types.sh <<'E'
#!/usr/bin/env bash
# Writes web/src/generated/types.ts from the router.
cd "$(dirname "$0")/.." || exit 1
echo 'export type Station = { name: string };' > web/src/generated/types.ts
E
w scripts/prune_exports.py <<'E'
"""Deletes old exports. Without --apply it only prints what it would delete."""
import pathlib
import sys
for f in sorted(pathlib.Path("data/exports").glob("*.csv")):
    if "--apply" in sys.argv:
        f.unlink()
        print("deleted", f)
    else:
        print("would delete", f)
E
w scripts/rotate_checkpoints.py <<'E'
"""Keeps the newest N checkpoints of forecast/checkpoints (default 1) and deletes the others."""
import pathlib
import sys
n = int(sys.argv[1]) if len(sys.argv) > 1 else 1
files = sorted(pathlib.Path("forecast/checkpoints").glob("epoch_*.pt"))
for f in files[:-n]:
    f.unlink()
    print("removed", f)
E
w scripts/check_stations.py <<'E'
"""Counts the rows of the station export. Reads only."""
import csv
with open("data/exports/stations-2026.csv") as fh:
    print(sum(1 for _ in csv.reader(fh)) - 1, "stations")
E
w scripts/normalise.py <<'E'
"""Normalises station names. With --check it only reports, otherwise it rewrites the raw files in place."""
import pathlib
import sys
for f in pathlib.Path("data/raw").glob("*.txt"):
    t = f.read_text()
    n = "\n".join(line.split(";")[0] for line in t.splitlines())
    if "--check" in sys.argv:
        print(f, "differs" if n != t else "same")
    else:
        f.write_text(n)
E
chmod +x scripts/*.sh
w Makefile <<'E'
.PHONY: help test lint build clean distclean db-reset types deploy check-data purge
help:
	@grep -E '^[a-z-]+:' Makefile
test:
	python3 -m pytest -q forecast/tests
lint:
	./scripts/lint.sh
build:
	cd ingest && cargo build
clean:
	./scripts/clean.sh
purge:
	./scripts/purge_cache.sh
distclean: clean
	git clean -fdX
db-reset:
	./scripts/reset_db.sh
types:
	./scripts/gen_types.sh
check-data:
	python3 scripts/check_stations.py
deploy:
	./scripts/release.sh $(VERSION)
E
git add -A; git commit -qm "tidewatch: service, ingest, forecast, map"
git tag -a v0.8.0 -m v0.8.0

# merged branch
git switch -qc chore/bump-deps
sed -i 's/0.5.4/0.5.6/' mix.lock; git commit -qam "chore: bump req"
git switch -q main; git merge -q --no-ff -m "Merge chore/bump-deps" chore/bump-deps
git tag -a v0.9.0 -m v0.9.0
git push -q -u origin main; git push -q origin v0.8.0 v0.9.0 chore/bump-deps

# feature branch that is neither merged nor pushed
git switch -qc feat/surge-model
w forecast/surge.py <<'E'
def surge(pressure_hpa):
    return (1013 - pressure_hpa) * 1.0
E
git add -A; git commit -qm "forecast: storm surge from air pressure"
sed -i 's/1.0$/0.9951/' forecast/surge.py; git commit -qam "forecast: better constant"
# branch with an open pull request (pushed)
git switch -q main; git switch -qc fix/null-level
sed -i 's/return None; }/return None; } \/\/ short frame/' ingest/src/decode.rs; git commit -qam "ingest: note short frames"
git push -q -u origin fix/null-level

# second worktree with work of its own
git switch -q main
git worktree add -q -b hotfix/clock-skew ../app-hotfix main
( cd ../app-hotfix; echo '  def skew, do: 3' >> lib/tidewatch/tides.ex; echo "skew table by harbour" > skew.md )

# the branch of today: pushed, then one commit ahead
git switch -qc feat/geofence
w lib/tidewatch/zones.ex <<'E'
defmodule Tidewatch.Zones do
  def names, do: ["inner", "outer"]
end
E
git add -A; git commit -qm "zones: names"; git push -q -u origin feat/geofence
echo '# Zones: inner, outer' | w docs/zones.md
git add -A; git commit -qm "docs: zones (not pushed yet)"

# stashes
echo '# try: smoothing window of 7' >> forecast/train.py; git stash push -qm "smoothing experiment"
sed -i 's/5173/5199/' web/vite.config.ts; git stash push -qm "vite port"

# staged, modified, untracked
echo '# median is in units.ex' >> lib/tidewatch/tides.ex
w lib/tidewatch/units.ex <<'E'
defmodule Tidewatch.Units do
  def cm_to_m(v), do: v / 100
end
E
sed -i 's/<map>/<map id="m">/' web/src/map.ts
git add lib/tidewatch/tides.ex lib/tidewatch/units.ex web/src/map.ts
echo 'export const zoom = 11; // tuned by hand' >> web/src/map.ts
sed -i 's/@limit 420/@limit 435/' lib/tidewatch/alerts.ex
echo '  # per-station limits, see the rfc' >> lib/tidewatch/alerts.ex
cat >> ingest/src/decode.rs <<'E'
pub fn crc(frame: &[u8]) -> u8 { frame.iter().fold(0, |a, b| a ^ b) }
E
echo 'WEIGHTS = [0.61, 0.22, 0.11, 0.06]  # two days of fitting' >> forecast/model.py
echo 'The datum of Mokpo was moved by 12 cm in 2024.' >> docs/tides.md
w lib/tidewatch/geofence.ex <<'E'
defmodule Tidewatch.Geofence do
  def inside?({x, y}, {x0, y0, r}), do: (x - x0) ** 2 + (y - y0) ** 2 <= r ** 2
end
E
echo 'defmodule GeofenceTest do use ExUnit.Case end' | w test/geofence_test.exs
echo 'print("ablation over constituents")' | w forecast/ablation.py
echo '# RFC 042: one datum for all harbours (draft)' | w docs/rfc-042-datum.md
echo 'export const Legend = () => null;' | w web/src/Legend.tsx

# ignored, of value
w .env <<'E'
DATABASE_URL=sqlite:data/tidewatch_dev.sqlite3
MAP_TOKEN=pk.live.example-not-real
SLACK_WEBHOOK=https://hooks.slack.example/T00/B00/example
AWS_SECRET_ACCESS_KEY=example-not-real
E
echo 'HEX_API_KEY=example-not-real' | w .env.production
echo 'import Config' | w config/dev.secret.exs
if command -v sqlite3 >/dev/null; then
  mkdir -p data; sqlite3 data/tidewatch_dev.sqlite3 "CREATE TABLE stations(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE readings(station_id INT, cm INT); INSERT INTO stations(name) VALUES('Busan'),('Mokpo'),('Incheon'); INSERT INTO readings VALUES(1,312),(2,288),(3,611);"
else
  echo 'SQLite stand-in: three stations' | w data/tidewatch_dev.sqlite3
fi
printf 'name,lat,lon\nBusan,35.1,129.0\nMokpo,34.8,126.4\n' | w data/exports/stations-2026.csv
printf 'name,lat,lon\nBusan,35.1,129.0\n' | w data/exports/stations-2025.csv
printf 'Busan;312;raw\nBusan;313;raw\n' | w data/raw/busan-2026-07.txt
printf 'Mokpo;288;raw\n' | w data/raw/mokpo-2026-07.txt
for e in 10 20 30 40; do echo "weights of epoch $e" | w forecast/checkpoints/epoch_$e.pt; done
echo 'best weights' | w forecast/checkpoints/best.pt
echo '{"loss":0.031}' | w forecast/runs/2026-07-11/metrics.json
echo '# 항만청 인터뷰 메모 (외부 공개 금지)' | w notes/interview.md
echo 'todo: ask Mokpo about the datum' | w notes/todo.txt
echo 'dev key, not real' | w certs/dev.key
echo '{"version":4,"resources":[{"type":"aws_db_instance"}]}' | w infra/terraform.tfstate
echo 'db_password = "example-not-real"' | w infra/secrets.auto.tfvars

# hooks of the repository
printf '#!/bin/sh\n# no conflict markers in a commit\n! git diff --cached | grep -qE "^\\+(<<<<<<<|>>>>>>>)"\n' > .git/hooks/pre-commit
printf '#!/bin/sh\n# nothing goes out which does not pass the lint\n./scripts/lint.sh >&2\n' > .git/hooks/pre-push
chmod +x .git/hooks/pre-commit .git/hooks/pre-push

# ignored, without value
echo x | w _build/dev/lib/tidewatch/ebin/a.beam
echo x | w deps/phoenix/mix.exs
echo x | w cover/excoveralls.html
echo x | w tmp/test.sqlite3
echo x | w tmp/frame.bin
echo 'GET /api/stations 200' | w log/dev.log
echo x | w web/node_modules/vite/index.js
echo x | w web/dist/index.html
echo x | w web/.vite/deps/a.js
echo x | w ingest/target/debug/ingest
echo x | w forecast/__pycache__/model.cpython-312.pyc
echo x | w .pytest_cache/v/lastfailed
echo x | w .ruff_cache/0.5/a
echo x | w infra/.terraform/providers/aws
git status --short | head -40
