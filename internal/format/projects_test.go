package format_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/format"
	"github.com/modu-ai/moai/internal/kit"
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
			map[string]string{"Doc/conf.py": "ruff", "Tools/jit/_targets.py": "black", "Lib/os.py": "", "Lib/test/test_os.py": "+ruff check", "Python/ceval.c": ""},
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
		{"a service with CSharpier", map[string]string{".csharpierrc.json": "{\"printWidth\": 120}", ".config/dotnet-tools.json": "{\"tools\": {\"csharpier\": {\"version\": \"1.1.2\"}}}"}, map[string]string{"src/a.cs": "csharpier", "a.csproj": ""}},
		{"a library with Fantomas", map[string]string{".config/dotnet-tools.json": "{\"tools\": {\"fantomas\": {\"version\": \"7.0.1\"}}}", ".editorconfig": "[*.fs]\nfsharp_space_before_uppercase_invocation = true\n"}, map[string]string{"src/a.fs": "fantomas", "a.fsproj": ""}},
		{"an application with Pint", map[string]string{"composer.json": "{\"require-dev\": {\"laravel/pint\": \"^1.13\"}}"}, map[string]string{"app/A.php": "+pint"}},
		// functional languages
		{"ocaml/dune", map[string]string{".ocamlformat": "version=0.20.1\n", "dune-project": ""}, map[string]string{"bin/main.ml": "ocamlformat"}},
		{"haskell/haskell-language-server", map[string]string{hook: "repos:\n  - hooks:\n      - entry: stylish-haskell --inplace\n        exclude: >-\n          (^Setup.hs$|test/testdata/.*$)\n        files: \\.l?hs$\n        id: stylish-haskell\n        language: system\n    repo: local\n", ".stylish-haskell.yaml": ""}, map[string]string{"src/Ide/Main.hs": "stylish-haskell", "test/testdata/A.hs": ""}},
		{"phoenixframework/phoenix", map[string]string{".formatter.exs": "[]", "mix.exs": ""}, map[string]string{"lib/phoenix/router.ex": "mix"}},
		{"gleam-lang/stdlib", map[string]string{"gleam.toml": "name = \"gleam_stdlib\"\n"}, map[string]string{"src/gleam/list.gleam": "gleam"}},
		{"rtfeldman/elm-spa-example", map[string]string{"elm.json": "{}"}, map[string]string{"src/Main.elm": "elm-format"}},
		// Ruby and PHP
		{"discourse/discourse", map[string]string{".rubocop.yml": "require:\n  - rubocop-discourse\n", "lefthook.yml": "pre-push:\n  commands:\n    rubocop:\n      glob: \"*.rb\"\n      run: bundle exec rubocop {staged_files}\n    prettier:\n      glob: \"*.{js,es6}\"\n      run: yarn prettier --list-different {staged_files}\n    eslint-js:\n      run: yarn eslint -f compact {staged_files}\n"}, map[string]string{"app/models/user.rb": "rubocop", "app/a.js": "prettier+eslint --fix", "config/a.sql": ""}},
		{"a gem with standard", map[string]string{".standard.yml": "ruby_version: 3.0\n", "Gemfile": "gem \"standard\"\n"}, map[string]string{"lib/a.rb": "standardrb", "Rakefile": "standardrb"}},
		{"a gem with rubocop in its hooks", map[string]string{hook: "repos:\n  - repo: local\n    hooks:\n      - id: rubocop\n        entry: bundle exec rubocop\n", ".standard.yml": ""}, map[string]string{"lib/a.rb": "rubocop"}},
		{"laravel/framework", map[string]string{"pint.json": "{\"preset\": \"empty\"}"}, map[string]string{"src/A.php": "+pint"}},
		// the same words in other names
		{"apache/airflow, earlier", map[string]string{hook: "repos:\n  - repo: https://github.com/psf/black\n    hooks:\n      - id: black\n        exclude: ^airflow/_vendor/\n  - repo: https://github.com/asottile/blacken-docs\n    hooks:\n      - id: blacken-docs\n        alias: black\n  - repo: https://github.com/timothycrosley/isort\n    hooks:\n      - id: isort\n        files: \\.py$\n"}, map[string]string{"airflow/models/dag.py": "black+isort", "airflow/_vendor/a.py": "+isort", "docs/a.rst": ""}},
		{"blacken-docs alone", map[string]string{hook: "repos:\n  - repo: https://github.com/adamchainz/blacken-docs\n    hooks:\n      - id: blacken-docs\n"}, map[string]string{"a.py": ""}},
		{"ruff-format alone", map[string]string{hook: "repos:\n  - repo: x\n    hooks:\n      - id: ruff-format\n"}, map[string]string{"a.py": "ruff"}},
		{"prettier-package-json alone", map[string]string{".lintstagedrc.json": "{\"package.json\": \"prettier-package-json --write\"}"}, map[string]string{"a.ts": ""}},
		// JVM, Swift, Haskell, Nix, CMake
		{"google-java-format by a hook", map[string]string{hook: "repos:\n  - repo: https://github.com/macisamuele/language-formatters-pre-commit-hooks\n    hooks:\n      - id: pretty-format-java\n        args: [--google-java-formatter-version=1.17]\n  - repo: local\n    hooks:\n      - id: google-java-format\n        entry: google-java-format -i\n        files: \\.java$\n"}, map[string]string{"src/A.java": "google-java-format"}},
		{"google/guava", map[string]string{"pom.xml": "<project><modelVersion>4.0.0</modelVersion></project>"}, map[string]string{"guava/src/A.java": ""}},
		{"a build with spotless", map[string]string{"build.gradle.kts": "plugins { id(\"com.diffplug.spotless\") }\nspotless { java { googleJavaFormat() } }\n"}, map[string]string{"src/A.java": "+spotless", "build.gradle.kts": "+spotless"}},
		{"square/okhttp", map[string]string{".editorconfig": "root = true\n[*.{kt, kts}]\nij_kotlin_imports_layout = *\n"}, map[string]string{"okhttp/a.kt": ""}},
		{"a project with ktlint", map[string]string{".editorconfig": "[*.{kt,kts}]\nktlint_code_style = android_studio\n"}, map[string]string{"app/a.kt": "+ktlint", "build.gradle.kts": "+ktlint"}},
		{"nicklockwood/SwiftFormat", map[string]string{".swiftformat": "--exclude Tests/XCTestManifests.swift,Snapshots\n--allman false\n", "Package.swift": ""}, map[string]string{"Sources/a.swift": "swiftformat"}},
		{"simplex-chat/simplex-chat", map[string]string{"fourmolu.yaml": "indentation: 2\ncolumn-limit: none\n"}, map[string]string{"src/Simplex/Chat.hs": "fourmolu"}},
		{"a library with ormolu", map[string]string{".ormolu": "infixl 1 &\n"}, map[string]string{"src/A.hs": "ormolu"}},
		{"nix-community/home-manager", map[string]string{"treefmt.toml": "tree-root-file = \"release.json\"\n[formatter.nixfmt]\ncommand = \"nixfmt\"\nincludes = [ \"*.nix\" ]\n"}, map[string]string{"modules/a.nix": "treefmt"}},
		{"a flake with alejandra", map[string]string{"flake.nix": "{ outputs = { self, nixpkgs }: { formatter.x86_64-linux = nixpkgs.legacyPackages.x86_64-linux.alejandra; }; }\n"}, map[string]string{"a.nix": "alejandra"}},
		{"a library in C++ with gersemi", map[string]string{".gersemirc": "line_length: 100\n", ".clang-format": ""}, map[string]string{"CMakeLists.txt": "gersemi", "src/a.cpp": "clang-format"}},
		{"bevyengine/bevy", map[string]string{"Cargo.toml": "[package]\nedition = \"2024\"\n", "rustfmt.toml": "newline_style = \"Unix\"\n"}, map[string]string{"crates/a/src/lib.rs": "rustfmt", "assets/a.wgsl": ""}},
		// two in one repository: the nearest speaks
		{"supabase/supabase", map[string]string{"package.json": "{\"devDependencies\":{\"prettier\": \"3.2.4\"}}", "examples/a/deno.json": "{\"fmt\":{}}", "apps/x/biome.json": "{}"}, map[string]string{"apps/studio/a.tsx": "prettier", "examples/a/b.ts": "deno", "apps/x/a.ts": "biome+biome check"}},
		{"a service beside a page", map[string]string{"api/pyproject.toml": "[tool.black]\n", "api/tools/pyproject.toml": "[tool.ruff.format]\n", "web/.prettierrc": "{}", "go.mod": "module x"}, map[string]string{"api/a.py": "black", "api/tools/b.py": "ruff+ruff check", "web/a.css": "prettier", "main.go": "gofmt", "a.py": ""}},
		// and others
		{"rails/rails", map[string]string{".rubocop.yml": "", ".editorconfig": "root = true\n"}, map[string]string{"activerecord/lib/a.rb": "rubocop", "a.js": ""}},
		{"symfony/symfony", map[string]string{".php-cs-fixer.dist.php": "", "composer.json": "{}"}, map[string]string{"src/Symfony/A.php": "+php-cs-fixer"}},
		{"neovim/neovim", map[string]string{".stylua.toml": "column_width = 100\n", ".clang-format": ""}, map[string]string{"runtime/lua/vim/lsp.lua": "stylua", "src/nvim/main.c": "clang-format"}},
		{"terraform-aws-modules/terraform-aws-vpc", map[string]string{hook: "repos:\n- repo: git://github.com/antonbabenko/pre-commit-terraform\n  hooks:\n    - id: terraform_fmt\n    - id: terraform_docs\n"}, map[string]string{"main.tf": "terraform"}},
		{"numtide/treefmt", map[string]string{"treefmt.toml": "[formatter.go]\ncommand = \"gofmt\"\n", "go.mod": "module x", "docs/.prettierrc": ""}, map[string]string{"main.go": "treefmt", "docs/a.md": "treefmt"}},
		{"evilmartians/lefthook", map[string]string{"lefthook.yml": "pre-commit:\n  jobs:\n    - run: make lint\n", "go.mod": "module x"}, map[string]string{"cmd/a.go": "gofmt"}},
		{"asdf-vm/asdf", map[string]string{".editorconfig": "[*]\nindent_style = space\n"}, map[string]string{"lib/a.bash": ""}},
		{"flutter/packages", map[string]string{"packages/a/pubspec.yaml": "name: a\n"}, map[string]string{"packages/a/lib/a.dart": "dart", "script/a.dart": ""}},
		{"kemalcr/kemal", map[string]string{"shard.yml": "name: kemal\n"}, map[string]string{"src/kemal.cr": "crystal"}},
	}
}

// Each project's files get the formatter that is the project's own, or none. A stand-in of every program lies on PATH, and one of the chosen
// formatter where the project has its own: what ran is what it printed, so that one from outside the project would show.
func TestProjects(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are shell scripts")
	}
	path := t.TempDir()
	standIns(t, path, "PATH")
	getenv := func(name string) string {
		if name == "PATH" {
			return path
		}
		return ""
	}
	list := projects()
	if len(list) < 70 {
		t.Errorf("only %d projects", len(list))
	}
	for _, p := range list {
		root := filepath.Join(t.TempDir(), "root")
		for name, text := range p.files {
			write(t, filepath.Join(root, filepath.FromSlash(name)), text, 0o644)
		}
		for name, want := range p.right {
			file := filepath.Join(root, filepath.FromSlash(name))
			got := ""
			for _, when := range [...]format.When{format.Edited, format.Ended} {
				c := format.Choose(&quality.Table, root, file, when)
				if c == nil {
					continue
				}
				if when == format.Ended {
					got += "+"
				}
				got += c.ID
				ran(t, p.name, c, file, getenv)
			}
			if got != want {
				t.Errorf("%s: %s: %q, want %q", p.name, name, got, want)
			}
		}
	}
}

// ran has a formatter run, and looks at which program did.
func ran(t *testing.T, project string, c *format.Choice, file string, getenv func(string) string) {
	t.Helper()
	if c.Builtin != "" || c.Takes != "" {
		return
	}
	if len(c.Local) > 0 {
		standIn(t, filepath.Join(c.Root, filepath.FromSlash(c.Local[0])), c.Argv[0], "the project")
	}
	out, err := c.Run(t.Context(), file, []byte("text\n"), []string{"PATH=/usr/bin:/bin"}, getenv)
	from := "PATH"
	if len(c.Local) > 0 {
		from = "the project"
	}
	if want := "text\n" + c.Argv[0] + " of " + from + "\n"; err != nil || string(out) != want {
		t.Errorf("%s: %s: %q, %v, want %q", project, c.ID, out, err, want)
	}
}

// standIns writes one for each formatter.
func standIns(t *testing.T, dir, from string) {
	t.Helper()
	for i := range quality.Table.Formatters {
		if argv := quality.Table.Formatters[i].Argv; len(argv) > 0 {
			standIn(t, dir, argv[0], from)
		}
	}
}

// standIn writes a program that tells its own name behind what it reads, or what the copy holds that it is given.
func standIn(t *testing.T, dir, name, from string) {
	t.Helper()
	write(t, filepath.Join(dir, name), "#!/bin/sh\nfor f; do :; done\ncase $f in *moai-format-*) echo "+name+" of "+from+" >>\"$f\";; *) cat; echo "+name+" of "+from+";; esac\n", 0o755)
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	kit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	kit.Must(t, os.WriteFile(path, []byte(text), mode))
}
