#!/usr/bin/env bash
# Builds, in the current (empty) directory, an ordinary project world:
#   ./origin.git  bare remote      ./app  working repository (commands are typed there)
set -euo pipefail
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=dev@example.com GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=dev@example.com

git init -q --bare -b main origin.git
git init -q -b main app
cd app
git config user.name dev; git config user.email dev@example.com
git remote add origin ../origin.git

w() { mkdir -p "$(dirname "$1")"; cat > "$1"; }

w .gitignore <<'E'
node_modules/
dist/
build/
target/
coverage/
htmlcov/
.venv/
__pycache__/
*.pyc
.pytest_cache/
.mypy_cache/
.ruff_cache/
.cache/
*.log
logs/
tmp/
.env
.env.production
secrets/
*.tfstate
*.tfstate.backup
.terraform/
E
w .gitattributes <<'E'
* text=auto
*.sh text eol=lf
E
w .editorconfig <<'E'
root = true
[*]
indent_style = space
E
w .env.example <<'E'
DATABASE_URL=postgres://app:app@localhost:5432/app_dev
STRIPE_SECRET_KEY=
SLACK_WEBHOOK_URL=
SESSION_SECRET=change-me
E
w README.md <<'E'
# app
Order service: FastAPI backend, React web, a Go worker, a Rust parser.

    make setup && make test
E
w CHANGELOG.md <<'E'
# Changelog
## 1.2.0
- order table
E
w LICENSE <<'E'
MIT
E
w CONTRIBUTING.md <<'E'
Run `make lint test` before a pull request.
E
w AGENTS.md <<'E'
- `make test` runs everything; `npm --prefix web test` the web part.
- Never deploy from a working copy.
E
w Makefile <<'E'
.PHONY: setup build test lint fmt clean distclean up down reset-db deploy release publish seed docs backup
setup:
	uv sync
	npm --prefix web ci
build:
	npm --prefix web run build
	cargo build
	cd services/worker && go build ./...
test:
	uv run pytest -q
	npm --prefix web test
	cargo test
	cd services/worker && go test ./...
lint:
	uv run ruff check backend
	npm --prefix web run lint
fmt:
	uv run ruff format backend
	npm --prefix web run format
	cargo fmt
clean:
	rm -rf dist build target coverage web/dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
distclean:
	git clean -fdx
up:
	docker compose up -d db redis
down:
	docker compose down
reset-db:
	psql "$$DATABASE_URL" -c 'DROP SCHEMA public CASCADE; CREATE SCHEMA public;'
deploy:
	./scripts/deploy.sh production
release:
	./scripts/release.sh
publish:
	npm --prefix web publish --access public
seed:
	uv run python scripts/seed_dev.py
docs:
	uv run mkdocs build -d build/site
backup:
	./scripts/backup_db.sh
E
w justfile <<'E'
default:
    @just --list
check:
    cargo check --workspace
    npm --prefix web run typecheck
wipe:
    rm -rf data notes
ship:
    fly deploy --remote-only
E
w package.json <<'E'
{"name":"app-root","private":true,"scripts":{"test":"npm --prefix web test","lint":"eslint web/src","deploy":"vercel deploy --prod","release":"semantic-release","clean":"rimraf dist coverage","gen":"bash scripts/gen_client.sh","nuke":"git reset --hard && git clean -fd"}}
E
w package-lock.json <<'E'
{"name":"app-root","lockfileVersion":3,"packages":{}}
E
w docker-compose.yml <<'E'
services:
  db:
    image: postgres:16
    environment: {POSTGRES_USER: app, POSTGRES_PASSWORD: app, POSTGRES_DB: app_dev}
    volumes: ["pgdata:/var/lib/postgresql/data"]
    ports: ["5432:5432"]
  redis:
    image: redis:7
volumes:
  pgdata:
E
w docker-compose.test.yml <<'E'
services:
  db:
    image: postgres:16
    tmpfs: [/var/lib/postgresql/data]
E
w Dockerfile <<'E'
FROM python:3.12-slim
COPY backend /srv/backend
CMD ["uvicorn","backend.app.main:app"]
E
w pyproject.toml <<'E'
[project]
name = "app"
version = "1.2.0"
dependencies = ["fastapi", "sqlalchemy"]
[tool.ruff]
line-length = 100
E
w uv.lock <<'E'
version = 1
E
w requirements.txt <<'E'
fastapi==0.115.0
sqlalchemy==2.0.35
E
w Cargo.toml <<'E'
[workspace]
members = ["crates/parser"]
resolver = "2"
E
w Cargo.lock <<'E'
version = 3
E
w .pre-commit-config.yaml <<'E'
repos: []
E
w .github/workflows/ci.yml <<'E'
on: [push]
jobs: {test: {runs-on: ubuntu-latest, steps: [{run: make lint test}]}}
E
w .github/workflows/release.yml <<'E'
on: {push: {tags: ["v*"]}}
jobs: {release: {runs-on: ubuntu-latest, steps: [{run: make publish}]}}
E
w .github/pull_request_template.md <<'E'
## What
E
w backend/app/__init__.py <<'E'
E
w backend/app/main.py <<'E'
from fastapi import FastAPI
from .routes import orders, users
app = FastAPI()
app.include_router(orders.router)
app.include_router(users.router)
E
w backend/app/models.py <<'E'
class Order:
    id: int
    total: int
E
w backend/app/config.py <<'E'
import os
DATABASE_URL = os.environ.get("DATABASE_URL", "sqlite:///local.db")
E
w backend/app/db.py <<'E'
from .config import DATABASE_URL
def connect(): return DATABASE_URL
E
w backend/app/routes/__init__.py <<'E'
E
w backend/app/routes/orders.py <<'E'
router = None
def list_orders(): return []
E
w backend/app/routes/users.py <<'E'
router = None
def list_users(): return []
E
w backend/app/services/billing.py <<'E'
def charge(order): return order.total
E
w backend/app/services/mailer.py <<'E'
def send(to, body): raise NotImplementedError
E
w backend/tests/conftest.py <<'E'
import pytest
E
w backend/tests/test_orders.py <<'E'
def test_list(): assert [] == []
E
w backend/tests/test_billing.py <<'E'
def test_charge(): assert True
E
w backend/alembic.ini <<'E'
[alembic]
script_location = migrations
E
w migrations/0001_init.sql <<'E'
CREATE TABLE users (id serial primary key, email text);
E
w migrations/0002_orders.sql <<'E'
CREATE TABLE orders (id serial primary key, user_id int, total int);
E
w migrations/0003_add_index.sql <<'E'
CREATE INDEX orders_user ON orders (user_id);
E
w web/package.json <<'E'
{"name":"@acme/app-web","version":"1.2.0","scripts":{"dev":"vite","build":"tsc -b && vite build","test":"vitest run","lint":"eslint src","format":"prettier --write src","typecheck":"tsc --noEmit","storybook":"storybook dev"}}
E
w web/package-lock.json <<'E'
{"name":"@acme/app-web","lockfileVersion":3,"packages":{}}
E
w web/tsconfig.json <<'E'
{"compilerOptions":{"strict":true}}
E
w web/vite.config.ts <<'E'
export default {}
E
w web/index.html <<'E'
<div id="root"></div>
E
w web/src/main.tsx <<'E'
import App from "./App";
E
w web/src/App.tsx <<'E'
export default function App() { return null }
E
w web/src/components/OrderTable.tsx <<'E'
export const OrderTable = () => null;
E
w web/src/components/Button.tsx <<'E'
export const Button = () => null;
E
w web/src/api/client.ts <<'E'
export const get = (p: string) => fetch(p);
E
w web/src/styles.css <<'E'
body { margin: 0 }
E
w web/src/i18n/ko.json <<'E'
{"orders":"주문","users":"사용자"}
E
w web/src/i18n/en.json <<'E'
{"orders":"Orders","users":"Users"}
E
w web/tests/App.test.tsx <<'E'
test("x", () => {});
E
w crates/parser/Cargo.toml <<'E'
[package]
name = "parser"
version = "0.3.0"
edition = "2021"
E
w crates/parser/src/lib.rs <<'E'
pub fn parse(s: &str) -> usize { s.len() }
E
w services/worker/go.mod <<'E'
module example.com/worker
go 1.22
E
w services/worker/main.go <<'E'
package main
func main() {}
E
w services/worker/main_test.go <<'E'
package main
import "testing"
func TestX(t *testing.T) {}
E
w scripts/deploy.sh <<'E'
#!/usr/bin/env bash
set -e
docker build -t registry.example.com/app:"$(git rev-parse --short HEAD)" .
docker push registry.example.com/app:"$(git rev-parse --short HEAD)"
kubectl --context "$1" -n app set image deployment/app app=registry.example.com/app:"$(git rev-parse --short HEAD)"
E
w scripts/release.sh <<'E'
#!/usr/bin/env bash
set -e
v=$(node -p "require('./web/package.json').version")
git tag "v$v" && git push origin "v$v"
gh release create "v$v" --generate-notes
E
w scripts/seed_dev.py <<'E'
print("seed")
E
w scripts/backup_db.sh <<'E'
#!/usr/bin/env bash
pg_dump "$DATABASE_URL" | aws s3 cp - s3://acme-backups/app/$(date +%F).sql
E
w scripts/check_headers.sh <<'E'
#!/usr/bin/env bash
grep -rL "Copyright" backend || true
E
w scripts/gen_client.sh <<'E'
#!/usr/bin/env bash
mkdir -p build && echo '{}' > build/openapi.json
E
chmod +x scripts/*.sh
w docs/architecture.md <<'E'
# Architecture
E
w docs/api.md <<'E'
# API
E
w docs/runbook.md <<'E'
# Runbook
E
w docs/설계.md <<'E'
# 설계 문서
E
w infra/terraform/main.tf <<'E'
resource "aws_s3_bucket" "uploads" { bucket = "acme-app-uploads" }
E
w infra/terraform/prod.tfvars <<'E'
env = "prod"
E
w infra/k8s/deployment.yaml <<'E'
kind: Deployment
metadata: {name: app, namespace: app}
E
w infra/helm/app/Chart.yaml <<'E'
name: app
version: 0.1.0
E
w infra/helm/app/values.yaml <<'E'
replicas: 2
E
w infra/ansible/site.yml <<'E'
- hosts: web
  tasks: []
E
w data/fixtures/orders.json <<'E'
[{"id":1,"total":100}]
E

git add -A
git commit -q -m "Initial import"
git tag -a v1.2.0 -m v1.2.0
git push -q origin main v1.2.0
git branch -q release/1.2
git push -q origin release/1.2
git branch -q --set-upstream-to=origin/main main

# a second branch with work that is nowhere else
git switch -q -c feature/refunds
w docs/refunds.md <<'E'
# Refunds design
E
git add -A; git commit -q -m "Draft refunds"
git switch -q main

# one commit on main not yet pushed
echo "- worker retries" >> CHANGELOG.md
git commit -q -am "Note worker retries"

# a commit undone by a reset: only the reflog still knows it
w docs/caching.md <<'E'
# Caching trial
E
git add -A; git commit -q -m "Try caching"
git reset -q --hard HEAD~1

# a stash
echo "/* spacing */" >> web/src/styles.css
git stash push -q -m "styles experiment"

# modified, uncommitted
printf '\n\ndef refund(order, amount):\n    if amount > order.total:\n        raise ValueError("too much")\n    return -amount\n' >> backend/app/services/billing.py
printf 'export const columns = ["id", "total", "refunded"];\n' >> web/src/components/OrderTable.tsx
printf '\n## Refund incident\n1. freeze payouts\n2. call finance\n' >> docs/runbook.md
printf 'for i in range(100): print("order", i)\n' >> scripts/seed_dev.py
printf '{"orders":"주문","users":"사용자","refunds":"환불"}\n' > web/src/i18n/ko.json
printf 'def refund_order(i): return {"refunded": i}\n' >> backend/app/routes/orders.py
git add backend/app/routes/orders.py

# untracked, not ignored
w notes/todo.md <<'E'
- ask finance about partial refunds
E
w notes/ideas.txt <<'E'
cache per tenant?
E
w notes/회의록.md <<'E'
# 11월 회의록
- 환불 정책 확정
E
w data/customers_export.csv <<'E'
id,email,plan
1,kim@example.com,pro
2,lee@example.com,free
E
w data/labels_manual.jsonl <<'E'
{"id":1,"label":"spam"}
{"id":2,"label":"ham"}
E
w "data/survey 2024.csv" <<'E'
q1,q2
3,4
E
w backend/app/services/refunds.py <<'E'
def approve(refund): return True
E
w web/src/components/RefundDialog.tsx <<'E'
export const RefundDialog = () => null;
E
w migrations/0004_refunds.sql <<'E'
CREATE TABLE refunds (id serial primary key, order_id int, amount int);
E
w scripts/fix_orders.py <<'E'
print("one-off fix")
E
w docs/drafts/pricing.md <<'E'
# Pricing draft
E
w experiments/run1/results.json <<'E'
{"acc":0.91}
E
seq 1 1500 > experiments/run1/model.ckpt

mkdb() { # path table
  if command -v sqlite3 >/dev/null 2>&1; then sqlite3 "$1" "create table $2(id integer primary key, note text); insert into $2(note) values('a'),('b');"
  else python3 -c "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('create table %s(id integer primary key, note text)'%sys.argv[2]); c.execute('insert into %s(note) values(\"a\")'%sys.argv[2]); c.commit()" "$1" "$2"; fi
}
mkdb local.db orders
mkdir -p tmp; mkdb tmp/test.sqlite3 orders
echo scratch > tmp/out.txt

# ignored: secrets and state
w .env <<'E'
DATABASE_URL=postgres://app:s3cr3t@db.internal.example.com:5432/app
STRIPE_SECRET_KEY=not_a_real_key_0001
SLACK_WEBHOOK_URL=https://hooks.example.com/services/T000/B000/XXXX
SESSION_SECRET=not-a-real-secret
E
w .env.production <<'E'
STRIPE_SECRET_KEY=not_a_real_key_prod
E
w secrets/service-account.json <<'E'
{"type":"service_account","private_key":"not-a-real-key"}
E
w secrets/prod.pem <<'E'
-----BEGIN TEST DATA-----
E
w infra/terraform/terraform.tfstate <<'E'
{"version":4,"resources":[]}
E

# ignored: build output
w dist/app.js <<'E'
1
E
w web/dist/index.html <<'E'
<html></html>
E
w build/openapi.json <<'E'
{}
E
w node_modules/eslint/package.json <<'E'
{"name":"eslint"}
E
w web/node_modules/vite/package.json <<'E'
{"name":"vite"}
E
w target/debug/parser.d <<'E'
x
E
w coverage/lcov.info <<'E'
TN:
E
w htmlcov/index.html <<'E'
x
E
w .venv/pyvenv.cfg <<'E'
home = /usr
E
w backend/app/__pycache__/main.cpython-312.pyc <<'E'
x
E
w .pytest_cache/README.md <<'E'
x
E
w .mypy_cache/x.json <<'E'
{}
E
w logs/dev.log <<'E'
started
E
