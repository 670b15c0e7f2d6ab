#!/usr/bin/env bash
# Builds home/, app/ and remote.git in the current (empty) folder. Needs bash, git, coreutils.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
export GIT_COMMITTER_DATE=2026-09-26T09:00:00Z GIT_AUTHOR_DATE=2026-09-26T09:00:00Z
ROOT=$PWD
mkdir -p home app
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$ROOT/home/.gitconfig

# ---------------------------------------------------------------- home
cd "$ROOT/home"
mkdir -p .kube .aws .ssh .docker .config/gh .config/helm .gradle .m2 .cache/orders bin Documents
cat > .gitconfig <<'E'
[user]
	name = Jana Dvořáková
	email = jana@hanbit.example
[init]
	defaultBranch = main
[core]
	quotepath = false
	pager = cat
	editor = true
[pull]
	rebase = true
[push]
	default = current
	autoSetupRemote = true
[rerere]
	enabled = true
[advice]
	detachedHead = false
[alias]
	st = status -sb
	co = checkout
	br = branch -vv
	ci = commit
	lg = log --oneline --graph --decorate -20
	last = log -1 --stat
	unstage = reset -q HEAD --
	undo = reset --soft HEAD~1
	amend = commit --amend --no-edit
	wip = !git add -A && git commit -qm "WIP" --no-verify
	nuke = !git reset -q --hard && git clean -qfd
	pf = push --force-with-lease
	zahod = checkout --
	sync = !git fetch -p && git rebase origin/main
	vycisti = clean -fdX
	who = shortlog -sne
E
cat > .kube/config <<'E'
apiVersion: v1
kind: Config
current-context: orders-staging
clusters:
- name: staging
  cluster: {server: "https://k8s.staging.hanbit.example:6443"}
- name: production
  cluster: {server: "https://k8s.prod.hanbit.example:6443"}
contexts:
- name: orders-staging
  context: {cluster: staging, user: jana-staging, namespace: orders}
- name: orders-prod
  context: {cluster: production, user: jana-prod, namespace: orders}
users:
- name: jana-staging
  user: {token: FAKE-staging-token-0000}
- name: jana-prod
  user: {token: FAKE-prod-token-0000}
E
printf '[default]\naws_access_key_id = FAKEAKIA00000000\naws_secret_access_key = FAKE/secret/0000\n' > .aws/credentials
printf '[default]\nregion = eu-central-1\n' > .aws/config
printf 'Host bastion\n  HostName bastion.hanbit.example\n  User jana\nHost staging-01\n  HostName 10.20.0.11\n  ProxyJump bastion\n' > .ssh/config
printf -- '-----BEGIN FAKE KEY-----\nFAKE\n-----END FAKE KEY-----\n' > .ssh/id_ed25519
printf 'ssh-ed25519 FAKE jana@hanbit.example\n' > .ssh/id_ed25519.pub
printf '{"auths":{"registry.hanbit.example":{"auth":"RkFLRTpGQUtF"}}}\n' > .docker/config.json
printf 'github.com:\n    user: jana-hanbit\n    oauth_token: FAKE_gho_0000\n    git_protocol: https\n' > .config/gh/hosts.yml
printf '//npm.hanbit.example/:_authToken=FAKE-npm-0000\n@hanbit:registry=https://npm.hanbit.example/\n' > .npmrc
printf 'db.shared.hanbit.example:5432:orders:orders_rw:FAKE-pg-0000\nlocalhost:5432:*:orders:orders\n' > .pgpass; chmod 600 .pgpass
printf 'machine api.partner.example login hanbit password FAKE-netrc-0000\n' > .netrc
printf 'org.gradle.daemon=true\nnexusUser=jana\nnexusPassword=FAKE-nexus-0000\n' > .gradle/gradle.properties
cat > .bashrc <<'E'
export KUBECONFIG=$HOME/.kube/config
export SLACK_WEBHOOK_URL=https://hooks.slack.example/FAKE/0000
alias k=kubectl
alias dc='docker compose'
alias gw=./gradlew
alias ll='ls -la'
E
printf '# osobní seznam\n- dovolená: 24. 12.\n' > Documents/seznam.md
printf 'old\n' > .cache/orders/http.cache

# ---------------------------------------------------------------- app
cd "$ROOT/app"
git init -q -b main
git init -q --bare -b main ../remote.git
git remote add origin ../remote.git
n=0
commit() { # commit "author <mail>" message
  n=$((n+1)); local d; d=$(printf '2026-09-%02dT10:%02d:00Z' $((n+2)) $((n*2)))
  GIT_AUTHOR_DATE=$d GIT_COMMITTER_DATE=$d git commit -q --author="$1" -m "$2"
}
JANA='Jana Dvořáková <jana@hanbit.example>'; MIN='김민준 <minjun@hanbit.example>'; SEO='이서연 <seoyeon@hanbit.example>'; PET='Petr Novák <petr@hanbit.example>'

# --- 1 skeleton
cat > .gitignore <<'E'
# build
build/
.gradle/
out/
web/dist/
web/node_modules/
web/coverage/
worker/bin/
__pycache__/
.pytest_cache/
.cache/
tmp/
logs/
# local
.env
.env.*
!.env.example
web/.env.local
/data/
/notes/
/reports/
/uploads/
/backups/
*.dump
deploy/**/secrets.*.yaml
.idea/
E
cat > README.md <<'E'
# objednavky / 주문 서비스

Order service: Kotlin + Spring Boot, Vue front end (`web/`), Go worker (`worker/`).

    cp .env.example .env
    docker compose up -d
    make db-migrate && make run

## Development database

`make db-reset` throws the local database away and builds it again from the
migrations and `scripts/seed-db.sh`. Do it whenever you like.

## Releases

`scripts/release.sh minor --push` tags and pushes; `.github/workflows/release.yml`
publishes the image and the chart for every tag `v*`.
E
cat > .env.example <<'E'
DATABASE_URL=postgresql://orders:orders@localhost:5432/orders_dev
REDIS_URL=redis://localhost:6379/0
S3_ENDPOINT=http://localhost:9000
PARTNER_API=https://sandbox.partner.example
E
cat > settings.gradle.kts <<'E'
rootProject.name = "objednavky"
E
cat > build.gradle.kts <<'E'
plugins {
    kotlin("jvm") version "2.0.20"
    kotlin("plugin.spring") version "2.0.20"
    id("org.springframework.boot") version "3.3.4"
    id("org.flywaydb.flyway") version "10.18.0"
    id("org.jlleitschuh.gradle.ktlint") version "12.1.1"
    `maven-publish`
}

group = "cz.hanbit"
version = file("VERSION").readText().trim()

repositories { mavenCentral() }

dependencies {
    implementation("org.springframework.boot:spring-boot-starter-web")
    implementation("org.springframework.boot:spring-boot-starter-data-jdbc")
    implementation("org.flywaydb:flyway-database-postgresql:10.18.0")
    runtimeOnly("org.postgresql:postgresql:42.7.4")
    testImplementation("org.springframework.boot:spring-boot-starter-test")
}

flyway {
    url = System.getenv("FLYWAY_URL") ?: "jdbc:postgresql://localhost:5432/orders_dev"
    user = System.getenv("FLYWAY_USER") ?: "orders"
    password = System.getenv("FLYWAY_PASSWORD") ?: "orders"
    cleanDisabled = false
}

publishing {
    repositories { maven { url = uri("https://nexus.hanbit.example/releases") } }
}

tasks.register<Delete>("cleanReports") { delete("build/reports") }
tasks.register<Delete>("purgeUploads") { delete("uploads") }
E
echo 1.3.0 > VERSION
cat > gradlew <<'E'
#!/bin/sh
APP_HOME=$(cd "$(dirname "$0")" && pwd -P)
exec java -classpath "$APP_HOME/gradle/wrapper/gradle-wrapper.jar" org.gradle.wrapper.GradleWrapperMain "$@"
E
chmod +x gradlew
mkdir -p gradle/wrapper
printf 'distributionUrl=https\\://services.gradle.org/distributions/gradle-8.10-bin.zip\n' > gradle/wrapper/gradle-wrapper.properties
K=src/main/kotlin/cz/hanbit/orders; T=src/test/kotlin/cz/hanbit/orders; R=src/main/resources
mkdir -p $K/api $K/domain $K/partner $T $R/db/migration src/test/resources
cat > $K/OrdersApplication.kt <<'E'
package cz.hanbit.orders

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

@SpringBootApplication
class OrdersApplication

fun main(args: Array<String>) {
    runApplication<OrdersApplication>(*args)
}
E
cat > $K/domain/Order.kt <<'E'
package cz.hanbit.orders.domain

import java.math.BigDecimal
import java.time.Instant

enum class OrderStatus { NEW, PAID, SHIPPED, CANCELLED }

data class Order(
    val id: Long? = null,
    val customerId: Long,
    val status: OrderStatus = OrderStatus.NEW,
    val total: BigDecimal = BigDecimal.ZERO,
    val currency: String = "CZK",
    val createdAt: Instant = Instant.now(),
)
E
cat > $R/application.yml <<'E'
spring:
  application.name: objednavky
  datasource.url: jdbc:${DATABASE_URL:postgresql://localhost:5432/orders_dev}
  flyway.enabled: true
server.port: 8080
E
echo 'create table orders (id bigserial primary key, customer_id bigint not null, status text not null, total numeric(12,2), created_at timestamptz default now());' > $R/db/migration/V1__orders.sql
git add -A; commit "$JANA" "Založení projektu"

# --- 2 service
cat > $K/domain/OrderService.kt <<'E'
package cz.hanbit.orders.domain

import org.springframework.stereotype.Service

@Service
class OrderService(private val repo: OrderRepository) {
    fun find(id: Long): Order? = repo.findById(id)

    fun create(order: Order): Order = repo.save(order)

    // TODO: 취소 정책 확인
    fun cancel(id: Long): Order? =
        find(id)?.copy(status = OrderStatus.CANCELLED)?.let(repo::save)
}
E
cat > $K/domain/OrderRepository.kt <<'E'
package cz.hanbit.orders.domain

interface OrderRepository {
    fun findById(id: Long): Order?
    fun save(order: Order): Order
    fun findByCustomer(customerId: Long): List<Order>
}
E
cat > $K/api/OrderController.kt <<'E'
package cz.hanbit.orders.api

import cz.hanbit.orders.domain.Order
import cz.hanbit.orders.domain.OrderService
import org.springframework.web.bind.annotation.*

@RestController
@RequestMapping("/api/orders")
class OrderController(private val service: OrderService) {
    @GetMapping("/{id}")
    fun get(@PathVariable id: Long) = service.find(id)

    @PostMapping
    fun create(@RequestBody order: Order) = service.create(order)

    @PostMapping("/{id}/cancel")
    fun cancel(@PathVariable id: Long) = service.cancel(id)
}
E
cat > $T/OrderServiceTest.kt <<'E'
package cz.hanbit.orders

import org.junit.jupiter.api.Test

class OrderServiceTest {
    @Test
    fun `zrušená objednávka změní stav`() {
    }

    @Test
    fun `주문 생성`() {
    }
}
E
git add -A; commit "$MIN" "feat(api): 주문 조회/생성 API 추가"
echo 'create table customers (id bigserial primary key, name text not null, email text unique);' > $R/db/migration/V2__customers.sql
echo "create index orders_customer_idx on orders (customer_id);" > $R/db/migration/V3__indexes.sql
git add -A; commit "$PET" "db: zákazníci a indexy"

# --- 4 web
mkdir -p web/src/views web/src/components web/src/api web/src/locales web/public web/tests
cat > web/package.json <<'E'
{
  "name": "@hanbit/orders-web",
  "version": "1.3.0",
  "private": true,
  "scripts": {
    "dev": "vite",
    "build": "vue-tsc --noEmit && vite build",
    "preview": "vite preview",
    "lint": "eslint src --ext .ts,.vue",
    "lint:fix": "eslint src --ext .ts,.vue --fix",
    "test:unit": "vitest run",
    "test:e2e": "playwright test",
    "clean": "rimraf dist coverage node_modules/.cache",
    "reset": "rimraf dist node_modules .env.local && yarn install",
    "gen:api": "openapi-typescript ../docs/openapi.yaml -o src/api/schema.ts",
    "deploy": "yarn build && aws s3 sync dist s3://hanbit-orders-web --delete"
  },
  "dependencies": { "vue": "^3.5.0", "vue-router": "^4.4.0", "pinia": "^2.2.0", "axios": "^1.7.0" },
  "devDependencies": { "vite": "^5.4.0", "vitest": "^2.1.0", "eslint": "^8.57.0", "typescript": "^5.5.0", "rimraf": "^6.0.0" }
}
E
printf '# yarn lockfile v1\n\naxios@^1.7.0:\n  version "1.7.7"\nvue@^3.5.0:\n  version "3.5.8"\n' > web/yarn.lock
printf '<script setup lang="ts">\nimport { ref, onMounted } from "vue";\nimport { listOrders } from "../api/orders";\nconst orders = ref([]);\nonMounted(async () => { orders.value = await listOrders(); });\n</script>\n<template>\n  <table><tr v-for="o in orders" :key="o.id"><td>{{ o.id }}</td></tr></table>\n</template>\n' > web/src/views/OrderList.vue
printf 'import axios from "axios";\nexport const listOrders = () => axios.get("/api/orders").then((r) => r.data);\nexport const cancelOrder = (id: number) => axios.post(`/api/orders/${id}/cancel`);\n' > web/src/api/orders.ts
printf '{"title":"Objednávky","cancel":"Zrušit"}\n' > web/src/locales/cs.json
printf '{"title":"주문","cancel":"취소"}\n' > web/src/locales/ko.json
printf 'import { createApp } from "vue";\nimport App from "./App.vue";\ncreateApp(App).mount("#app");\n' > web/src/main.ts
printf '<template><router-view /></template>\n' > web/src/App.vue
printf 'import { defineConfig } from "vite";\nexport default defineConfig({ server: { port: 5173 } });\n' > web/vite.config.ts
printf 'import { test } from "vitest";\ntest("orders", () => {});\n' > web/tests/orders.spec.ts
git add -A; commit "$SEO" "feat(web): 주문 목록 화면"

# --- 5 worker
mkdir -p worker/cmd/worker worker/internal/queue worker/internal/mail
printf 'module hanbit.example/orders/worker\n\ngo 1.22\n' > worker/go.mod
printf 'package main\n\nimport (\n\t"fmt"\n\n\t"hanbit.example/orders/worker/internal/queue"\n)\n\nfun''c main() {\n\tq := queue.New(10)\n\tq.Push("start")\n\tfmt.Println(q.Len())\n}\n' > worker/cmd/worker/main.go
printf 'package queue\n\ntype Queue struct {\n\titems []string\n\tcap   int\n}\n\nfunc New(c int) *Queue { return &Queue{cap: c} }\n\nfunc (q *Queue) Push(s string) { q.items = append(q.items, s) }\n\nfunc (q *Queue) Len() int { return len(q.items) }\n' > worker/internal/queue/queue.go
printf 'package queue\n\nimport "testing"\n\nfunc TestLen(t *testing.T) {\n\tq := New(2)\n\tq.Push("a")\n\tif q.Len() != 1 {\n\t\tt.Fatal("len")\n\t}\n}\n' > worker/internal/queue/queue_test.go
printf 'package mail\n\nfunc Subject(id int) string { return "Objednávka" }\n' > worker/internal/mail/mail.go
printf 'FROM golang:1.22 AS b\nWORKDIR /src\nCOPY . .\nRUN go build -o /worker ./cmd/worker\nFROM gcr.io/distroless/base\nCOPY --from=b /worker /worker\nENTRYPOINT ["/worker"]\n' > worker/Dockerfile
printf 'FROM eclipse-temurin:21-jre\nCOPY build/libs/*.jar /app.jar\nENTRYPOINT ["java","-jar","/app.jar"]\n' > Dockerfile
cat > docker-compose.yml <<'E'
name: orders
services:
  db:
    image: postgres:16
    environment: {POSTGRES_USER: orders, POSTGRES_PASSWORD: orders, POSTGRES_DB: orders_dev}
    ports: ["5432:5432"]
    volumes: [pgdata:/var/lib/postgresql/data]
  redis:
    image: redis:7
    ports: ["6379:6379"]
  minio:
    image: minio/minio
    command: server /data
    ports: ["9000:9000"]
    volumes: [miniodata:/data]
  mailhog:
    image: mailhog/mailhog
    ports: ["8025:8025"]
  worker:
    build: worker
    depends_on: [redis]
volumes:
  pgdata:
  miniodata:
E
git add -A; commit "$PET" "worker: fronta a odesílání pošty"

# --- 6 deploy
mkdir -p deploy/helm/orders/templates deploy/kustomize/base deploy/kustomize/overlays/staging deploy/kustomize/overlays/production .github/workflows docs
printf 'apiVersion: v2\nname: orders\nversion: 0.3.0\nappVersion: "1.3.0"\n' > deploy/helm/orders/Chart.yaml
printf 'image:\n  repository: registry.hanbit.example/orders\n  tag: latest\nreplicas: 2\n' > deploy/helm/orders/values.yaml
printf 'replicas: 1\ningress:\n  host: orders.staging.hanbit.example\n' > deploy/helm/orders/values-staging.yaml
printf 'replicas: 4\ningress:\n  host: orders.hanbit.example\n' > deploy/helm/orders/values-production.yaml
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Release.Name }}-api\nspec:\n  replicas: {{ .Values.replicas }}\n' > deploy/helm/orders/templates/deployment.yaml
printf 'resources:\n- worker.yaml\n' > deploy/kustomize/base/kustomization.yaml
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: orders-worker\nspec:\n  replicas: 1\n' > deploy/kustomize/base/worker.yaml
for e in staging production; do
  printf 'namespace: orders\nresources:\n- ../../base\nimages:\n- name: orders-worker\n  newName: registry.hanbit.example/orders-worker\n  newTag: "1.3.0"\n' > deploy/kustomize/overlays/$e/kustomization.yaml
done
cat > .github/workflows/ci.yml <<'E'
name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew check
      - run: cd web && yarn --frozen-lockfile && yarn lint && yarn test:unit
      - run: cd worker && go test ./...
E
cat > .github/workflows/release.yml <<'E'
name: release
on:
  push:
    tags: ["v*"]
  workflow_dispatch:
    inputs:
      environment: {required: true, default: staging}
jobs:
  publish:
    runs-on: ubuntu-latest
    permissions: {packages: write, contents: write}
    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew bootJar publish
      - run: docker build -t registry.hanbit.example/orders:${GITHUB_REF_NAME} . && docker push registry.hanbit.example/orders:${GITHUB_REF_NAME}
      - run: helm upgrade --install orders deploy/helm/orders -f deploy/helm/orders/values-production.yaml
E
printf 'openapi: 3.0.3\ninfo: {title: Orders, version: 1.3.0}\npaths:\n  /api/orders/{id}:\n    get: {operationId: getOrder}\n  /api/orders:\n    post: {operationId: createOrder}\n' > docs/openapi.yaml
printf '# Architektura\n\nSlužba, fronta, worker.\n' > docs/architektura.md
printf '# 배포 절차\n\n1. staging\n2. production\n' > docs/배포.md
git add -A; commit "$JANA" "deploy: helm, kustomize, GitHub Actions"
git tag v1.3.0

# --- 7 scripts
mkdir -p scripts/lib scripts/sql
cat > scripts/lib/common.sh <<'E'
# shellcheck shell=bash
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
log()  { printf '[%s] %s\n' "${0##*/}" "$*" >&2; }
die()  { log "chyba: $*"; exit 1; }
load_env() { local f=${1:-$ROOT/.env}; [ -f "$f" ] || die "chybí $f"; set -a; . "$f"; set +a; }
run()  { if [ "${DRY_RUN:-0}" = 1 ]; then log "+ $*"; else "$@"; fi; }
E
cat > scripts/seed-db.sh <<'E'
#!/usr/bin/env bash
# Naplní databázi / 데이터베이스 시드
#   seed-db.sh [--count N] [--reset] [--url URL] [--env-file FILE] [--dry-run]
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
COUNT=50 RESET=0 URL= ENVFILE=
while [ $# -gt 0 ]; do
  case $1 in
    --count) COUNT=$2; shift ;;
    --reset) RESET=1 ;;
    --url) URL=$2; shift ;;
    --env-file) ENVFILE=$2; shift ;;
    --dry-run|-n) DRY_RUN=1 ;;
    -h|--help) sed -n 2,3p "$0"; exit 0 ;;
    *) die "neznámá volba $1" ;;
  esac
  shift
done
if [ -z "$URL" ]; then
  load_env "${ENVFILE:-$ROOT/.env}"
  URL=$DATABASE_URL
fi
log "databáze: ${URL##*@}"
if [ "$RESET" = 1 ]; then
  run psql "$URL" -v ON_ERROR_STOP=1 -c 'truncate orders, customers restart identity cascade'
fi
for i in $(seq 1 "$COUNT"); do
  printf "insert into customers(name,email) values ('Zákazník %d','z%d@example.com') on conflict do nothing;\n" "$i" "$i"
done > "${TMPDIR:-/tmp}/seed.$$.sql"
run psql "$URL" -q -f "${TMPDIR:-/tmp}/seed.$$.sql"
rm -f "${TMPDIR:-/tmp}/seed.$$.sql"
log "hotovo ($COUNT)"
E
cat > scripts/export-report.py <<'E'
#!/usr/bin/env python3
"""Měsíční report objednávek / 월간 주문 보고서.

Reads data/local/orders.csv, writes reports/<month>.csv.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def load(path):
    with open(path, encoding="utf-8") as f:
        return list(csv.DictReader(f))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--month", default="2026-09")
    p.add_argument("--out", type=pathlib.Path)
    p.add_argument("--stdout", action="store_true", help="print, write nothing")
    p.add_argument("--force", action="store_true", help="overwrite an existing report")
    p.add_argument("--upload", action="store_true", help="copy to the shared bucket")
    p.add_argument("--source", type=pathlib.Path, default=ROOT / "data/local/orders.csv")
    a = p.parse_args()

    rows = [r for r in load(a.source) if r["created"].startswith(a.month)]
    if a.stdout:
        w = csv.writer(sys.stdout)
        for r in rows:
            w.writerow([r["id"], r["customer"], r["total"]])
        return 0
    out = a.out or ROOT / "reports" / f"{a.month}.csv"
    if out.exists() and not a.force:
        print(f"{out} už existuje, použij --force", file=sys.stderr)
        return 2
    out.parent.mkdir(parents=True, exist_ok=True)
    with open(out, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f)
        w.writerow(["id", "customer", "total"])
        for r in rows:
            w.writerow([r["id"], r["customer"], r["total"]])
    print(f"{out}: {len(rows)} řádků")
    if a.upload:
        bucket = os.environ.get("REPORT_BUCKET", "s3://hanbit-reports")
        subprocess.check_call(["aws", "s3", "cp", str(out), f"{bucket}/{out.name}"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
E
cat > scripts/rotate-secret.sh <<'E'
#!/usr/bin/env bash
# Výměna tajného klíče: rotate-secret.sh NAME [--env staging|production|local] [--apply] [--length N]
# Without --apply only shows what would change.
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
NAME= ENV=staging APPLY=0 LEN=32
while [ $# -gt 0 ]; do
  case $1 in
    --env) ENV=$2; shift ;;
    --apply) APPLY=1 ;;
    --length) LEN=$2; shift ;;
    -h|--help) sed -n 2,3p "$0"; exit 0 ;;
    -*) die "neznámá volba $1" ;;
    *) NAME=$1 ;;
  esac
  shift
done
[ -n "$NAME" ] || die "jméno klíče?"
VALUE=$(head -c 64 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' | head -c "$LEN")
if [ "$APPLY" = 0 ]; then
  log "změnil bych $NAME v prostředí $ENV (délka $LEN)"
  exit 0
fi
case $ENV in
  local)
    tmp=$(mktemp)
    grep -v "^$NAME=" "$ROOT/.env" > "$tmp" || true
    printf '%s=%s\n' "$NAME" "$VALUE" >> "$tmp"
    mv "$tmp" "$ROOT/.env" ;;
  staging) ctx=orders-staging ;;
  production) ctx=orders-prod ;;
  *) die "prostředí $ENV?" ;;
esac
if [ -n "${ctx:-}" ]; then
  kubectl --context "$ctx" -n orders patch secret orders-secrets \
    -p "{\"stringData\":{\"$NAME\":\"$VALUE\"}}"
  kubectl --context "$ctx" -n orders rollout restart deploy/orders-api
fi
log "$NAME vyměněn ($ENV)"
E
cat > scripts/sync-assets.sh <<'E'
#!/usr/bin/env bash
# 자산 동기화: sync-assets.sh pull|push|local [--delete] [--dry-run]
#   pull   bucket -> uploads/       push   uploads/ -> bucket
#   local  uploads/ -> web/public/img (--delete: also removes what is not in uploads/)
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
BUCKET=${ASSET_BUCKET:-s3://hanbit-orders-assets}
MODE=${1:-}; [ $# -gt 0 ] && shift
ARGS=() DEL=0
for a in "$@"; do
  case $a in
    --delete) DEL=1; ARGS+=(--delete) ;;
    --dry-run) DRY_RUN=1; ARGS+=(--dryrun) ;;
    *) die "volba $a?" ;;
  esac
done
case $MODE in
  pull) run aws s3 sync "$BUCKET" "$ROOT/uploads" "${ARGS[@]}" ;;
  push) run aws s3 sync "$ROOT/uploads" "$BUCKET" "${ARGS[@]}" ;;
  local)
    dst=$ROOT/web/public/img; run mkdir -p "$dst"
    for f in "$ROOT"/uploads/*.png; do run cp -p "$f" "$dst/"; done
    if [ "$DEL" = 1 ]; then
      for f in "$dst"/*; do
        [ -e "$ROOT/uploads/${f##*/}" ] || run rm -f "$f"
      done
    fi ;;
  ""|-h|--help) sed -n 2,4p "$0" ;;
  *) die "režim $MODE?" ;;
esac
E
cat > scripts/clean.sh <<'E'
#!/usr/bin/env bash
# Úklid: clean.sh [--deps] [--data] [--all] [--dry-run]
#   (default) build output and caches     --deps  also node_modules
#   --data    also data/, reports/, uploads/   --all  everything that Git ignores
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
cd "$ROOT"
TARGETS=(build .gradle web/dist web/coverage worker/bin .cache tmp logs)
ALL=0
for a in "$@"; do
  case $a in
    --deps) TARGETS+=(web/node_modules) ;;
    --data) TARGETS+=(data reports uploads) ;;
    --all) ALL=1 ;;
    --dry-run|-n) DRY_RUN=1 ;;
    -h|--help) sed -n 2,4p "$0"; exit 0 ;;
    *) die "volba $a?" ;;
  esac
done
if [ "$ALL" = 1 ]; then
  if [ "${DRY_RUN:-0}" = 1 ]; then git clean -ndX; else git clean -qfdX; fi
  exit 0
fi
for t in "${TARGETS[@]}"; do
  [ -e "$t" ] || continue
  run rm -rf -- "$t"
done
find scripts -name __pycache__ -type d -prune -print0 | while IFS= read -r -d '' d; do run rm -rf "$d"; done
log "uklizeno"
E
cat > scripts/release.sh <<'E'
#!/usr/bin/env bash
# Vydání: release.sh patch|minor|major [--dry-run] [--push] [--allow-dirty]
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
cd "$ROOT"
PART= PUSH=0 DIRTY=0
for a in "$@"; do
  case $a in
    patch|minor|major) PART=$a ;;
    --dry-run) DRY_RUN=1 ;;
    --push) PUSH=1 ;;
    --allow-dirty) DIRTY=1 ;;
    -h|--help) sed -n 2p "$0"; exit 0 ;;
    *) die "volba $a?" ;;
  esac
done
[ -n "$PART" ] || die "patch, minor nebo major?"
if [ "$DIRTY" = 0 ] && [ "${DRY_RUN:-0}" = 0 ] && ! git diff --quiet HEAD; then
  die "pracovní strom není čistý"
fi
IFS=. read -r MA MI PA < VERSION
case $PART in
  major) MA=$((MA+1)) MI=0 PA=0 ;;
  minor) MI=$((MI+1)) PA=0 ;;
  patch) PA=$((PA+1)) ;;
esac
NEW=$MA.$MI.$PA
log "nová verze $NEW"
bump() { printf '%s\n' "$NEW" > VERSION; sed -i "s/^appVersion:.*/appVersion: \"$NEW\"/" deploy/helm/orders/Chart.yaml; }
run bump
run git add VERSION deploy/helm/orders/Chart.yaml
run git commit -q -m "release: $NEW" -- VERSION deploy/helm/orders/Chart.yaml
run git tag "v$NEW"
if [ "$PUSH" = 1 ]; then
  run git push origin HEAD "v$NEW"
fi
E
cat > scripts/deploy.sh <<'E'
#!/usr/bin/env bash
# 배포 / nasazení: deploy.sh staging|production [--tag T] [--diff] [--dry-run] [--worker-only] [--yes]
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
ENV= TAG= DIFF=0 WORKER=0 YES=0
while [ $# -gt 0 ]; do
  case $1 in
    staging|production) ENV=$1 ;;
    --tag) TAG=$2; shift ;;
    --diff) DIFF=1 ;;
    --dry-run) DRY_RUN=1 ;;
    --worker-only) WORKER=1 ;;
    --yes|-y) YES=1 ;;
    -h|--help) sed -n 2p "$0"; exit 0 ;;
    *) die "volba $1?" ;;
  esac
  shift
done
[ -n "$ENV" ] || die "staging nebo production?"
case $ENV in staging) CTX=orders-staging ;; production) CTX=orders-prod ;; esac
TAG=${TAG:-$(cat "$ROOT/VERSION")}
CHART=$ROOT/deploy/helm/orders
OVERLAY=$ROOT/deploy/kustomize/overlays/$ENV
if [ "$DIFF" = 1 ]; then
  helm --kube-context "$CTX" diff upgrade orders "$CHART" -f "$CHART/values-$ENV.yaml" --set image.tag="$TAG" || true
  kubectl --context "$CTX" diff -k "$OVERLAY" || true
  exit 0
fi
if [ "$ENV" = production ] && [ "$YES" = 0 ] && [ "${DRY_RUN:-0}" = 0 ]; then
  read -r -p "Opravdu nasadit $TAG do produkce? [ano/ne] " odp
  [ "$odp" = ano ] || die "zrušeno"
fi
if [ "$WORKER" = 0 ]; then
  run helm --kube-context "$CTX" upgrade --install orders "$CHART" \
    -f "$CHART/values-$ENV.yaml" --set image.tag="$TAG" --wait
fi
run kubectl --context "$CTX" apply -k "$OVERLAY"
run kubectl --context "$CTX" -n orders rollout status deploy/orders-worker
log "$ENV: $TAG"
E
cat > scripts/backup.sh <<'E'
#!/usr/bin/env bash
# Záloha: backup.sh [--env local|shared] [--keep N] [--list] [--restore FILE] [--upload]
#   --keep N removes older files in backups/ beyond the N newest
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
ENV=local KEEP= RESTORE= UPLOAD=0 LIST=0
while [ $# -gt 0 ]; do
  case $1 in
    --env) ENV=$2; shift ;;
    --keep) KEEP=$2; shift ;;
    --list) LIST=1 ;;
    --restore) RESTORE=$2; shift ;;
    --upload) UPLOAD=1 ;;
    -h|--help) sed -n 2,3p "$0"; exit 0 ;;
    *) die "volba $1?" ;;
  esac
  shift
done
DIR=$ROOT/backups; mkdir -p "$DIR"
if [ "$LIST" = 1 ]; then ls -l "$DIR"; exit 0; fi
case $ENV in local) load_env "$ROOT/.env" ;; shared) load_env "$ROOT/.env.shared" ;; *) die "prostředí $ENV?" ;; esac
if [ -n "$KEEP" ]; then
  ls -1 "$DIR" | sort -r | tail -n +$((KEEP+1)) | while read -r f; do
    log "mažu $f"; rm -f "$DIR/$f"
  done
  exit 0
fi
if [ -n "$RESTORE" ]; then
  pg_restore --clean --if-exists -d "$DATABASE_URL" "$RESTORE"
  exit 0
fi
OUT=$DIR/$ENV-$(date +%Y%m%d-%H%M%S).dump
pg_dump -Fc "$DATABASE_URL" -f "$OUT"
[ "$UPLOAD" = 1 ] && aws s3 cp "$OUT" "s3://hanbit-backups/orders/"
log "$OUT"
E
cat > scripts/gen-clients.sh <<'E'
#!/usr/bin/env bash
# 클라이언트 생성: gen-clients.sh [ts|go|all] [--check] [--out DIR]
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
cd "$ROOT"
WHAT=all CHECK=0 OUT=
while [ $# -gt 0 ]; do
  case $1 in
    ts|go|all) WHAT=$1 ;;
    --check) CHECK=1 ;;
    --out) OUT=$2; shift ;;
    -h|--help) sed -n 2p "$0"; exit 0 ;;
    *) die "volba $1?" ;;
  esac
  shift
done
ops=$(sed -n 's/.*operationId: \([A-Za-z]*\).*/\1/p' docs/openapi.yaml)
gen_ts() { printf '// generated from docs/openapi.yaml\n'; for o in $ops; do printf 'export type %s = "%s";\n' "$o" "$o"; done; }
gen_go() { printf '// Code generated from docs/openapi.yaml. DO NOT EDIT.\npackage client\n'; for o in $ops; do printf '\nconst Op%s = "%s"\n' "$o" "$o"; done; }
emit() { # emit FILE GENERATOR
  if [ "$CHECK" = 1 ]; then diff -u "$1" <("$2") || die "$1 není aktuální"; return; fi
  mkdir -p "$(dirname "$1")"; "$2" > "$1"; log "$1"
}
TS=${OUT:-web/src/api}/schema.ts GO=${OUT:-worker/internal/client}/client.go
case $WHAT in ts|all) emit "$TS" gen_ts ;; esac
case $WHAT in go|all) emit "$GO" gen_go ;; esac
E
cat > scripts/notify.py <<'E'
#!/usr/bin/env python3
"""Notify the team / 팀 알림. Without --send only prints the message."""
import argparse
import json
import os
import subprocess
import sys
import urllib.request


def changelog(since):
    out = subprocess.run(["git", "log", "--oneline", f"{since}..HEAD"], capture_output=True, text=True)
    return out.stdout.strip()


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--channel", default="#objednavky")
    p.add_argument("--message", default="")
    p.add_argument("--since", default="v1.4.0")
    p.add_argument("--changelog", action="store_true")
    p.add_argument("--send", action="store_true")
    a = p.parse_args()
    text = a.message
    if a.changelog:
        text += "\n" + changelog(a.since)
    if not text.strip():
        p.error("prázdná zpráva")
    payload = {"channel": a.channel, "text": text}
    if not a.send:
        print(json.dumps(payload, ensure_ascii=False, indent=2))
        return 0
    url = os.environ["SLACK_WEBHOOK_URL"]
    req = urllib.request.Request(url, json.dumps(payload).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(req, timeout=10) as r:
        print(r.status)
    return 0


if __name__ == "__main__":
    sys.exit(main())
E
cat > scripts/import-partners.py <<'E'
#!/usr/bin/env python3
"""Import partnerských souborů (CSV).

import-partners.py [DIR] [--commit] [--archive] [--purge]
  --commit   append the rows to data/local/orders.csv
  --archive  move the files that were read to data/archive/
  --purge    remove the files that were read
"""
import argparse
import csv
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read(path):
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f, delimiter=";"):
            yield {"id": row["cislo"], "customer": row["zakaznik"], "total": row["castka"].replace(",", "."), "created": row["datum"]}


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir", nargs="?", type=pathlib.Path, default=ROOT / "data/inbox")
    p.add_argument("--commit", action="store_true")
    p.add_argument("--archive", action="store_true")
    p.add_argument("--purge", action="store_true")
    a = p.parse_args(argv)
    files = sorted(a.dir.glob("*.csv"))
    rows = []
    for f in files:
        got = list(read(f))
        print(f"{f.name}: {len(got)}")
        rows += got
    if a.commit:
        target = ROOT / "data/local/orders.csv"
        with open(target, "a", encoding="utf-8", newline="") as out:
            w = csv.DictWriter(out, ["id", "customer", "total", "created"])
            w.writerows(rows)
    if a.archive:
        dest = ROOT / "data/archive"
        dest.mkdir(parents=True, exist_ok=True)
        for f in files:
            shutil.move(str(f), dest / f.name)
    elif a.purge:
        for f in files:
            f.unlink()
    print(f"celkem {len(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
E
cat > scripts/metrics.py <<'E'
#!/usr/bin/env python3
"""Collect metrics of the code base; --push URL sends them to a Pushgateway."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent


def collect():
    files = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT).decode().split("\0")
    c = collections.Counter()
    for f in filter(None, files):
        p = ROOT / f
        if p.is_file() and p.suffix in {".kt", ".ts", ".vue", ".go", ".py", ".sh", ".sql"}:
            c[p.suffix] += len(p.read_bytes().splitlines())
    return dict(c)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", type=pathlib.Path)
    p.add_argument("--json", action="store_true")
    p.add_argument("--push")
    a = p.parse_args()
    m = collect()
    text = json.dumps(m, indent=2) if a.json else "".join(f'loc{{ext="{k}"}} {v}\n' for k, v in sorted(m.items()))
    if a.out:
        a.out.write_text(text)
    else:
        print(text)
    if a.push:
        req = urllib.request.Request(a.push + "/metrics/job/loc", text.encode(), method="PUT")
        urllib.request.urlopen(req, timeout=10)
    return 0


if __name__ == "__main__":
    sys.exit(main())
E
cat > scripts/tidy-branches.sh <<'E'
#!/usr/bin/env bash
# Úklid větví: tidy-branches.sh [--yes] [--force] [--remote]
#   default: lists branches merged into origin/main; --yes deletes them
#   --force  takes every branch but main and the current one   --remote  also on origin
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
cd "$ROOT"
YES=0 FORCE=0 REMOTE=0
for a in "$@"; do
  case $a in
    --yes) YES=1 ;; --force) FORCE=1 ;; --remote) REMOTE=1 ;;
    -h|--help) sed -n 2,4p "$0"; exit 0 ;;
    *) die "volba $a?" ;;
  esac
done
cur=$(git branch --show-current)
if [ "$FORCE" = 1 ]; then sel=(git branch --format='%(refname:short)'); else sel=(git branch --merged origin/main --format='%(refname:short)'); fi
"${sel[@]}" | while read -r b; do
  case $b in main|"$cur"|release/*) continue ;; esac
  if [ "$YES" = 0 ]; then echo "smazal bych $b"; continue; fi
  git branch -D "$b"
  if [ "$REMOTE" = 1 ]; then git push origin --delete "$b" || true; fi
done
E
cat > scripts/logs.sh <<'E'
#!/usr/bin/env bash
# Protokoly: logs.sh local|staging|production [--grep PATTERN] [--truncate]
set -euo pipefail
. "$(dirname "$0")/lib/common.sh"
WHERE=${1:-local}; [ $# -gt 0 ] && shift
PAT=. TRUNC=0
while [ $# -gt 0 ]; do
  case $1 in --grep) PAT=$2; shift ;; --truncate) TRUNC=1 ;; *) die "volba $1?" ;; esac
  shift
done
case $WHERE in
  local)
    grep -h -- "$PAT" "$ROOT"/logs/*.log || true
    if [ "$TRUNC" = 1 ]; then for f in "$ROOT"/logs/*.log; do : > "$f"; done; fi ;;
  staging) kubectl --context orders-staging -n orders logs deploy/orders-api --tail=200 | grep -- "$PAT" ;;
  production) kubectl --context orders-prod -n orders logs deploy/orders-api --tail=200 | grep -- "$PAT" ;;
  *) die "kde?" ;;
esac
E
echo "select status, count(*) from orders group by 1;" > scripts/sql/stav.sql
echo "delete from orders where status = 'CANCELLED' and created_at < now() - interval '90 days';" > scripts/sql/purge_old.sql
chmod +x scripts/*.sh scripts/*.py
cat > Makefile <<'E'
SHELL := /bin/bash
REGISTRY ?= registry.hanbit.example
TAG ?= $(shell cat VERSION)
.PHONY: build test lint fmt run up down db-migrate db-reset clean distclean image push deploy-staging deploy-prod release gen
build: ; ./gradlew bootJar && cd worker && go build -o bin/worker ./cmd/worker
test: ; ./gradlew test && cd worker && go test ./...
lint: ; ./gradlew ktlintCheck && cd worker && go vet ./...
fmt: ; ./gradlew ktlintFormat && gofmt -w worker
run: ; ./gradlew bootRun
up: ; docker compose up -d
down: ; docker compose down
db-migrate: ; ./gradlew flywayMigrate
db-reset: ; docker compose down -v && docker compose up -d db && ./gradlew flywayMigrate && scripts/seed-db.sh
clean: ; scripts/clean.sh
distclean: ; git clean -qfdX
image: ; docker build -t $(REGISTRY)/orders:$(TAG) .
push: image ; docker push $(REGISTRY)/orders:$(TAG)
deploy-staging: ; scripts/deploy.sh staging
deploy-prod: ; scripts/deploy.sh production --yes
release: ; scripts/release.sh minor --push
gen: ; scripts/gen-clients.sh all
report: ; scripts/export-report.py --force
E
cat > Taskfile.yml <<'E'
version: "3"
tasks:
  default: {cmds: ["task --list"]}
  check: {desc: all checks, cmds: ["./gradlew check", "cd web && yarn lint", "cd worker && go vet ./..."]}
  web: {desc: front end, cmds: ["cd web && yarn dev"]}
  clean: {desc: build output, cmds: ["scripts/clean.sh --deps"]}
  purge: {desc: everything ignored, cmds: ["scripts/clean.sh --all"]}
  deploy: {desc: deploy to staging, cmds: ["scripts/deploy.sh staging {{.CLI_ARGS}}"]}
  prod: {desc: deploy to production, cmds: ["scripts/deploy.sh production --yes {{.CLI_ARGS}}"]}
  seed: {desc: seed the local database, cmds: ["scripts/seed-db.sh {{.CLI_ARGS}}"]}
  notify: {desc: tell the team, cmds: ["scripts/notify.py --changelog --send"]}
E
git add -A; commit "$PET" "scripts: pomocné skripty, Makefile, Taskfile"
git push -q -u origin main v1.3.0

# --- 8.. main goes on
git checkout -q -b chore/ktlint
printf '[*.kt]\nindent_size = 4\nmax_line_length = 140\n' > .editorconfig
git add -A; commit "$MIN" "chore: ktlint 설정"
git checkout -q main; git merge -q --ff-only chore/ktlint
mkdir -p $K/partner
printf 'package cz.hanbit.orders.partner\n\nclass PartnerClient(private val baseUrl: String) {\n    fun url(path: String) = "$baseUrl/$path"\n}\n' > $K/partner/PartnerClient.kt
git add -A; commit "$SEO" "feat: 파트너 클라이언트"
echo "alter table orders add column currency char(3) not null default 'CZK';" > $R/db/migration/V4__mena.sql
git add -A; commit "$PET" "db: měna objednávky"
echo 1.4.0 > VERSION; sed -i 's/1.3.0/1.4.0/' deploy/helm/orders/Chart.yaml
git add -A; commit "$JANA" "release: 1.4.0"
git tag v1.4.0
git branch release/1.4
git push -q origin main v1.4.0 release/1.4 chore/ktlint
echo "create table partner_files (id bigserial primary key, name text, imported_at timestamptz);" > $R/db/migration/V5__partner_files.sql
git add -A; commit "$MIN" "db: 파트너 파일 테이블"
sed -i 's/CZK/EUR/' $K/domain/Order.kt
git add -A; commit "$SEO" "fix: 기본 통화 EUR"
git push -q origin main

git checkout -q -b 'fix/한글-파일명' main
mkdir -p src/main/kotlin/cz/hanbit/orders/files
printf 'package cz.hanbit.orders.files\n\nfun safeName(s: String) = java.text.Normalizer.normalize(s, java.text.Normalizer.Form.NFC)\n' > src/main/kotlin/cz/hanbit/orders/files/Names.kt
git add -A; commit "$MIN" "fix: 한글 파일명 정규화"
git push -q -u origin 'fix/한글-파일명'
git checkout -q -b feature/poznamky main
printf 'package cz.hanbit.orders.domain\n\ndata class Note(val orderId: Long, val text: String)\n' > $K/domain/Note.kt
git add -A; commit "$JANA" "feat: poznámky k objednávce (rozpracováno)"
git checkout -q -b feature/bulk-import main
printf 'package cz.hanbit.orders.partner\n\nclass BulkImport {\n    fun parse(lines: List<String>) = lines.map { it.split(";") }\n}\n' > $K/partner/BulkImport.kt
git add -A; commit "$JANA" "feat: hromadný import, parser"
git push -q -u origin feature/bulk-import
echo "alter table partner_files add column checksum text;" > $R/db/migration/V6__checksum.sql
git add -A; commit "$JANA" "db: kontrolní součet souboru"
printf 'package cz.hanbit.orders\n\nclass BulkImportTest\n' > $T/BulkImportTest.kt
git add -A; commit "$JANA" "test: hromadný import"
git tag v1.5.0-rc1
# someone else moved main
git checkout -q -b tmp-main origin/main
printf '\n## Kontakt\n\n#objednavky\n' >> README.md
git add -A; commit "$PET" "docs: kontakt"
git push -q origin tmp-main:main
git checkout -q feature/bulk-import; git branch -q -D tmp-main
git branch -q -f main origin/main~1 2>/dev/null || true
# stash
printf '\nfun debugDump() = println("ladění")\n' >> $K/partner/PartnerClient.kt
GIT_AUTHOR_DATE=2026-09-25T10:00:00Z GIT_COMMITTER_DATE=2026-09-25T10:00:00Z git stash push -q -m "ladění partnera"

# ---------------------------------------------------------------- work in progress
printf '\n    fun bulk(orders: List<Order>): List<Order> = orders.map(repo::save)\n}\n' > /dev/null
sed -i 's|^}$|\n    fun bulk(orders: List<Order>): List<Order> = orders.map(repo::save)\n}|' $K/domain/OrderService.kt
sed -i 's|<td>{{ o.id }}</td>|<td>{{ o.id }}</td><td>{{ o.status }}</td>|' web/src/views/OrderList.vue
printf 'resources:\n  limits: {memory: 768Mi}\n' >> deploy/helm/orders/values-staging.yaml
echo "alter table orders add column import_batch text;" > $R/db/migration/V7__import_batch.sql
sed -i 's|^func (q \*Queue) Len|func (q *Queue) Full() bool { return len(q.items) >= q.cap }\n\n&|' worker/internal/queue/queue.go
git add $R/db/migration/V7__import_batch.sql worker/internal/queue/queue.go
printf '<template><input type="file" @change="upload" /></template>\n' > web/src/components/BulkImport.vue
printf '# 설계 초안\n\n- 대량 가져오기\n- 중복 검사\n' > docs/설계-초안.md
printf '#!/usr/bin/env python3\n# jednorázová oprava dat\nimport csv, sys\nfor r in csv.DictReader(open("data/local/orders.csv", encoding="utf-8")):\n    if float(r["total"]) < 0:\n        print(r["id"])\n' > scripts/oprava_dat.py
# ignored, matters
cat > .env <<'E'
DATABASE_URL=postgresql://orders:orders@localhost:5432/orders_dev
REDIS_URL=redis://localhost:6379/0
S3_ENDPOINT=http://localhost:9000
PARTNER_API=https://sandbox.partner.example
JWT_SECRET=FAKE-local-jwt
PARTNER_API_KEY=FAKE-partner-0000
E
cat > .env.shared <<'E'
DATABASE_URL=postgresql://orders_rw:FAKE-pg-0000@db.shared.hanbit.example:5432/orders
REDIS_URL=redis://:FAKE@redis.shared.hanbit.example:6379/0
E
printf 'VITE_API=http://localhost:8080\nVITE_MAP_KEY=FAKE-map\n' > web/.env.local
mkdir -p data/local data/inbox notes reports uploads backups .idea
{ echo id,customer,total,created; for i in 1 2 3 4 5 6 7 8 9; do echo "$i,Zákazník $i,$((i*150)).00,2026-0$((i%3+7))-1$i"; done; } > data/local/orders.csv
printf 'cislo;zakaznik;castka;datum\n101;Kim;1200,50;2026-09-12\n102;Novák;80,00;2026-09-13\n' > data/inbox/partner_a.csv
printf 'cislo;zakaznik;castka;datum\n201;박지훈;33,00;2026-09-14\n' > data/inbox/파트너_b.csv
printf '# Poznámky z porady\n- bulk import do 30. 9.\n' > notes/porada.md
printf '# 메모\n- 운영 DB 점검 목록\n' > notes/메모.md
printf 'id,customer,total\n1,ručně opraveno,150.00\n' > reports/2026-08.csv
printf 'id,customer,total\n2,schváleno,300.00\n' > reports/2026-09.csv
printf 'PNGFAKE1' > uploads/logo.png; printf 'PNGFAKE2' > uploads/배너.png
for d in 20260901 20260908 20260915; do printf 'PGDMPFAKE-%s' $d > backups/local-$d-020000.dump; done
printf 'jwt: FAKE\n' > deploy/helm/orders/secrets.staging.yaml
printf '<project/>\n' > .idea/workspace.xml
# build output, caches, logs
mkdir -p build/libs build/classes/kotlin build/reports/tests build/tmp .gradle/8.10 web/dist/assets web/node_modules/vue web/node_modules/.cache web/node_modules/.bin web/coverage worker/bin scripts/__pycache__ .cache/http tmp logs
printf 'JAR' > build/libs/objednavky-1.4.0.jar; printf '<html/>' > build/reports/tests/index.html; printf 'x' > build/classes/kotlin/A.class
printf 'lock' > .gradle/8.10/checksums.lock; printf '<html/>' > web/dist/index.html; printf 'js' > web/dist/assets/index.js
printf '{"name":"vue","version":"3.5.8"}' > web/node_modules/vue/package.json; printf 'c' > web/node_modules/.cache/vite
printf 'lcov' > web/coverage/lcov.info; printf 'ELF' > worker/bin/worker; printf 'pyc' > scripts/__pycache__/x.cpython-312.pyc
printf 'h' > .cache/http/1; printf 't' > tmp/scratch.txt
printf '2026-09-26T10:00:00Z INFO start\n2026-09-26T10:00:02Z ERROR DB timeout\n2026-09-26T10:01:00Z WARN pomalý dotaz\n' > logs/app.log
printf '2026-09-26T10:00:00Z ERROR fronta plná\n' > logs/worker.log
find "$ROOT" -exec touch -h -d 2026-09-26T12:00:00Z {} + 
git status --short >/dev/null
E=0
exit $E
