package lang

import (
	"bytes"
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
		{"xml", xmlField([]byte(xml), "", "java.version"), ""},
		{"xml empty", xmlField([]byte(xml), "", "release"), ""},
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

// What lineOf adds up on its way is what a look at the line alone says.
func TestLineOf(t *testing.T) {
	data := []byte("a \"b\n  # c \"d\" e\n\n\t// f\n   \n-- g \" h\nx#y dnl z\ndnl \" w")
	for step := 1; step < 8; step++ {
		l := lineOf{data: data}
		for at := 0; at <= len(data); at += step {
			l.to(at)
			line := string(data[bytes.LastIndexByte(data[:at], '\n')+1 : at])
			lead := strings.TrimLeft(line, " \t")
			comment := strings.HasPrefix(lead, "#") || strings.HasPrefix(lead, "//") || strings.HasPrefix(lead, "-- ") || strings.HasPrefix(lead, "dnl ")
			if l.quotes != strings.Count(line, `"`) || l.commented() != comment {
				t.Errorf("at %q: %d quotes, comment %v", line, l.quotes, l.commented())
			}
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
	table := ruleTable(f)
	f.Fuzz(func(t *testing.T, data string) {
		for _, v := range []string{
			tomlField([]byte(data), "a.b"), yamlField([]byte(data), "a.b"), xmlField([]byte(data), "", "b"),
			lineField([]byte(data), "", "go {}"), lineField([]byte(data), "", `ruby "{}"`), lineField([]byte(data), "a", `"b": "{}"`),
			table.firstLine([]byte(data)), toolVersion([]byte(data), "go"),
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

// TestSettings: the first place that sets a version decides, names are looked up,
// and a version that cannot be read is none.
func TestSettings(t *testing.T) {
	const sbt = "val Scala213 = \"2.13.5\"\n// scalaVersion := \"2.9.1\"\n/* scalaVersion := \"2.9.2\" */\nlazy val a = x.settings(scalaVersion := Scala213)\nlazy val native = y.settings(scalaVersion := \"2.11.12\")\n"
	const mix = "@version \"1.5.13\"\n@elixir_requirement \"~> 1.7\"\n[version: @version, elixir: @elixir_requirement]\n"
	for _, test := range []struct {
		data, pattern, want string
		set                 bool
	}{
		{sbt, `scalaVersion := "{}"`, "2.13.5", true},
		{"scalaVersion := crossScalaVersions.value.find(x)\nscalaVersion := \"2.11.12\"\n", `scalaVersion := "{}"`, "", true},
		{"def v(scalaVersion: String)\n", `scalaVersion := "{}"`, "", false},
		{"scalaVersion := V.scala3\nobject V { val scala3 = \"3.3.1\" }\n", `scalaVersion := "{}"`, "3.3.1", true},
		{mix, `elixir: "{}"`, "~> 1.7", true},
		{"elixir: \"~> 1.15\",", `elixir: "{}"`, "~> 1.15", true},
		{"elixir: version(),", `elixir: "{}"`, "", true},
		{"if(NOT DEFINED CMAKE_CXX_STANDARD)\nset(CMAKE_CXX_STANDARD_REQUIRED ON)\nset(CMAKE_CXX_STANDARD ${STD})\nset(STD \"17\")\n", "set(CMAKE_CXX_STANDARD {}", "17", true},
		{"python_requires=f\">={LEAST}\",\n", `python_requires = "{}"`, "", true},
		{"REQUIRES = '>=3.8'\nsetup(python_requires=REQUIRES)\n", `python_requires = "{}"`, ">=3.8", true},
		{"sourceCompatibility = project.javaVersion\njavaVersion = 17\n", "sourceCompatibility = {}", "17", true},
	} {
		got, set := settingField([]byte(test.data), test.pattern, func(name string) string { return defined([]byte(test.data), name) })
		if got != test.want || set != test.set {
			t.Errorf("settingField(%q, %q) = %q, %v, want %q, %v", test.data, test.pattern, got, set, test.want, test.set)
		}
	}
	for _, test := range []struct{ data, pattern, want string }{
		{"CFLAGS=\"-std=c89\" $(MAKE)\nCFLAGS=\"-std=c11\" $(MAKE)\n", "-std=c{}", ""},
		{"CFLAGS = -std=c11\ntest:\n\t$(CC) -std=c11\n", "-std=c{}", "11"},
		{"option(X \"features (e.g. cxx_std_11) are used\" ON)\n", "cxx_std_{}", ""},
		{"target_compile_features(a PUBLIC cxx_std_${STD})\ntarget_compile_features(test PRIVATE cxx_std_17)\n", "cxx_std_{}", ""},
		{"set_target_properties(a PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)\n", "CXX_STANDARD {}", "17"},
	} {
		if got := agreedField([]byte(test.data), test.pattern); got != test.want {
			t.Errorf("agreedField(%q, %q) = %q, want %q", test.data, test.pattern, got, test.want)
		}
	}
}

// TestYarnLocked: of several entries the one counts that the project asked for.
func TestYarnLocked(t *testing.T) {
	const manifest = `{"devDependencies": {"typescript": "^4.5.5"}}`
	const other = "\"@rollup/plugin-typescript@^4.5.5\":\n  version \"8.3.0\"\n  dependencies:\n    typescript \"^4.5.5\"\n\n"
	for _, test := range []struct{ lock, manifest, want string }{
		{other + "typescript@^3.0.0:\n  version \"3.9.10\"\n\ntypescript@^4.0.0, typescript@^4.5.5:\n  version \"4.6.2\"\n", manifest, "4.6.2"},
		{other + "\"typescript@npm:^4.5.5\":\n  version: 4.6.3\n", manifest, "4.6.3"},
		{other + "\"typescript@patch:typescript@^4.5.5#x\":\n  version: 4.6.4\n", manifest, ""},
		{other + "typescript@^3.0.0:\n  version \"3.9.10\"\n", manifest, ""},
		{"typescript@^4.5.5:\n  version \"4.6.2\"\n", "{}", ""},
	} {
		if got := yarnLocked([]byte(test.lock), "typescript", []byte(test.manifest)); got != test.want {
			t.Errorf("yarnLocked(%q) = %q, want %q", test.lock, got, test.want)
		}
	}
}
