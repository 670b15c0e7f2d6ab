package lang

import "testing"

// TestUses: a project needs what it lists; its own name, longer names and what only
// its dependencies need say nothing.
func TestUses(t *testing.T) {
	table := ruleTable(t)
	for _, test := range []struct {
		file, data, name string
		want             bool
	}{
		{"go.mod", "module x\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1\n)\n", "github.com/gin-gonic/gin", true},
		{"go.mod", "module x\nrequire github.com/labstack/echo/v4 v4.1.0\n", "github.com/labstack/echo", true},
		{"go.mod", "module github.com/labstack/echo/v4\n\ngo 1.20\n", "github.com/labstack/echo", false},
		{"go.mod", "require (\n\tgoogle.golang.org/grpc v1.48.0 // indirect\n)\n", "google.golang.org/grpc", false},
		{"go.mod", "require (\n\tgo.opentelemetry.io/otel/exporters/google.golang.org/grpc v1\n)\n", "google.golang.org/grpc", false},
		{"go.mod", "require (\n\tgithub.com/gin-gonic/gin-contrib v1.0.0\n)\n", "github.com/gin-gonic/gin", false},
		{"DESCRIPTION", "Package: x\nURL: https://tidyverse.org, https://x.org/tidyverse\nImports: R6\n", "tidyverse", false},
		{"DESCRIPTION", "Package: x\nImports:\n    R6,\n    tidyverse (>= 1.0)\nSuggests: knitr\n", "tidyverse", true},
		{"DESCRIPTION", "Package: tidyverse\nImports:\n    R6\n", "tidyverse", false},
		{"x.cabal", "name: yesod\nlibrary\n  build-depends:   base >= 4.10\n                 , yesod-core >= 1.6\n", "yesod", false},
		{"x.cabal", "library\n  build-depends:   base >= 4.10\n                 , servant >= 1.6\n  default-language: x\n", "servant", true},
		{"Cargo.toml", "[package]\nname = \"tokio\"\n\n[features]\nrt = []\n", "tokio", false},
		{"Cargo.toml", "[workspace.dependencies]\ntokio = { version = \"1\", features = [\"full\"] }\n", "tokio", true},
		{"Cargo.toml", "[dependencies.tokio]\nversion = \"1\"\n", "tokio", true},
		{"Cargo.toml", "[dependencies]\ntokio-util = \"0.7\"\n", "tokio", false},
		{"Cargo.toml", "[dependencies]\naxum.workspace = true\n", "axum", true},
		{"Project.toml", "name = \"Flux\"\n[deps]\nAdapt = \"1\"\n[compat]\nFlux = \"1\"\n", "Flux", false},
		{"Project.toml", "name = \"X\"\n[deps]\nFlux = \"1\"\n", "Flux", true},
		{"pyproject.toml", "[project]\nname = \"flask\"\ndependencies = [\n  \"werkzeug>=3\",\n]\nkeywords = [\"django\"]\n[project.scripts]\nflask = \"flask.cli:main\"\n", "flask", false},
		{"pyproject.toml", "[project]\ndependencies = [\n  \"Django[bcrypt]>=4.2\",\n]\n", "django", true},
		{"pyproject.toml", "[project]\ndependencies = [\"django-stubs\"]\nkeywords = [\"django\"]\n", "django", false},
		{"pyproject.toml", "[tool.poetry]\npackages = [{ include = \"flask\" }]\n[tool.poetry.group.dev.dependencies]\npytest = \"^7\"\n", "flask", false},
		{"pyproject.toml", "[tool.poetry.group.dev.dependencies]\npytest = \"^7\"\n", "pytest", true},
		{"pyproject.toml", "[dependency-groups]\ndev = [\n    \"ruff>=0.12\",\n    \"pytest>=8\",\n]\n", "pytest", true},
		{"pyproject.toml", "[tool.uv]\ndev-dependencies = [\n    \"pytest>=7\",\n]\n", "pytest", true},
		{"pyproject.toml", "[tool.poetry.extras]\nflask = [\"sentry-sdk\"]\n", "flask", false},
		{"Project.toml", "[extras]\nFlux = \"1\"\n", "Flux", true},
		{"pyproject.toml", "[build-system]\nrequires = [\"flask\"]\n", "flask", false},
		{"Pipfile", "[packages]\nflask = \"*\"\n", "flask", true},
		{"requirements-dev.txt", "# torch\ntorchvision==0.1\n", "torch", false},
		{"requirements.txt", "Torch==2.1\n", "torch", true},
		{"setup.cfg", "[options]\ninstall_requires =\n    Django>=4\n", "django", true},
		{"setup.py", "setup(name='flask', install_requires=[\n  'fastapi>=0.1',\n])\n", "fastapi", true},
		{"mix.exs", "[app: :phoenix]\n{:phoenix_html, \"~> 3\"}", "phoenix", false},
		{"mix.exs", "{:phoenix, \"~> 1.7\"}", "phoenix", true},
		{"Gemfile", "gem 'rails-i18n'\n# gem 'rails'\n", "rails", false},
		{"Gemfile", "gem \"rails\", \"~> 7\"\n", "rails", true},
		{"x.gemspec", "s.name = 'rubocop'\ns.add_development_dependency 'rubocop', '~> 1'\n", "rubocop", true},
		{"x.gemspec", "s.name = 'rubocop'\n", "rubocop", false},
	} {
		if got := table.uses(test.file, []byte(test.data), test.name); got != test.want {
			t.Errorf("uses(%s, %q, %q) = %v, want %v", test.file, test.data, test.name, got, test.want)
		}
	}
}

// FuzzUses: no manifest, however broken, breaks the readers, and one that does not
// hold the name does not use it.
func FuzzUses(f *testing.F) {
	f.Add("[dependencies]\nx = [\n\"a\"")
	f.Add("Imports: x (")
	f.Add("require x v1 // indirect")
	table := ruleTable(f)
	f.Fuzz(func(t *testing.T, data string) {
		for _, file := range []string{"go.mod", "DESCRIPTION", "x.cabal", "Cargo.toml", "requirements.txt", "mix.exs", "Gemfile", "setup.py"} {
			if table.uses(file, []byte(data), "zq-9") && !containsFold(data, "zq-9") && !containsFold(data, "zq_9") {
				t.Errorf("%s: %q uses zq-9", file, data)
			}
		}
	})
}

func containsFold(s, name string) bool {
	for i := 0; i+len(name) <= len(s); i++ {
		if sameName(s[i:i+len(name)], name) {
			return true
		}
	}
	return false
}
