package jit

import "strings"

// lockFormats are the files in which the package managers of the supported languages pin versions, lock
// files before manifests, and how each is read. The readers take what they know and skip the rest: a lock
// file is written by a program, so its lines have one form.
var lockFormats = [...]struct {
	file string
	read func(data string, yield func(name, version string) bool)
}{
	{"pylock.toml", packageTables},
	{"uv.lock", packageTables},
	{"poetry.lock", packageTables},
	{"pdm.lock", packageTables},
	{"Pipfile.lock", pipfileLock},
	{"package-lock.json", packageLock},
	{"npm-shrinkwrap.json", packageLock},
	{"pnpm-lock.yaml", pnpmLock},
	{"yarn.lock", yarnLock},
	{"bun.lock", bunLock},
	{"Cargo.lock", packageTables},
	{"go.mod", goMod},
	{"Gemfile.lock", gemfileLock},
	{"composer.lock", composerLock},
	{"mix.lock", mixLock},
	{"pubspec.lock", pubspecLock},
	{"Package.resolved", swiftResolved},
	{"packages.lock.json", nugetLock},
	{"gradle.lockfile", gradleLock},
	{"renv.lock", renvLock},
	{"packrat/packrat.lock", packratLock},
	{"Manifest.toml", juliaManifest},
	{"stack.yaml.lock", stackLock},
	{"cabal.project.freeze", cabalFreeze},
	{"conan.lock", conanLock},
	{"vcpkg.json", vcpkg},
	{"luarocks.lock", luarocksLock},
	{"requirements.txt", requirements},
	{"package.json", packageJSON},
	{"bpkg.json", packageJSON},
	{"pom.xml", pom},
	{"gradle/libs.versions.toml", gradleCatalog},
	{"build.gradle.kts", gradleBuild},
	{"build.gradle", gradleBuild},
	{"build.sbt", sbt},
	{"deps.edn", depsEDN},
	{"project.clj", leiningen},
	{"Directory.Packages.props", csproj},
	{"*.csproj", csproj},
	{"*.rockspec", rockspec},
	{"conanfile.txt", conanfile},
}

// yield takes a library with its version; false stops the reading.
type yield = func(name, version string) bool

// inQuotes gives the first text in double quotes and what follows it.
func inQuotes(s string) (text, rest string) {
	_, s, ok := strings.Cut(s, `"`)
	if !ok {
		return "", ""
	}
	text, rest, ok = strings.Cut(s, `"`)
	if !ok {
		return "", ""
	}
	return text, rest
}

// packageTables reads TOML files with [[package]] tables of name and version (Cargo, Poetry, uv, PDM).
func packageTables(data string, yield yield) {
	name := ""
	for line := range strings.Lines(data) {
		switch {
		// A table of another kind ends what was said of a package.
		case strings.HasPrefix(line, "["):
			name = ""
		case strings.HasPrefix(line, "name = "):
			name, _ = inQuotes(line)
		case strings.HasPrefix(line, "version = ") && name != "":
			if v, _ := inQuotes(line); !yield(name, v) {
				return
			}
			name = ""
		}
	}
}

// pnpmLock reads the keys of the packages section, in the forms of pnpm 9 ("name@1.2.3:"), 8 ("/name@1.2.3:") and before
// ("/name/1.2.3:").
func pnpmLock(data string, yield yield) {
	// What stands above are ranges as the manifest has them.
	_, data, _ = strings.Cut(data, "\npackages:")
	for line := range strings.Lines(data) {
		if strings.TrimSpace(line) != "" && line[0] != ' ' {
			return
		}
		key, ok := strings.CutPrefix(line, "  ")
		if !ok || strings.HasPrefix(key, " ") {
			continue
		}
		key = strings.TrimPrefix(strings.Trim(strings.TrimSuffix(strings.TrimSpace(key), ":"), "'\""), "/")
		// Behind it stand the peers that this copy was resolved with.
		key, _, _ = strings.Cut(key, "(")
		i := strings.LastIndexByte(key, '@')
		// Up to pnpm 7 the version is a folder, and the peers follow an underscore: /react-dom/17.0.2_react@17.0.1.
		if k := strings.LastIndexByte(key, '/'); i <= 0 || k > 0 && numbered(key[k+1:]) {
			i = k
			if u := strings.IndexByte(key[i+1:], '_'); i > 0 && u > 0 {
				key = key[:i+1+u]
			}
		}
		if i > 0 && !yield(key[:i], key[i+1:]) {
			return
		}
	}
}

// numbered reports what starts with digits and a dot, as versions do and names hardly ever.
func numbered(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	return len(rest) < len(s) && strings.HasPrefix(rest, ".")
}

// yarnLock reads both generations: a line of "name@range:" and below it the version.
func yarnLock(data string, yield yield) {
	// The head may list several ranges of one name; the first is enough.
	name := ""
	for line := range strings.Lines(data) {
		t := strings.TrimSpace(line)
		switch {
		case t == "" || t[0] == '#':
		case line[0] != ' ':
			first, _, _ := strings.Cut(strings.Trim(strings.TrimSuffix(t, ":"), "\""), ",")
			name = ""
			if i := strings.LastIndexByte(strings.TrimRight(first, "\" "), '@'); i > 0 {
				name = strings.Trim(first[:i], "\"")
				if k := strings.Index(name, "@npm:"); k > 0 {
					name = name[:k]
				}
			}
		case strings.HasPrefix(t, "version") && name != "":
			v := strings.Trim(strings.TrimLeft(strings.TrimPrefix(t, "version"), ": "), "\"")
			if !yield(name, v) {
				return
			}
			name = ""
		}
	}
}

// bunLock reads lines such as `"react": ["react@18.2.0", "", …]`.
func bunLock(data string, yield yield) {
	_, data, _ = strings.Cut(data, `"packages":`)
	for line := range strings.Lines(data) {
		_, rest := inQuotes(line)
		if !strings.HasPrefix(strings.TrimLeft(rest, ": "), "[") {
			continue
		}
		pkg, _ := inQuotes(rest)
		if i := strings.LastIndexByte(pkg, '@'); i > 0 && !yield(pkg[:i], pkg[i+1:]) {
			return
		}
	}
}

// goMod reads require lines, alone and in blocks. What replace lines say is where code comes from, not which version is asked for.
func goMod(data string, yield yield) {
	block := ""
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(line, "//")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == ")":
			block = ""
		case len(f) == 2 && f[1] == "(":
			block = f[0]
		case block == "require" && len(f) >= 2:
			if !yield(f[0], f[1]) {
				return
			}
		case f[0] == "require" && len(f) >= 3:
			if !yield(f[1], f[2]) {
				return
			}
		}
	}
}

// gemfileLock reads the specs: four blanks, name, version in parentheses.
func gemfileLock(data string, yield yield) {
	for line := range strings.Lines(data) {
		// Deeper ones are what those need, as ranges.
		spec, ok := strings.CutPrefix(line, "    ")
		if !ok || strings.HasPrefix(spec, " ") {
			continue
		}
		name, v, ok := strings.Cut(strings.TrimSpace(spec), " (")
		if ok && !yield(name, strings.TrimSuffix(v, ")")) {
			return
		}
	}
}

// mixLock reads lines such as `"plug": {:hex, :plug, "1.15.2", …`.
func mixLock(data string, yield yield) {
	for line := range strings.Lines(data) {
		if !strings.Contains(line, "{:hex,") {
			continue
		}
		name, rest := inQuotes(line)
		if v, _ := inQuotes(rest); !yield(name, v) {
			return
		}
	}
}

// pubspecLock reads the packages of Dart: names two blanks deep, their version four.
func pubspecLock(data string, yield yield) {
	name := ""
	for line := range strings.Lines(data) {
		t := strings.TrimSpace(line)
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case indent == 2 && strings.HasSuffix(t, ":"):
			name = strings.TrimSuffix(t, ":")
		case indent == 4 && strings.HasPrefix(t, "version:") && name != "":
			if v, _ := inQuotes(t); !yield(name, v) {
				return
			}
		}
	}
}

// coordinate reads "group:artifact:version"; the library answers to both of its names, since groups are left
// out in speech: "which version of guava".
func coordinate(s string, yield yield) bool {
	parts := strings.Split(s, ":")
	if len(parts) < 3 {
		return true
	}
	v, _, _ := strings.Cut(parts[2], "@")
	return yield(parts[0]+":"+parts[1], v) && yield(parts[1], v)
}

// gradleLock reads "group:artifact:version=configurations".
func gradleLock(data string, yield yield) {
	for line := range strings.Lines(data) {
		c, _, ok := strings.Cut(line, "=")
		if ok && line[0] != '#' && !coordinate(c, yield) {
			return
		}
	}
}

// gradleBuild reads the coordinates in quotes.
func gradleBuild(data string, yield yield) {
	for line := range strings.Lines(data) {
		// A version in a variable is not followed: builds are programs.
		if line, _, _ = strings.Cut(line, "//"); strings.Contains(line, "$") {
			continue
		}
		line = strings.ReplaceAll(line, "'", `"`)
		for rest := line; ; {
			var c string
			if c, rest = inQuotes(rest); c == "" {
				break
			}
			if strings.Count(c, ":") >= 2 && !strings.ContainsAny(c, " /") && !coordinate(c, yield) {
				return
			}
		}
	}
}

// packratLock reads "Package: name" and the "Version: 1.2.3" below it.
func packratLock(data string, yield yield) {
	name := ""
	for line := range strings.Lines(data) {
		key, v, _ := strings.Cut(line, ":")
		switch v = strings.TrimSpace(v); {
		case key == "Package":
			name = v
		case key == "Version" && name != "":
			if !yield(name, v) {
				return
			}
			name = ""
		}
	}
}

// juliaManifest reads [[deps.Name]] (or [[Name]]) tables with their version.
func juliaManifest(data string, yield yield) {
	name := ""
	for line := range strings.Lines(data) {
		if rest, ok := strings.CutPrefix(line, "[["); ok {
			name, _, _ = strings.Cut(strings.TrimPrefix(rest, "deps."), "]]")
		} else if strings.HasPrefix(line, "version = ") && name != "" {
			if v, _ := inQuotes(line); !yield(name, v) {
				return
			}
		}
	}
}

// stackLock reads "hackage: name-1.2.3@sha256:…" below the locked packages.
func stackLock(data string, yield yield) {
	for line := range strings.Lines(data) {
		_, pkg, ok := strings.Cut(line, "hackage: ")
		if !ok {
			continue
		}
		pkg, _, _ = strings.Cut(strings.TrimSpace(pkg), "@")
		if i := strings.LastIndexByte(pkg, '-'); i > 0 && !yield(pkg[:i], pkg[i+1:]) {
			return
		}
	}
}

// cabalFreeze reads "any.name ==1.2.3".
func cabalFreeze(data string, yield yield) {
	for line := range strings.Lines(data) {
		name, v, ok := strings.Cut(strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "constraints:"), " ,\r"), " ==")
		if ok && !yield(strings.TrimPrefix(name, "any."), strings.TrimSpace(v)) {
			return
		}
	}
}

// conanfile reads the references of two sections; options and generators have the same look.
func conanfile(data string, yield yield) {
	in := false
	for line := range strings.Lines(data) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "[") {
			in = t == "[requires]" || t == "[tool_requires]"
		} else if in && !conanRef(t, yield) {
			return
		}
	}
}

// luarocksLock reads `["name"] = "1.2-1"` and `name = "1.2-1"`.
func luarocksLock(data string, yield yield) {
	for line := range strings.Lines(data) {
		key, v, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		name := strings.Trim(strings.TrimSpace(key), `[]"`)
		if v, _ = inQuotes(v); !yield(name, v) {
			return
		}
	}
}

// rockspec reads dependencies pinned with ==.
func rockspec(data string, yield yield) {
	for line := range strings.Lines(data) {
		for rest := line; ; {
			var dep string
			if dep, rest = inQuotes(rest); dep == "" {
				break
			}
			if name, v, ok := strings.Cut(dep, "=="); ok && !yield(strings.TrimSpace(name), strings.TrimSpace(v)) {
				return
			}
		}
	}
}
