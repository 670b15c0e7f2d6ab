package lang

import (
	"strings"
	"testing"
)

func TestFields(t *testing.T) {
	const toml = "# a comment\nname = \"top\"\n[project]\nrequires-python = \">=3.11\" # why\n'quoted' = 'x'\n[tool.poetry.dependencies]\npython = \"^3.10\"\nextra = { version = \"1.9\", optional = true }\nnested = { path = \"..\" }\n[package]\nrust-version.workspace = true\n"
	const ini = "[options]\npython_requires = >=3.8\n; note\n[flake8]\nmax = 1\n"
	const yaml = "name: app\nenvironment:\n  # the SDK\n  sdk: '>=3.2.0 <4.0.0'\n  flutter: \">=3.22\"\nother:\n  sdk: no\nAllCops:\n  TargetRubyVersion: 3.3 # newest\n"
	const json = "{\n  // comment\n  \"engines\": { \"node\": \">=20\", \"x\": [1, {\"node\": \"no\"}] },\n  \"volta\": {\"node\": \"20.11.1\"}, /* more */ \"n\": 8,\n  \"@scope/pkg\": \"1\", \"a\\\"b\": 2, \"off\": false, \"none\": null\n}"
	const xml = "<project><properties><java.version>${x}</java.version></properties>\n<java.version> 21 </java.version><release></release></project>"
	for _, test := range []struct {
		name, got, want string
	}{
		{"toml section", tomlField([]byte(toml), "project.requires-python"), ">=3.11"},
		{"toml top", tomlField([]byte(toml), "name"), "top"},
		{"toml dotted section", tomlField([]byte(toml), "tool.poetry.dependencies.python"), "^3.10"},
		{"toml inline table", tomlField([]byte(toml), "tool.poetry.dependencies.extra"), "1.9"},
		{"toml inline table without a version", tomlField([]byte(toml), "tool.poetry.dependencies.nested"), ""},
		{"toml inherited", tomlField([]byte(toml), "package.rust-version"), ""},
		{"toml absent", tomlField([]byte(toml), "project.python"), ""},
		{"ini", tomlField([]byte(ini), "options.python_requires"), ">=3.8"},
		{"yaml nested", yamlField([]byte(yaml), "environment.sdk"), ">=3.2.0 <4.0.0"},
		{"yaml second", yamlField([]byte(yaml), "environment.flutter"), ">=3.22"},
		{"yaml comment", yamlField([]byte(yaml), "AllCops.TargetRubyVersion"), "3.3"},
		{"yaml top", yamlField([]byte(yaml), "name"), "app"},
		{"yaml not nested", yamlField([]byte(yaml), "sdk"), ""},
		{"json nested", jsonField([]byte(json), "engines.node"), ">=20"},
		{"json after objects", jsonField([]byte(json), "volta.node"), "20.11.1"},
		{"json number", jsonField([]byte(json), "n"), "8"},
		{"json scoped", jsonField([]byte(json), "@scope/pkg"), "1"},
		{"json object is no string", jsonField([]byte(json), "engines"), ""},
		{"json truncated", jsonField([]byte(`{"a": {"b": "1`), "a.b"), ""},
		{"xml", xmlField([]byte(xml), "java.version"), "21"},
		{"xml empty", xmlField([]byte(xml), "release"), ""},
	} {
		if test.got != test.want {
			t.Errorf("%s = %q, want %q", test.name, test.got, test.want)
		}
	}
	for field, want := range map[string]bool{"off": false, "none": false, "engines": true, "engines.x": true, "engines.y": false, "n.deeper": false} {
		if got := jsonHas([]byte(json), field); got != want {
			t.Errorf("jsonHas(%q) = %v, want %v", field, got, want)
		}
	}
}

func TestLineField(t *testing.T) {
	for _, test := range []struct{ data, after, pattern, want string }{
		{"module x\n\ngo 1.22\n\ntoolchain go1.22.3\n", "", "\ngo {}", "1.22"},
		{"module x\n\ngo 1.22\n\ntoolchain go1.22.3\n", "", "\ntoolchain go{}", "1.22.3"},
		{"go 1.21\n", "", "\ngo {}", "1.21"},
		{"// go 1.20\n", "", "\ngo {}", ""},
		{"ruby '3.3.1'\n", "", "\nruby \"{}\"", "3.3.1"},
		{"gem \"x\"\n# ruby \"2.0\"\n", "", "ruby \"{}\"", ""},
		{"scalaVersion   :=   \"3.4.2\"", "", `scalaVersion := "{}"`, "3.4.2"},
		{"scalaVersion := v.scala3", "", `scalaVersion := "{}"`, ""},
		{"set(CMAKE_CXX_STANDARD 20)", "", "CMAKE_CXX_STANDARD {}", "20"},
		{"# set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_CXX_STANDARD ${STD})", "", "CMAKE_CXX_STANDARD {}", ""},
		{"set(CMAKE_CXX_STANDARD_REQUIRED ON)", "", "CMAKE_CXX_STANDARD {}", ""},
		{"'cpp_std=c++17'", "", "cpp_std = c++{}", "17"},
		{`"typescript": ["typescript@5.4.5", ""]`, "", `"typescript": ["typescript@{}"`, "5.4.5"},
		{"\"node_modules/typescript\": {\n \"version\": \"5.3.3\",", `"node_modules/typescript": {`, `"version": "{}"`, "5.3.3"},
		{"\"version\": \"1\"", `"node_modules/typescript": {`, `"version": "{}"`, ""},
		{"python_requires='>=3.8',", "", `python_requires = "{}"`, ">=3.8"},
		{"// swift-tools-version: 5.9\n", "", "// swift-tools-version: {}", "5.9"},
		{"// swift-tools-version:5.10\n", "", "// swift-tools-version: {}", "5.10"},
		{"Depends: R (>= 4.1.0)", "", "R (>= {})", "4.1.0"},
		{"xR (>= 4.1.0)", "", "R (>= {})", ""},
		{"sourceCompatibility = project.javaVersion11", "", "sourceCompatibility = {}", ""},
		{"sourceCompatibility = 17", "", "sourceCompatibility = {}", "17"},
		{"CFLAGS = -std=c11 -Wall", "", "-std=c{}", "11"},
		{"CXXFLAGS = -std=c++20", "", "-std=c{}", ""},
	} {
		if got := lineField([]byte(test.data), test.after, test.pattern); got != test.want {
			t.Errorf("lineField(%q, %q, %q) = %q, want %q", test.data, test.after, test.pattern, got, test.want)
		}
	}
}

// FuzzFields: whatever a manifest holds, a field is taken out of it, not made up.
func FuzzFields(f *testing.F) {
	f.Add("[a]\nb = \"1\"\n")
	f.Add("a:\n  b: 1\n")
	f.Add(`{"a": {"b": "1\"2"}, /* c */ "d": [}`)
	f.Add("<b>1</b>")
	f.Add("go 1.22\nruby '3'\n")
	f.Fuzz(func(t *testing.T, data string) {
		for _, v := range []string{
			tomlField([]byte(data), "a.b"), yamlField([]byte(data), "a.b"), xmlField([]byte(data), "b"),
			lineField([]byte(data), "", "go {}"), lineField([]byte(data), "", `ruby "{}"`), lineField([]byte(data), "a", `"b": "{}"`),
			firstLine([]byte(data)), toolVersion([]byte(data), "go"),
		} {
			if !strings.Contains(data, v) {
				t.Errorf("%q is not in %q", v, data)
			}
		}
		if raw, ok := jsonFind([]byte(data), "a.b"); ok && !strings.Contains(data, string(raw)) {
			t.Errorf("%q is not in %q", raw, data)
		}
		jsonField([]byte(data), "a.b")
	})
}
