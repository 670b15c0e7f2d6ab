package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/format"
)

// project is what a public repository says of its formatters, in the words that matter, and which one is right for some of its files: "" is none. Behind a
// plus stands what runs at the end of a turn.
type project struct {
	name  string
	files map[string]string
	right map[string]string
}

const hook = ".pre-commit-config.yaml"

func projects() []project {
	return []project{
		// JavaScript and TypeScript
		{"microsoft/TypeScript", map[string]string{".dprint.jsonc": "{}", "eslint.config.mjs": "", "package.json": `{"devDependencies":{"dprint":"^0.49"}}`}, map[string]string{"src/compiler/checker.ts": "dprint+eslint --fix", "src/a.go": ""}},
		{"microsoft/vscode", map[string]string{"eslint.config.js": "", "tsfmt.json": "{}", "package.json": `{"devDependencies":{"eslint":"9"}}`}, map[string]string{"src/vs/base/a.ts": "+eslint --fix", "a.css": ""}},
		{"vitejs/vite", map[string]string{".prettierrc.json": "{}", "eslint.config.js": "", "package.json": `{"lint-staged":{"*":["prettier --write --cache --ignore-unknown"]},"devDependencies":{"prettier": "3.5.1"}}`}, map[string]string{"packages/vite/src/node/a.ts": "prettier+eslint --fix", "docs/a.md": "prettier"}},
		{"vuejs/core", map[string]string{".prettierrc": "semi: false", "package.json": `{"devDependencies":{"prettier": "^3.8.1"}}`}, map[string]string{"packages/a/src/a.ts": "prettier", "a.vue": "prettier"}},
		{"facebook/react", map[string]string{".prettierrc.js": "", ".eslintrc.js": "", "compiler/crates/a/Cargo.toml": "[package]\nedition = \"2021\"\n"}, map[string]string{"packages/react/src/a.js": "prettier+eslint --fix", "compiler/crates/a/src/lib.rs": "rustfmt"}},
		{"vercel/next.js", map[string]string{".prettierrc.json": "{}", "Cargo.toml": "", ".rustfmt.toml": ""}, map[string]string{"packages/next/src/a.tsx": "prettier", "crates/a/src/lib.rs": "rustfmt"}},
		{"withastro/astro", map[string]string{"biome.jsonc": "{}", ".prettierrc.json": "{}"}, map[string]string{"packages/astro/src/a.ts": "biome+biome check", "a.astro": "prettier"}},
		{"biomejs/biome", map[string]string{"biome.jsonc": "{}", "Cargo.toml": "", "rustfmt.toml": "", "justfile": "format:\n  taplo format\n"}, map[string]string{"packages/a/a.ts": "biome+biome check", "crates/a/src/lib.rs": "rustfmt"}},
		{"denoland/std", map[string]string{"deno.json": `{"tasks":{"fmt:licence-headers":"deno run x","ok":"deno task lint && deno fmt --check"}}`}, map[string]string{"fs/copy.ts": "deno"}},
		{"nodejs/node", map[string]string{"eslint.config.mjs": "", ".clang-format": "", "Makefile": "format-cpp:\n\ttools/clang-format\n"}, map[string]string{"lib/fs.js": "+eslint --fix", "src/node.cc": "clang-format"}},
		{"excalidraw/excalidraw", map[string]string{".lintstagedrc.js": "module.exports = {\n  \"*.{css,json,md}\": [\"prettier --write\"],\n};", "package.json": `{"prettier": "@excalidraw/prettier-config"}`}, map[string]string{"src/a.scss": "prettier"}},
		{"sveltejs/svelte", map[string]string{".prettierrc": "{}", "eslint.config.js": ""}, map[string]string{"packages/svelte/src/a.js": "prettier+eslint --fix"}},
		// Python
		{"pallets/flask, earlier", map[string]string{hook: "repos:\n  - repo: https://github.com/asottile/reorder-python-imports\n    hooks:\n      - id: reorder-python-imports\n        files: \"^(?!examples/)\"\n  - repo: https://github.com/psf/black\n    rev: 23.7.0\n    hooks:\n      - id: black\n"}, map[string]string{"src/flask/app.py": "black", "docs/a.rst": ""}},
		{
			"python/cpython",
			map[string]string{hook: "repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    hooks:\n      - id: ruff\n        files: ^Lib/test/\n      - id: ruff-format\n        name: Run Ruff (format) on Doc/\n        args: [--check]\n        files: ^Doc/\n\n  - repo: https://github.com/psf/black-pre-commit-mirror\n    rev: 24.8.0\n    hooks:\n      - id: black\n        files: ^Tools/jit/\n"},
			map[string]string{"Doc/conf.py": "ruff+ruff check", "Tools/jit/_targets.py": "black", "Lib/os.py": "", "Lib/test/test_os.py": "+ruff check", "Python/ceval.c": ""},
		},
		{"django/django", map[string]string{hook: "repos:\n  - repo: https://github.com/psf/black\n    hooks:\n    - id: black\n  - repo: https://github.com/PyCQA/isort\n    hooks:\n      - id: isort\n", "setup.cfg": "[isort]\nprofile = black\n"}, map[string]string{"django/db/models/query.py": "black+isort"}},
		{"scikit-learn/scikit-learn, earlier", map[string]string{hook: "repos:\n-   repo: https://gitlab.com/pycqa/flake8\n    hooks:\n    -   id: flake8\n"}, map[string]string{"sklearn/base.py": ""}},
		{"psf/requests", map[string]string{hook: "exclude: 'docs/|ext/'\n\nrepos:\n- repo: https://github.com/astral-sh/ruff-pre-commit\n  hooks:\n    - id: ruff-check\n      args: [--fix]\n    - id: ruff-format\n      exclude: tests/test_lowlevel.py\n"}, map[string]string{"src/requests/api.py": "ruff+ruff check", "tests/test_lowlevel.py": "+ruff check", "docs/conf.py": ""}},
		{"fastapi/fastapi", map[string]string{hook: "repos:\n-   repo: https://github.com/astral-sh/ruff-pre-commit\n    hooks:\n    -   id: ruff\n        args:\n        - --fix\n    -   id: ruff-format\n"}, map[string]string{"fastapi/routing.py": "ruff+ruff check"}},
		{"ansible/ansible", map[string]string{"pyproject.toml": "[build-system]\n[project]\nname = \"ansible-core\"\n"}, map[string]string{"lib/ansible/cli/doc.py": ""}},
		{"home-assistant/core, earlier", map[string]string{hook: "#\nrepos:\n  - repo: https://github.com/psf/black\n    hooks:\n      - id: black\n        args:\n          - --safe\n        files: ^((homeassistant|script|tests)/.+)?[^/]+\\.py$\n  # - repo: https://github.com/PyCQA/isort\n  #   hooks:\n  #     - id: isort\n  - repo: https://github.com/pre-commit/mirrors-prettier\n    hooks:\n      - id: prettier\n        stages: [manual]\n"}, map[string]string{"homeassistant/core.py": "black", "docs/a.py": "", "README.md": ""}},
		{"pandas-dev/pandas", map[string]string{hook: "exclude: ^LICENSES/|\\.(html|csv|svg)$\nrepos:\n-   repo: https://github.com/astral-sh/ruff-pre-commit\n    hooks:\n    -   id: ruff\n        args: [--exit-non-zero-on-fix]\n    -   id: ruff-format\n-   repo: https://github.com/pre-commit/mirrors-clang-format\n    hooks:\n    - id: clang-format\n      files: ^pandas/_libs/src|^pandas/_libs/include\n      args: [-i]\n      types_or: [c, c++]\n", ".clang-format": ""}, map[string]string{"pandas/core/frame.py": "ruff+ruff check", "pandas/_libs/src/parser/tokenizer.c": "clang-format", "other/a.c": ""}},
		{"huggingface/transformers", map[string]string{"Makefile": "style:\n\truff check --fix\n\truff format $(check_dirs)\n", "pyproject.toml": "[tool.ruff]\nline-length = 119\n"}, map[string]string{"src/transformers/a.py": "ruff+ruff check"}},
		{"google/yapf", map[string]string{".style.yapf": "[style]\nbased_on_style = yapf\n"}, map[string]string{"yapf/yapflib/a.py": "yapf"}},
		// Go
		{"prometheus/prometheus", map[string]string{"go.mod": "module x", ".golangci.yml": "formatters:\n  enable:\n    - gci\n    - gofumpt\n    - goimports\n", "web/ui/.prettierrc.json": "{}"}, map[string]string{"tsdb/db.go": "gofumpt+goimports", "web/ui/src/a.tsx": "prettier"}},
		{"kubernetes/kubernetes", map[string]string{"go.mod": "module k8s.io/kubernetes", "hack/golangci.yaml": "linters:\n"}, map[string]string{"pkg/kubelet/kubelet.go": "gofmt", "hack/a.sh": ""}},
		{"golang/go", map[string]string{"src/go.mod": "module std"}, map[string]string{"src/fmt/print.go": "gofmt", "test/fixedbugs/a.go": ""}},
		{"a module with a remark", map[string]string{"go.mod": "module x", ".golangci.yml": "linters:\n  enable:\n    # - gofumpt\n    - govet\n"}, map[string]string{"a.go": "gofmt"}},
		// C and C++
		{"godotengine/godot", map[string]string{".clang-format": "", hook: "exclude: |\n  (?x)^(\n    .*thirdparty/.*|\n    .*-so_wrap\\.(h|c)$\n  )\n\nrepos:\n  - repo: https://github.com/pre-commit/mirrors-clang-format\n    hooks:\n      - id: clang-format\n        files: \\.(c|h|cpp|hpp|cc|cxx|m|mm|inc|java|glsl)$\n        exclude: |\n          (?x)^(\n            tests/python_build/.*|\n            platform/android/java/lib/src/com/.*\n          )\n  - repo: https://github.com/psf/black-pre-commit-mirror\n    hooks:\n      - id: black\n        files: (\\.py$|SConstruct|SCsub)\n"}, map[string]string{"core/object.cpp": "clang-format", "tests/python_build/a.cpp": "", "methods.py": "black"}},
		{"redis/redis", map[string]string{".codespell/.codespellrc": "[codespell]\n"}, map[string]string{"src/server.c": ""}},
		{"llvm/llvm-project", map[string]string{".clang-format": "BasedOnStyle: LLVM\n", "libcxx/.clang-format": "BasedOnStyle: LLVM\n"}, map[string]string{"llvm/lib/a.cpp": "clang-format", "libcxx/src/a.cpp": "clang-format"}},
		{"NixOS/nix", map[string]string{".clang-format": "BasedOnStyle: LLVM\n"}, map[string]string{"src/libutil/a.cc": "clang-format", "default.nix": ""}},
		// Rust, Zig, Swift
		{"tokio-rs/tokio", map[string]string{"Cargo.toml": "[workspace]\n", "tokio/Cargo.toml": "[package]\nedition = \"2021\"\n"}, map[string]string{"tokio/src/lib.rs": "rustfmt"}},
		{"BurntSushi/ripgrep", map[string]string{"Cargo.toml": "[package]\nedition = \"2024\"\n", "rustfmt.toml": "max_width = 79\n"}, map[string]string{"crates/core/main.rs": "rustfmt"}},
		{"zigtools/zls", map[string]string{"build.zig": "", "build.zig.zon": ""}, map[string]string{"src/main.zig": "zig"}},
		{"vapor/vapor", map[string]string{".swift-format": "{}", "Package.swift": ""}, map[string]string{"Sources/Vapor/a.swift": "swift-format"}},
		// JVM and .NET
		{"spring-projects/spring-boot", map[string]string{"build.gradle": "plugins { id 'io.spring.javaformat' }"}, map[string]string{"a/A.java": ""}},
		{"ktorio/ktor", map[string]string{".editorconfig": "[*]\ncharset=utf-8\n"}, map[string]string{"ktor-io/a.kt": ""}},
		{"playframework/playframework", map[string]string{".scalafmt.conf": "version = 2.4.2\n"}, map[string]string{"core/a.scala": "scalafmt", "build.sbt": "scalafmt"}},
		{"dotnet/runtime", map[string]string{".editorconfig": "[*.cs]\nindent_size = 4\n"}, map[string]string{"src/a.cs": ""}},
		// functional languages
		{"ocaml/dune", map[string]string{".ocamlformat": "version=0.20.1\n", "dune-project": ""}, map[string]string{"bin/main.ml": "ocamlformat"}},
		{"haskell/haskell-language-server", map[string]string{hook: "repos:\n  - hooks:\n      - entry: stylish-haskell --inplace\n        exclude: >-\n          (^Setup.hs$|test/testdata/.*$)\n        files: \\.l?hs$\n        id: stylish-haskell\n        language: system\n    repo: local\n", ".stylish-haskell.yaml": ""}, map[string]string{"src/Ide/Main.hs": "stylish-haskell", "test/testdata/A.hs": ""}},
		{"phoenixframework/phoenix", map[string]string{".formatter.exs": "[]", "mix.exs": ""}, map[string]string{"lib/phoenix/router.ex": "mix"}},
		{"gleam-lang/stdlib", map[string]string{"gleam.toml": "name = \"gleam_stdlib\"\n"}, map[string]string{"src/gleam/list.gleam": "gleam"}},
		{"rtfeldman/elm-spa-example", map[string]string{"elm.json": "{}"}, map[string]string{"src/Main.elm": "elm-format"}},
		// and others
		{"rails/rails", map[string]string{".rubocop.yml": "", ".editorconfig": "root = true\n"}, map[string]string{"activerecord/lib/a.rb": ""}},
		{"symfony/symfony", map[string]string{".php-cs-fixer.dist.php": "", "composer.json": "{}"}, map[string]string{"src/Symfony/A.php": ""}},
		{"neovim/neovim", map[string]string{".stylua.toml": "column_width = 100\n", ".clang-format": ""}, map[string]string{"runtime/lua/vim/lsp.lua": "stylua", "src/nvim/main.c": "clang-format"}},
		{"terraform-aws-modules/terraform-aws-vpc", map[string]string{hook: "repos:\n- repo: git://github.com/antonbabenko/pre-commit-terraform\n  hooks:\n    - id: terraform_fmt\n    - id: terraform_docs\n"}, map[string]string{"main.tf": "terraform"}},
		{"numtide/treefmt", map[string]string{"treefmt.toml": "[formatter.go]\ncommand = \"gofmt\"\n", "go.mod": "module x", "docs/.prettierrc": ""}, map[string]string{"main.go": "treefmt", "docs/a.md": "treefmt"}},
		{"evilmartians/lefthook", map[string]string{"lefthook.yml": "pre-commit:\n  jobs:\n    - run: make lint\n", "go.mod": "module x"}, map[string]string{"cmd/a.go": "gofmt"}},
		{"asdf-vm/asdf", map[string]string{".editorconfig": "[*]\nindent_style = space\n"}, map[string]string{"lib/a.bash": ""}},
		{"flutter/packages", map[string]string{"packages/a/pubspec.yaml": "name: a\n"}, map[string]string{"packages/a/lib/a.dart": "dart", "script/a.dart": ""}},
		{"kemalcr/kemal", map[string]string{"shard.yml": "name: kemal\n"}, map[string]string{"src/kemal.cr": "crystal"}},
	}
}

// Each project's files get the formatter that is the project's own, or none.
func TestProjects(t *testing.T) {
	for _, p := range projects() {
		root := filepath.Join(t.TempDir(), "root")
		for name, text := range p.files {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range p.right {
			path := filepath.Join(root, filepath.FromSlash(name))
			got := ""
			if c := format.Choose(&quality.Table, root, path, format.Edited); c != nil {
				got = c.ID
			}
			if c := format.Choose(&quality.Table, root, path, format.Ended); c != nil {
				got += "+" + c.ID
			}
			if got != want {
				t.Errorf("%s: %s: %q, want %q", p.name, name, got, want)
			}
		}
	}
}
