package lang

import "strings"

// named says that a value without a leading digit still states a version: a
// release line by its name ("lts/iron", "stable"), or an implementation with its
// version ("pypy3.10-7.3.15"). Any other word is none: "system", "latest" and
// "node" say whatever is there, and in .python-version stands, as often, the
// name that somebody gave a virtual environment ("shop-3.11").
func named(v string) bool {
	v = strings.ToLower(v)
	if line, ok := strings.CutPrefix(v, "lts/"); ok {
		return line == "*" || releaseLine(line)
	}
	switch v {
	case "lts", "stable", "beta", "nightly", "master", "luajit", "ruby-head", "ruby-dev", "jruby-head", "jruby-dev", "truffleruby-head", "truffleruby-dev", "mruby-dev",
		"sh", "bash", "dash", "ksh", "zsh", "busybox": // a shell's dialect is what it has for a version
		return true
	}
	letters := strings.IndexFunc(v, func(c rune) bool { return c < 'a' || c > 'z' })
	if letters <= 0 || !strings.ContainsAny(v[letters:], "0123456789") {
		return false
	}
	return implementation(v[:letters])
}

// releaseLine takes what nvm takes behind "lts/": the name of a line ("iron"),
// its number, or how many lines back ("-1").
func releaseLine(s string) bool {
	for _, c := range strings.TrimPrefix(s, "-") {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// implementation names what pyenv, rbenv, jenv, rustup and their like install
// under a name before the version.
func implementation(name string) bool {
	switch name {
	case "activepython", "anaconda", "cinder", "graalpy", "graalpython", "ironpython", "jython", "mambaforge", "micropython", "miniconda", "miniforge", "nogil", "pypy", "pyston", "stackless",
		"artichoke", "jruby", "mruby", "picoruby", "rbx", "ree", "ruby", "truffleruby",
		"adoptopenjdk", "corretto", "dragonwell", "graalvm", "jdk", "kona", "liberica", "mandrel", "microsoft", "openjdk", "oracle", "sapmachine", "semeru", "temurin", "zulu",
		"beta", "nightly", "stable", // of Rust, with a date
		"iojs", "luajit", "lua", "swift", "openresty", "otp", "ref", "release", "development", "main":
		return true
	}
	return false
}
