package jit

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Lock files in JSON. What is no JSON pins nothing: half-written files are nobody's truth.

// pipfileLock reads both groups of Pipenv; versions stand as "==1.2.3".
func pipfileLock(data string, yield yield) {
	var doc struct {
		Default, Develop map[string]struct{ Version string }
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, group := range []map[string]struct{ Version string }{doc.Default, doc.Develop} {
		for name, p := range group {
			if !yield(name, strings.TrimLeft(p.Version, "=")) {
				return
			}
		}
	}
}

// packageLock reads npm's lock files: "packages" since version 7, "dependencies" before.
func packageLock(data string, yield yield) {
	var doc struct {
		Packages     map[string]struct{ Version string }
		Dependencies map[string]struct{ Version string }
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for path, p := range doc.Packages { // nested copies lie deeper: the one at the top is what code imports
		if name, ok := strings.CutPrefix(path, "node_modules/"); ok && !strings.Contains(name, "node_modules/") && !yield(name, p.Version) {
			return
		}
	}
	// A file of npm 7 or 8 has both, which say the same.
	for name, p := range doc.Dependencies {
		if !yield(name, p.Version) {
			return
		}
	}
}

// composerLock reads PHP's packages, those for development too: tests import them.
func composerLock(data string, yield yield) {
	type pkg struct{ Name, Version string }
	var doc struct {
		Packages []pkg
		Dev      []pkg `json:"packages-dev"`
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, p := range append(doc.Packages, doc.Dev...) {
		if !yield(p.Name, p.Version) {
			return
		}
	}
}

// swiftResolved reads Package.resolved: "pins" at the top since version 2 with "identity", before below "object" with "package".
func swiftResolved(data string, yield yield) {
	type pin struct {
		Identity, Package string
		State             struct{ Version string }
	}
	var doc struct {
		Pins   []pin
		Object struct{ Pins []pin }
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, p := range append(doc.Pins, doc.Object.Pins...) {
		// Only one of the two is set.
		if !yield(p.Identity+p.Package, p.State.Version) {
			return
		}
	}
}

// nugetLock reads the packages of every target framework. They rarely differ; where they do, the last framework by name counts,
// so that the answer is the same each time.
func nugetLock(data string, yield yield) {
	var doc struct {
		Dependencies map[string]map[string]struct{ Resolved string }
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, framework := range slices.Backward(slices.Sorted(maps.Keys(doc.Dependencies))) {
		for name, p := range doc.Dependencies[framework] {
			if !yield(name, p.Resolved) {
				return
			}
		}
	}
}

// renvLock reads the packages of R.
func renvLock(data string, yield yield) {
	var doc struct {
		Packages map[string]struct{ Version string }
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for name, p := range doc.Packages {
		if !yield(name, p.Version) {
			return
		}
	}
}

// conanLock reads the references of Conan 2, tools included.
func conanLock(data string, yield yield) {
	var doc struct {
		Requires []string
		Build    []string `json:"build_requires"`
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, ref := range append(doc.Requires, doc.Build...) {
		if !conanRef(ref, yield) {
			return
		}
	}
}

// conanRef reads "name/1.2.3@user/channel#revision".
func conanRef(ref string, yield yield) bool {
	name, v, ok := strings.Cut(ref, "/")
	v, _, _ = strings.Cut(v, "#")
	v, _, _ = strings.Cut(v, "@")
	return !ok || yield(name, v)
}

// vcpkg reads the overrides, the only exact versions of that manifest: "version>=" is a lower bound.
func vcpkg(data string, yield yield) {
	var doc struct {
		Overrides []struct{ Name, Version string }
	}
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, o := range doc.Overrides {
		if !yield(o.Name, o.Version) {
			return
		}
	}
}
