package lang_test

import (
	"path"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/lang"
)

// TestDialectIDs: the agents that call moai by its old names compare these ids and
// words letter by letter, so each
// pattern of their tables must still lead to the id in its row, alone in a folder.
func TestDialectIDs(t *testing.T) {
	for _, row := range []struct{ id, name, files string }{
		{"python", "Python", "pyproject.toml setup.py requirements.txt main.py"},
		{"typescript", "TypeScript", "tsconfig.json main.ts view.tsx package.json+tsconfig.json"},
		{"javascript", "JavaScript", "package.json main.js view.jsx"},
		{"java", "Java", "pom.xml build.gradle Main.java"},
		{"go", "Go", "go.mod main.go"},
		{"rust", "Rust", "Cargo.toml main.rs"},
		{"dart", "Dart", "pubspec.yaml main.dart"},
		{"swift", "Swift", "Package.swift main.swift"},
		{"kotlin", "Kotlin", "build.gradle.kts Main.kt script.kts"},
		{"csharp", "C#", "App.csproj App.sln Main.cs"},
		{"php", "PHP", "composer.json index.php"},
		{"ruby", "Ruby", "Gemfile main.rb"},
		{"elixir", "Elixir", "mix.exs main.ex main_test.exs"},
		{"scala", "Scala", "build.sbt Main.scala"},
		{"clojure", "Clojure", "project.clj deps.edn core.clj"},
		{"haskell", "Haskell", "stack.yaml app.cabal Main.hs"},
		{"cpp", "C++", "CMakeLists.txt main.cpp main.hpp"},
		{"c", "C", "main.c main.h"},
		{"shell", "Shell", "run.sh run.bash"},
		{"lua", "Lua", "main.lua"},
		{"r", "R", "DESCRIPTION main.R"},
		{"julia", "Julia", "Project.toml main.jl"},
	} {
		for _, files := range strings.Fields(row.files) {
			dir := t.TempDir()
			for file := range strings.SplitSeq(files, "+") {
				put(t, dir, file, contentOf[path.Ext(file)]+contentOf[file])
			}
			r := detect(t, dir, lang.Options{})
			if r.Primary == nil || r.Primary.ID != row.id || r.Primary.Name != row.name {
				t.Errorf("%s alone: %+v, want %s (%s)", files, r.Primary, row.id, row.name)
			}
		}
		if l, ok := languages.Table.Find(row.id); !ok || l.ID != row.id || !l.Primary {
			t.Errorf("Find(%q) = %+v, %t", row.id, l, ok)
		}
	}
	dir := t.TempDir()
	put(t, dir, "notes.txt", "nothing to see\n")
	if got := detect(t, dir, lang.Options{}).Title(); got != "Unknown Language" {
		t.Errorf("Title of a folder without a language = %q", got)
	}
}

// contentOf is what makes a file of a row one of its language, by extension or
// name; the others are empty.
var contentOf = map[string]string{
	".cpp": "int main() { return 0; }\n", ".c": "int main(void) { return 0; }\n", ".h": "int add(int, int);\n", ".hpp": "class A {};\n",
	".ts": "export const a: number = 1\n", ".tsx": "export const a = <b/>\n", ".rs": "fn main() {}\n", ".php": "<?php echo 1;\n", ".cs": "class A {}\n",
	"package.json": "{}\n", "tsconfig.json": "{}\n", "composer.json": "{}\n",
	"DESCRIPTION": "Package: app\nVersion: 1.0\nDepends: R (>= 4.1)\n", "Project.toml": "name = \"App\"\nuuid = \"7876af07-990d-54b4-ab0e-23690620f79a\"\n",
	"CMakeLists.txt": "project(app LANGUAGES CXX)\n",
}

// TestConfiguredFirst: what .moai/config says comes before all that the files say
// , in each of its forms; a language of conversation is none.
func TestConfiguredFirst(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{".moai/config.json", `{"project": {"language": "ruby"}}`, "ruby"},
		{".moai/config.json", `{"project": {"language": "Ruby", "name": "x"}, "language": {"conversation_language": "ko"}}`, "ruby"},
		{".moai/config.json", `{"language": "kotlin"}`, "kotlin"},
		{".moai/config.json", `{"language": "ko"}`, "go"},
		{".moai/config.json", `{"language": {"conversation_language": "ko", "conversation_language_name": "한국어"}}`, "go"},
		{".moai/config.json", `{"project": {"language": "klingon"}}`, "go"},
		{".moai/config.json", `{"project": {"language": ["ruby"]}}`, "go"},
		{".moai/config.json", `{"project": `, "go"},
		{".moai/config.yaml", "project:\n  language: c++\n", "cpp"},
		{".moai/config/config.yaml", "language:\n  conversation_language: ko\nproject:\n  language: C#\n", "csharp"},
		{".moai/config/sections/project.yaml", "project:\n  name: x\n  language: typescript\n", "typescript"},
	} {
		dir := t.TempDir()
		put(t, dir, "go.mod", "module example.org/app\n")
		put(t, dir, "main.go", "package main\n")
		put(t, dir, c.file, c.text)
		if r := detect(t, dir, lang.Options{}); r.Primary == nil || r.Primary.ID != c.want {
			t.Errorf("%s with %s: %+v, want %s", c.file, c.text, r.Primary, c.want)
		}
	}
}
