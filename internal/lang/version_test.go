package lang_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// sources are the places in which projects state versions, spelled as people
// spell them: FILE, its content, and what must be made of it ("" for nothing).
var sources = []struct {
	lang, file, content string
	want, kind          string
}{
	{"python", ".python-version", "# for pyenv\n3.12.4\n3.11.9\n", "3.12.4", "pin"},
	{"python", ".python-version", "pypy3.10-7.3.15\n", "pypy3.10-7.3.15", "pin"},
	{"python", ".python-version", "cpython-3.12\n", "3.12", "pin"},
	{"python", ".python-version", "system\n", "", ""},
	{"python", ".python-version", "3.1\x1b[2J\n", "", ""}, // a terminal would obey it
	{"python", ".tool-versions", "python 3.1\x1b[31m\n", "", ""},
	{"python", ".python-version", "3.1\u202e2\n", "", ""},
	{"python", ".python-version", "3.1\xff\n", "", ""},
	{"python", ".python-version", "shop\n", "", ""}, // a virtual environment
	{"python", ".python-version", "shop-3.11\n", "", ""},
	{"python", ".python-version", "miniconda3-22.11.1-1\n", "miniconda3-22.11.1-1", "pin"},
	{"python", "runtime.txt", "python-3.11.9\n", "3.11.9", "pin"},
	{"python", "Pipfile", "[packages]\nflask = \"*\"\n[requires]\npython_version = \"3.10\"\n", "3.10", "pin"},
	{"python", "Pipfile", "[requires]\npython_full_version = '3.10.2'\n", "3.10.2", "pin"},
	{"python", "pyproject.toml", "[project]\nname = \"x\"\nrequires-python = \">=3.9,<4\"\n", ">=3.9,<4", "floor"},
	{"python", "pyproject.toml", "[project]\nname='x'\nrequires-python='>= 3.9' # old\n", ">= 3.9", "floor"},
	{"python", "pyproject.toml", "project.requires-python = \">=3.8\"\n", ">=3.8", "floor"},
	{"python", "pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.10\"\n", "^3.10", "floor"},
	{"python", "pyproject.toml", "[tool.poetry]\nname='x'\n[tool.poetry.dependencies]\npython = { version = \"^3.10\" }\n", "^3.10", "floor"},
	{"python", "setup.cfg", "[metadata]\nname = x\n\n[options]\npackages = find:\npython_requires = >=3.7\n", ">=3.7", "floor"},
	{"python", "setup.cfg", "[options]\npython_requires=\n    >=3.7\n", ">=3.7", "floor"},
	{"python", "setup.py", "from setuptools import setup\nsetup(name='x', python_requires='>=3.6')\n", ">=3.6", "floor"},
	{"python", "setup.py", "setup(\n    python_requires = \">=3.6, <4\",\n)\n", ">=3.6, <4", "floor"},
	{"python", "setup.py", "setup(python_requires=REQUIRES)\n", "", ""},
	{"python", "uv.lock", "version = 1\nrequires-python = \">=3.12\"\n", ">=3.12", "floor"},
	{"python", "environment.yml", "name: x\ndependencies:\n  - python=3.11\n  - numpy\n", "3.11", "floor"},
	{"python", "environment.yml", "dependencies:\n  - python>=3.9\n", ">=3.9", "floor"},
	{"python", "environment.yml", "dependencies:\n  - conda-forge::python =3.9.*\n", "3.9.*", "floor"},
	{"python", "main.py", "# /// script\n# requires-python = \">=3.13\"\n# dependencies = []\n# ///\nprint(1)\n", ">=3.13", "floor"},

	{"typescript", "package.json", `{"devDependencies": {"typescript": "^5.4.0"}}`, "^5.4.0", "floor"},
	{"typescript", "package.json", `{"dependencies": {"typescript": "~5.3"}}`, "~5.3", "floor"},
	{"typescript", "package.json", `{"devDependencies": {"typescript": "catalog:"}}`, "", ""},
	{"typescript", "package.json", `{"devDependencies": {"typescript": "workspace:*"}}`, "", ""},

	{"javascript", ".nvmrc", "v22.3.0\n", "Node 22.3.0", "pin"},
	{"javascript", ".nvmrc", "lts/jod\n", "Node lts/jod", "pin"},
	{"javascript", ".nvmrc", "20\r\n", "Node 20", "pin"},
	{"javascript", ".nvmrc", "lts/*\n", "Node lts/*", "floor"}, // whatever line is the last
	{"javascript", ".nvmrc", "lts/-1\n", "Node lts/-1", "pin"},
	{"javascript", ".nvmrc", "iojs-v3.3.1\n", "Node iojs-v3.3.1", "pin"},
	{"javascript", ".nvmrc", "node\n", "", ""}, // the newest there is
	{"javascript", ".nvmrc", "system\n", "", ""},
	{"javascript", ".nvmrc", "default\n", "", ""},
	{"javascript", ".node-version", "lts/../../etc\n", "", ""},
	{"javascript", "package.json", `{"engines": {"node": "lts/*"}}`, "Node lts/*", "floor"},
	{"javascript", "package.json", `{"engines": {"node": ">=18 || lts/*"}}`, "Node >=18 || lts/*", "floor"},
	{"javascript", "package.json", `{"engines": {"node": "latest"}}`, "", ""},
	{"javascript", "package.json", `{"engines": {"node": "*"}}`, "", ""},
	{"javascript", "package.json", `{"engines": {"node": "please"}}`, "", ""},
	{"javascript", ".node-version", "20.11\n", "Node 20.11", "pin"},
	{"javascript", "package.json", `{"volta": {"node": "20.11.1"}, "engines": {"node": ">=18"}}`, "Node 20.11.1", "pin"},
	{"javascript", "package.json", `{"devEngines": {"runtime": {"name": "node", "version": "22.x"}}}`, "Node 22.x", "pin"},
	{"javascript", "package.json", `{"engines": {"npm": ">=9", "node": ">=18"}}`, "Node >=18", "floor"},
	{"javascript", "package.json", `{"engines": {"npm": ">=9"}}`, "", ""},

	{"java", ".java-version", "17.0.2\n", "17.0.2", "pin"},
	{"java", ".java-version", "temurin-21.0.2\n", "temurin-21.0.2", "pin"},
	{"java", ".java-version", "openjdk64-11.0.2\n", "openjdk64-11.0.2", "pin"},
	{"java", ".java-version", "system\n", "", ""},
	{"java", ".sdkmanrc", "# sdk env\njava=21.0.2-tem\n", "21.0.2-tem", "pin"},
	{"java", "build.gradle", "java {\n  toolchain {\n    languageVersion = JavaLanguageVersion.of(17)\n  }\n}\n", "17", "pin"},
	{"java", "build.gradle.kts", "java {\n    toolchain {\n        languageVersion.set(JavaLanguageVersion.of(21))\n    }\n}\n", "21", "pin"},
	{"java", "gradle/gradle-daemon-jvm.properties", "toolchainVersion=17\n", "17", "pin"},
	{"java", "pom.xml", "<project><properties><maven.compiler.release>17</maven.compiler.release></properties></project>", "17", "floor"},
	{"java", "pom.xml", "<project>\n <properties>\n  <java.version>11</java.version>\n  <maven.compiler.source>${java.version}</maven.compiler.source>\n </properties>\n</project>", "11", "floor"},
	{"java", "pom.xml", "<project><build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><source>1.8</source><target>1.8</target></configuration></plugin></plugins></build></project>", "1.8", "floor"},
	{"java", "build.gradle", "sourceCompatibility = 1.8\n", "1.8", "floor"},
	{"java", "build.gradle", "sourceCompatibility = '11'\n", "11", "floor"},
	{"java", "build.gradle", "java {\n  sourceCompatibility = JavaVersion.VERSION_17\n}\n", "17", "floor"},
	{"java", "build.gradle.kts", "tasks.withType<JavaCompile> { options.release.set(11) }\n", "11", "floor"},
	{"java", "build.gradle", "compileJava { options.release = 11 }\n", "11", "floor"},
	{"java", ".bazelrc", "build --java_language_version=17\n", "17", "floor"},

	{"kotlin", "gradle/libs.versions.toml", "[versions]\nkotlin = \"2.0.21\"\nktor = \"3.0\"\n", "2.0.21", "pin"},
	{"kotlin", "gradle/libs.versions.toml", "[versions]\nkotlin-gradle = \"2.0.0\"\n[plugins]\nkotlin-jvm = { id = \"org.jetbrains.kotlin.jvm\", version = \"1.9.24\" }\n", "1.9.24", "pin"},
	{"kotlin", "build.gradle.kts", "plugins {\n    kotlin(\"jvm\") version \"2.0.0\"\n}\n", "2.0.0", "pin"},
	{"kotlin", "build.gradle.kts", "plugins {\n    kotlin(\"plugin.serialization\") version \"1.9.22\"\n}\n", "1.9.22", "pin"},
	{"kotlin", "build.gradle.kts", "plugins { id(\"org.jetbrains.kotlin.multiplatform\") version \"1.9.23\" apply false }\n", "1.9.23", "pin"},
	{"kotlin", "build.gradle", "plugins {\n  id 'org.jetbrains.kotlin.jvm' version '1.8.0'\n}\n", "1.8.0", "pin"},
	{"kotlin", "build.gradle", "buildscript {\n  ext.kotlin_version = '1.6.10'\n}\n", "1.6.10", "pin"},
	{"kotlin", "build.gradle", "buildscript { dependencies { classpath \"org.jetbrains.kotlin:kotlin-gradle-plugin:1.7.0\" } }\n", "1.7.0", "pin"},
	{"kotlin", "gradle.properties", "org.gradle.jvmargs=-Xmx2g\nkotlin_version=1.9.0\n", "1.9.0", "pin"},
	{"kotlin", "gradle.properties", "kotlinVersion = 1.9.10\n", "1.9.10", "pin"},
	{"kotlin", "settings.gradle.kts", "pluginManagement {\n  plugins {\n    kotlin(\"jvm\") version \"2.1.0\"\n  }\n}\n", "2.1.0", "pin"},
	{"kotlin", "pom.xml", "<project><properties><kotlin.version>1.9.25</kotlin.version></properties></project>", "1.9.25", "pin"},

	{"go", "go.mod", "module x\n\ngo 1.21\n\ntoolchain go1.22.1\n", "1.22.1", "pin"},
	{"go", "go.mod", "module x\n\ngo 1.21 // keep\n", "1.21", "floor"},
	{"go", "go.mod", "module x\r\n\r\ngo 1.25.3\r\n", "1.25.3", "floor"},
	{"go", "go.work", "go 1.22\n\nuse ./a\n", "1.22", "floor"},
	{"go", ".go-version", "1.22.3\n", "1.22.3", "pin"},

	{"rust", "rust-toolchain.toml", "[toolchain]\nchannel = \"1.75.0\"\ncomponents = [\"rustfmt\"]\n", "1.75.0", "pin"},
	{"rust", "rust-toolchain.toml", "[toolchain]\nchannel = \"nightly-2024-01-01\"\n", "nightly-2024-01-01", "pin"},
	{"rust", "rust-toolchain", "1.70.0\n", "1.70.0", "pin"},
	{"rust", "rust-toolchain", "stable\n", "stable", "pin"},
	{"rust", "rust-toolchain", "[toolchain]\nchannel = \"1.71\"\n", "1.71", "pin"},
	{"rust", "rust-toolchain", "mine\n", "", ""}, // rustup toolchain link mine
	{"rust", "Cargo.toml", "[package]\nname = \"x\"\nedition = \"2021\"\nrust-version = \"1.65\"\n", "1.65", "floor"},
	{"rust", "Cargo.toml", "[workspace]\nmembers = []\n[workspace.package]\nrust-version = \"1.74\"\n[package]\nname=\"x\"\nrust-version.workspace = true\n", "1.74", "floor"},
	{"rust", "Cargo.toml", "[package]\nname = \"x\"\nedition = \"2021\"\n", "edition 2021", "hint"},

	{"dart", ".fvmrc", "{\"flutter\": \"3.22.0\"}", "Flutter 3.22.0", "pin"},
	{"dart", ".fvm/fvm_config.json", "{\"flutterSdkVersion\": \"3.10.0\"}", "Flutter 3.10.0", "pin"},
	{"dart", "pubspec.yaml", "name: x\nenvironment:\n  sdk: '>=3.0.0 <4.0.0'\n", ">=3.0.0 <4.0.0", "floor"},
	{"dart", "pubspec.yaml", "name: x\nenvironment:\n  sdk: ^3.4.0\n", "^3.4.0", "floor"},
	{"dart", "pubspec.lock", "packages: {}\nsdks:\n  dart: \">=3.3.0 <4.0.0\"\n", ">=3.3.0 <4.0.0", "floor"},

	{"swift", ".swift-version", "5.10\n", "5.10", "pin"},
	{"swift", "Package.swift", "// swift-tools-version:5.9\nimport PackageDescription\n", "5.9", "floor"},
	{"swift", "Package.swift", "// swift-tools-version: 6.0\n", "6.0", "floor"},
	{"swift", "App.podspec", "Pod::Spec.new do |s|\n  s.swift_versions = ['5.5', '5.6']\nend\n", "5.5", "floor"},
	{"swift", "App.podspec", "Pod::Spec.new do |s|\n  s.swift_version = '5.3'\nend\n", "5.3", "floor"},
	{"swift", "App.xcodeproj/project.pbxproj", "\t\t\t\tSWIFT_VERSION = 5.0;\n", "5.0", "floor"},

	{"csharp", "global.json", `{"sdk": {"version": "8.0.100", "rollForward": "latestMinor"}}`, ".NET SDK 8.0.100", "pin"},
	{"csharp", "App.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n</Project>\n", "net8.0", "floor"},
	{"csharp", "src/App/App.csproj", "<Project><PropertyGroup><TargetFrameworks>net6.0;net8.0</TargetFrameworks></PropertyGroup></Project>", "net6.0;net8.0", "floor"},
	{"csharp", "Directory.Build.props", "<Project><PropertyGroup><TargetFramework>net7.0</TargetFramework></PropertyGroup></Project>", "net7.0", "floor"},
	{"csharp", "App.csproj", "<Project><PropertyGroup><TargetFramework Condition=\"'$(X)' == ''\">net9.0</TargetFramework></PropertyGroup></Project>", "net9.0", "floor"},
	{"csharp", "App.csproj", "<Project><PropertyGroup><TargetFrameworkVersion>v4.7.2</TargetFrameworkVersion></PropertyGroup></Project>", ".NET Framework v4.7.2", "floor"},
	{"csharp", "App.csproj", "<Project><PropertyGroup><TargetFramework>$(Framework)</TargetFramework></PropertyGroup></Project>", "", ""},

	{"php", ".php-version", "8.2\n", "8.2", "pin"},
	{"php", "composer.json", `{"require": {"php": "^8.1", "ext-json": "*"}}`, "^8.1", "floor"},
	{"php", "composer.json", `{"require": {"php": "^8.1"}, "config": {"platform": {"php": "8.1.5"}}}`, "8.1.5", "pin"},
	{"php", "composer.json", `{"require": {"php": ">=7.4 || ^8.0"}}`, ">=7.4 || ^8.0", "floor"},

	{"ruby", ".ruby-version", "ruby-3.3.0\n", "3.3.0", "pin"},
	{"ruby", ".ruby-version", "jruby-9.4.5.0\n", "jruby-9.4.5.0", "pin"},
	{"ruby", ".ruby-version", "ruby-head\n", "ruby-head", "pin"},
	{"ruby", ".ruby-version", "truffleruby+graalvm-24.1.0\n", "truffleruby+graalvm-24.1.0", "pin"},
	{"ruby", ".ruby-version", "system\n", "", ""},
	{"ruby", ".ruby-version", "3.2@shop\n", "", ""}, // a gem set of RVM behind it: not read
	{"ruby", "Gemfile", "source 'https://rubygems.org'\nruby '3.2.2'\n", "3.2.2", "pin"},
	{"ruby", "Gemfile", "ruby file: '.ruby-version'\n", "", ""},
	{"ruby", "Gemfile", "ruby '~> 3.1'\n", "~> 3.1", "floor"},
	{"ruby", "Gemfile", "ruby '>= 2.5.0', '< 3.2.0'\n", ">= 2.5.0,<3.2.0", "floor"},
	{"ruby", "Gemfile", "ruby \">= 2.5.0\", engine: \"ruby\"\n", ">= 2.5.0", "floor"},
	{"ruby", "Gemfile", "ruby '3.2.2', '< 4'\n", "3.2.2", "pin"},
	{"ruby", "x.gemspec", "s.required_ruby_version = ['>= 2.5', '< 4']\n", ">= 2.5,<4", "floor"},
	{"ruby", "x.gemspec", "s.required_ruby_version = Gem::Requirement.new(\">= 2.6\", \"< 3.4\")\n", ">= 2.6,<3.4", "floor"},
	{"ruby", "Gemfile.lock", "GEM\n  specs:\n\nRUBY VERSION\n   ruby 3.2.2p53\n\nBUNDLED WITH\n   2.4.1\n", "3.2.2p53", "pin"},
	{"ruby", "x.gemspec", "Gem::Specification.new do |s|\n  s.required_ruby_version = '>= 2.7'\nend\n", ">= 2.7", "floor"},
	{"ruby", "x.gemspec", "Gem::Specification.new do |s|\n  s.required_ruby_version = Gem::Requirement.new(\">= 2.6.0\")\nend\n", ">= 2.6.0", "floor"},
	{"ruby", ".rubocop.yml", "AllCops:\n  TargetRubyVersion: 3.1\n", "3.1", "floor"},

	{"elixir", "mix.exs", "def project do\n  [\n    app: :x,\n    elixir: \"~> 1.15\",\n", "~> 1.15", "floor"},
	{"elixir", "mix.exs", "  @elixir_requirement \"~> 1.14\"\n  def project, do: [elixir: @elixir_requirement]\n", "~> 1.14", "floor"},

	{"scala", "build.sbt", "ThisBuild / scalaVersion := \"3.3.1\"\n", "3.3.1", "pin"},
	{"scala", "build.sbt", "lazy val root = (project in file(\".\")).settings(\n  scalaVersion := \"2.13.12\"\n)\n", "2.13.12", "pin"},
	{"scala", "build.sbt", "crossScalaVersions := Seq(\"2.12.18\", \"2.13.12\")\n", "2.12.18", "pin"},
	{"scala", "project/Dependencies.scala", "object Dependencies {\n  val scalaVersion = \"2.13.11\"\n}\n", "2.13.11", "pin"},
	{"scala", "build.mill", "object app extends ScalaModule {\n  def scalaVersion = \"3.4.2\"\n}\n", "3.4.2", "pin"},
	{"scala", "build.sc", "object app extends ScalaModule { def scalaVersion = T { \"2.13.8\" } }\n", "2.13.8", "pin"},
	{"scala", "project.scala", "//> using scala 3.4.0\n", "3.4.0", "pin"},
	{"scala", "pom.xml", "<project><properties><scala.version>2.12.18</scala.version></properties></project>", "2.12.18", "pin"},

	{"clojure", "deps.edn", "{:deps {org.clojure/clojure {:mvn/version \"1.11.1\"}}}\n", "1.11.1", "floor"},
	{"clojure", "project.clj", "(defproject x \"0.1\"\n  :dependencies [[org.clojure/clojure \"1.10.3\"]])\n", "1.10.3", "floor"},
	{"clojure", "bb.edn", "{:min-bb-version \"1.3.0\"}\n", "Babashka 1.3.0", "floor"},
	{"clojure", "pom.xml", "<project><dependencies><dependency><groupId>org.clojure</groupId><artifactId>clojure</artifactId><version>1.9.0</version></dependency></dependencies></project>", "1.9.0", "floor"},

	{"haskell", "cabal.project", "packages: .\nwith-compiler: ghc-9.4.7\n", "GHC 9.4.7", "pin"},
	{"haskell", "stack.yaml", "resolver: lts-21.25\n", "GHC 9.4 (Stackage lts-21.25)", "floor"},
	{"haskell", "stack.yaml", "snapshot: lts-22.7\npackages: [.]\n", "GHC 9.6 (Stackage lts-22.7)", "floor"},
	{"haskell", "stack.yaml", "resolver: lts-2.22\n", "Stackage lts-2.22", "floor"},
	{"haskell", "stack.yaml", "resolver: nightly-2024-01-01\n", "Stackage nightly-2024-01-01", "floor"},
	{"haskell", "stack.yaml", "# ours\nresolver: ghc-9.6.4\n", "GHC 9.6.4", "pin"},
	{"haskell", "x.cabal", "name: x\ntested-with: GHC == 9.4.7\n", "GHC 9.4.7", "floor"},
	{"haskell", "x.cabal", "name: x\nlibrary\n  build-depends: base >=4.14 && <5\n", "base >=4.14", "floor"},

	{"cpp", "CMakeLists.txt", "project(x CXX)\nset(CMAKE_CXX_STANDARD 20)\n", "C++20", "floor"},
	{"cpp", "CMakeLists.txt", "target_compile_features(x PUBLIC cxx_std_17)\n", "C++17", "floor"},
	{"cpp", "CMakeLists.txt", "set_target_properties(x PROPERTIES CXX_STANDARD 14)\n", "C++14", "floor"},
	{"cpp", "meson.build", "project('x', 'cpp', default_options: ['warning_level=3', 'cpp_std=c++17'])\n", "C++17", "floor"},
	{"cpp", "Makefile", "CXXFLAGS += -O2 -std=c++11\n", "C++11", "floor"},
	{"cpp", "Makefile", "CXXFLAGS += -std=gnu++17\n", "C++17", "floor"},
	{"cpp", "configure.ac", "AX_CXX_COMPILE_STDCXX([14], [noext], [mandatory])\n", "C++14", "floor"},
	{"cpp", "app.pro", "QT += core\nCONFIG += c++17\n", "C++17", "floor"},
	{"cpp", ".clangd", "CompileFlags:\n  Add: [-std=c++20]\n", "C++20", "floor"},
	{"cpp", ".bazelrc", "build --cxxopt=-std=c++17\n", "C++17", "floor"},
	{"cpp", "CMakeLists.txt", "set(CMAKE_CXX_STANDARD ${STD})\n", "", ""},

	{"c", "CMakeLists.txt", "project(x C)\nset(CMAKE_C_STANDARD 11)\n", "C11", "floor"},
	{"c", "CMakeLists.txt", "target_compile_features(x PRIVATE c_std_99)\n", "C99", "floor"},
	{"c", "meson.build", "project('x', 'c', default_options: ['c_std=c11'])\n", "C11", "floor"},
	{"c", "meson.build", "project('x', 'c', default_options: 'c_std=gnu99')\n", "gnu99", "floor"},
	{"c", "Makefile", "CFLAGS = -Wall -std=c99\n", "C99", "floor"},
	{"c", "configure.ac", "AC_INIT([x],[1])\nAC_PROG_CC_C99\n", "C99", "floor"},

	{"java", "build.gradle.kts", "tasks {\n  withType<JavaCompile> {\n    sourceCompatibility = \"11\"\n  }\n}\n", "11", "floor"},
	{"java", "build.gradle.kts", "android {\n  compileOptions {\n    sourceCompatibility = JavaVersion.VERSION_1_8\n  }\n}\n", "1.8", "floor"},
	{"java", "build.gradle", "android {\n  compileOptions {\n    sourceCompatibility JavaVersion.VERSION_1_8\n  }\n}\n", "1.8", "floor"},
	{"java", "build.gradle", "if (JavaVersion.current() < JavaVersion.VERSION_1_8) {\n  throw x\n}\n", "", ""},
	{"java", "build.gradle.kts", "//java {\n//  toolchain {\n//    languageVersion = JavaLanguageVersion.of(17)\n//  }\n//}\n", "", ""},
	{"java", "pom.xml", "<project><profiles><profile><build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><release>14</release></configuration></plugin></plugins></build></profile></profiles></project>", "", ""},
	{"java", "pom.xml", "<project><properties><required.jdk>11</required.jdk><maven.compiler.source>${required.jdk}</maven.compiler.source></properties></project>", "11", "floor"},
	{"kotlin", "build.gradle.kts", "plugins {\n  kotlin(\"android\").version(\"1.9.0\").apply(false)\n}\n", "1.9.0", "pin"},
	{"kotlin", "build.gradle.kts", "buildscript {\n  extra.apply {\n    set(\"kotlin_version\", \"1.9.22\")\n  }\n}\n", "1.9.22", "pin"},
	{"kotlin", "build.gradle.kts", "val kotlin_version: String by extra\nbuildscript {\n  var kotlin_version: String by extra\n  kotlin_version = \"1.8.0\"\n}\n", "1.8.0", "pin"},
	{"kotlin", "build.gradle.kts", "plugins {\n  kotlin(\"jvm\")\n  kotlin(\"plugin.serialization\") version libs.versions.kotlin\n}\n", "", ""},
	{"ruby", "x.gemspec", "Gem::Specification.new do |s|\n  s.required_ruby_version = Gem::Requirement.new(\">= 2.5.0\".freeze)\nend\n", ">= 2.5.0", "floor"},
	{"scala", "build.sbt", "crossScalaVersions in ThisBuild := Seq(\"2.12.3\", \"2.11.8\")\n", "2.12.3", "pin"},
	{"scala", "build.sbt", "crossScalaVersions := List(\"2.13.5\", \"2.12.13\")\n", "2.13.5", "pin"},
	{"scala", "build.sbt", "scalaVersion := crossScalaVersions.value.find(_.contains(x)).get\nlazy val native = Seq(\n  scalaVersion := \"2.11.12\",\n  crossScalaVersions := Seq(\"2.11.12\")\n)\n", "", ""},
	{"csharp", "App.csproj", "<Project>\n  <!-- <TargetFramework>net6.0</TargetFramework> -->\n  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>", "net9.0", "floor"},
	{"cpp", "configure.ac", "AX_CXX_COMPILE_STDCXX_11([noext], [mandatory])\n", "C++11", "floor"},
	{"cpp", "CMakeLists.txt", "option(X \"use features (e.g. cxx_std_11)\" ON)\n", "", ""},
	{"cpp", "CMakeLists.txt", "SET(STD 14)\nSET(CMAKE_CXX_STANDARD ${STD})\n", "C++14", "floor"},
	{"c", "Makefile", "all:\n\tCFLAGS=\"-std=c89\" $(MAKE) lib\n\tCFLAGS=\"-std=c99\" $(MAKE) lib\n", "", ""},
	{"elixir", "mix.exs", "@least \"~> 1.12\"\ndef project, do: [elixir: @least]\n", "~> 1.12", "floor"},
	{"python", "setup.py", "LEAST = '>=3.9'\nsetup(python_requires=LEAST)\n", ">=3.9", "floor"},

	{"r", "renv.lock", `{"R": {"Version": "4.3.1", "Repositories": []}}`, "4.3.1", "pin"},
	{"r", "rproject.toml", "[project]\nname = \"x\"\nr_version = \"4.4\"\n", "4.4", "pin"},
	{"r", "DESCRIPTION", "Package: x\nDepends: R (>= 3.6.0), methods\n", ">= 3.6.0", "floor"},
	{"r", "DESCRIPTION", "Package: x\nDepends:\n    R (>= 4.1)\nImports: R6\n", ">= 4.1", "floor"},

	{"julia", "Manifest.toml", "julia_version = \"1.10.2\"\nmanifest_format = \"2.0\"\n", "1.10.2", "pin"},
	{"julia", "Project.toml", "name = \"X\"\n\n[compat]\njulia = \"1.6\"\n", "1.6", "floor"},

	{"shell", ".shellcheckrc", "shell=bash\n", "bash", "floor"},

	{"lua", ".lua-version", "5.4\n", "5.4", "pin"},
	{"lua", "x-1.0-1.rockspec", "package = \"x\"\ndependencies = {\n   \"lua >= 5.1, < 5.5\"\n}\n", ">= 5.1, < 5.5", "floor"},
	{"lua", ".luarc.json", `{"runtime.version": "LuaJIT"}`, "LuaJIT", "floor"},
	{"lua", ".luarc.json", `{"runtime": {"version": "Lua 5.3"}}`, "Lua 5.3", "floor"},
	{"lua", ".luacheckrc", "std = \"lua52\"\n", "lua52", "floor"},
	{"lua", "stylua.toml", "syntax = \"Lua54\"\n", "Lua54", "floor"},
}

// file is one source file of a language, so that it is in the list.
var file = map[string]string{
	"python": "app.py", "typescript": "app.ts", "javascript": "app.js", "java": "App.java", "kotlin": "App.kt", "go": "app.go", "rust": "app.rs",
	"dart": "app.dart", "swift": "app.swift", "csharp": "App.cs", "php": "app.php", "ruby": "app.rb", "elixir": "app.ex", "scala": "App.scala",
	"clojure": "app.clj", "haskell": "App.hs", "cpp": "app.cpp", "c": "app.c", "r": "app.R", "julia": "app.jl", "shell": "app.sh", "lua": "app.lua",
}

func TestVersions(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources {
		seen[s.lang] = true
		dir := t.TempDir()
		put(t, dir, file[s.lang], "\n")
		put(t, dir, s.file, s.content)
		r := detect(t, dir, lang.Options{})
		l := r.Language(s.lang)
		if l == nil {
			t.Errorf("%s: the language is not in the list: %q", s.lang, ids(r))
			continue
		}
		if l.Version != s.want || l.VersionKind != s.kind {
			t.Errorf("%s: %s with %q states %q (%s), want %q (%s)", s.lang, s.file, s.content, l.Version, l.VersionKind, s.want, s.kind)
		} else if s.want != "" && !strings.HasPrefix(l.VersionSource, s.file) {
			t.Errorf("%s: version %s from %q, want %s", s.lang, l.Version, l.VersionSource, s.file)
		}
	}
	for id := range file {
		if !seen[id] {
			t.Errorf("no version source of %s is tested", id)
		}
	}
}

// TestSharedPins: the files of version managers pin every language that they know.
func TestSharedPins(t *testing.T) {
	for id, name := range file {
		l, _ := languages.Table.Find(id)
		for _, tool := range l.Tools {
			for at, content := range map[string]string{
				".tool-versions": "# all\n" + tool + " 9.8.7 9.8.6\n", "mise.toml": "[tools]\n" + tool + " = \"9.8.7\"\n",
				".mise.toml": "[tools]\n" + tool + " = ['9.8.7']\n", "mise/config.toml": "[tools]\n" + tool + " = { version = \"9.8.7\" }\n",
			} {
				dir := t.TempDir()
				put(t, dir, name, "\n")
				put(t, dir, at, content)
				v := detect(t, dir, lang.Options{}).Language(id)
				if v == nil || !strings.HasSuffix(v.Version, "9.8.7") || v.VersionKind != "pin" || !strings.HasPrefix(v.VersionSource, at) {
					t.Errorf("%s: %s with %q: %+v, want pin 9.8.7", id, at, content, v)
				}
			}
		}
	}
}

// TestSharedWords: words in the files of version managers count when they name a
// release line, and not when they mean whatever is there.
func TestSharedWords(t *testing.T) {
	for _, c := range []struct{ file, content, lang, want string }{
		{".tool-versions", "nodejs lts\n", "javascript", "lts"},
		{".tool-versions", "nodejs system\n", "javascript", ""},
		{".tool-versions", "nodejs latest\n", "javascript", ""},
		{".tool-versions", "nodejs path:/opt/node-22\n", "javascript", ""},
		{".tool-versions", "java temurin-21.0.2+13.0.LTS\n", "java", "temurin-21.0.2+13.0.LTS"},
		{".tool-versions", "elixir 1.17.3-otp-27\n", "elixir", "1.17.3-otp-27"},
		{"mise.toml", "[tools]\nrust = \"stable\"\n", "rust", "stable"},
		{"mise.toml", "[tools]\nnode = \"latest\"\n", "javascript", ""},
		{"mise.toml", "[tools]\nnode = \"sub-2:latest\"\n", "javascript", ""},
	} {
		dir := t.TempDir()
		put(t, dir, file[c.lang], "\n")
		put(t, dir, c.file, c.content)
		if l := detect(t, dir, lang.Options{}).Language(c.lang); l == nil || l.Version != c.want {
			t.Errorf("%s with %q: %+v, want version %q", c.file, c.content, l, c.want)
		}
	}
}

// TestPinBeatsFloor: of two statements the exact one is shown.
func TestPinBeatsFloor(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "app.py", "\n")
	put(t, dir, "pyproject.toml", "[project]\nrequires-python = \">=3.9\"\n")
	if l := detect(t, dir, lang.Options{}).Language("python"); l.Version != ">=3.9" {
		t.Errorf("version = %q, want >=3.9", l.Version)
	}
	put(t, dir, ".tool-versions", "python 3.12.1\n")
	if l := detect(t, dir, lang.Options{}).Language("python"); l.Version != "3.12.1" || l.VersionKind != "pin" {
		t.Errorf("version = %q (%s), want 3.12.1 (pin)", l.Version, l.VersionKind)
	}
	kit.Write(t, filepath.Join(dir, ".python-version"), "3.13\n")
	if l := detect(t, dir, lang.Options{}).Language("python"); l.Version != "3.13" {
		t.Errorf("version = %q, want 3.13: the language's own file before those shared by all", l.Version)
	}
}

// TestLockInOneLine: a lock file says the exact version in any layout; without an
// entry for the package itself the range of package.json is all that is known.
func TestLockInOneLine(t *testing.T) {
	for _, c := range []struct{ lock, want, kind string }{
		{"{\n  \"packages\": {\n    \"node_modules/typescript\": {\n      \"version\": \"5.4.5\"\n    }\n  }\n}\n", "5.4.5", "pin"},
		{`{"lockfileVersion":3,"packages":{"":{"devDependencies":{"typescript":"^5.4.0"}},"node_modules/typescript":{"version":"5.4.5","resolved":"x"}}}`, "5.4.5", "pin"},
		{`{"lockfileVersion":3,"packages":{"node_modules/typescript-eslint":{"version":"8.0.0"},"node_modules/typescript":{ "version": "5.4.5" }}}`, "5.4.5", "pin"},
		{`{"lockfileVersion":3,"packages":{"node_modules/typescript-eslint":{"version":"8.0.0"}}}`, "^5.4.0", "floor"},
	} {
		dir := t.TempDir()
		put(t, dir, "package.json", `{"devDependencies": {"typescript": "^5.4.0"}}`)
		put(t, dir, "package-lock.json", c.lock)
		put(t, dir, "a.ts", "let a: number = 1\n")
		if l := detect(t, dir, lang.Options{}).Language("typescript"); l == nil || l.Version != c.want || l.VersionKind != c.kind {
			t.Errorf("%s: %+v, want %s (%s)", c.lock, l, c.want, c.kind)
		}
	}
}

// TestCatalog: a package may leave its versions to the workspace, which names them once.
func TestCatalog(t *testing.T) {
	for _, c := range []struct{ entry, file, text, want string }{
		{"catalog:", "pnpm-workspace.yaml", "catalog:\n  typescript: ^5.5.0\n", "^5.5.0"},
		{"catalog:default", "pnpm-workspace.yaml", "catalogs:\n  default:\n    typescript: ^5.5.0\n", "^5.5.0"},
		{"catalog:next", "pnpm-workspace.yaml", "catalog:\n  typescript: ^5.0.0\ncatalogs:\n  next:\n    typescript: ^6.0.0\n", "^6.0.0"},
		{"catalog:next", ".yarnrc.yml", "catalogs:\n  next:\n    typescript: \"npm:^6.0.0\"\n", "^6.0.0"},
		{"catalog:gone", "pnpm-workspace.yaml", "catalogs:\n  next:\n    typescript: ^6.0.0\n", ""},
	} {
		dir := t.TempDir()
		put(t, dir, "package.json", `{"devDependencies": {"typescript": "`+c.entry+`"}}`)
		put(t, dir, c.file, c.text)
		put(t, dir, "a.ts", "let a: number = 1\n")
		got := ""
		if l := detect(t, dir, lang.Options{}).Language("typescript"); l != nil {
			got = l.Version
		}
		if got != c.want {
			t.Errorf("%s with %s: version %q, want %q", c.entry, c.file, got, c.want)
		}
	}
}
