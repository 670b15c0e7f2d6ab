package lang

import (
	"bytes"
	"strings"
)

// yarnLocked is the version of a package that yarn.lock chose for the range in
// package.json. Packages of others ask for it with ranges of theirs, so an entry of
// that name alone says nothing: a lock file often has several.
func yarnLocked(lock []byte, name string, manifest []byte) string {
	for _, group := range [...]string{"devDependencies.", "dependencies."} {
		wanted := jsonField(manifest, group+name)
		if wanted == "" {
			continue
		}
		for _, entry := range [...]string{name + "@" + wanted, name + "@npm:" + wanted} {
			if v := yarnEntry(lock, entry); v != "" {
				return v
			}
		}
	}
	return ""
}

// yarnEntry is the version below a head such as "a@^1, a@^1.2:", which stands in
// quotes where a part of it needs them.
func yarnEntry(lock []byte, entry string) string {
	for at := 0; ; at++ {
		i := bytes.Index(lock[at:], []byte(entry))
		if i < 0 {
			return ""
		}
		at += i
		end := at + len(entry)
		if at > 0 && strings.IndexByte("\n\" ,", lock[at-1]) < 0 || end == len(lock) || strings.IndexByte("\",:", lock[end]) < 0 {
			continue
		}
		// Only heads begin a line; what a package depends on is indented.
		if start := bytes.LastIndexByte(lock[:at], '\n') + 1; lock[start] == ' ' {
			continue
		}
		if v := lineField(lock[end:], "", `version "{}"`); v != "" {
			return v
		}
		return lineField(lock[end:], "", "version: {}")
	}
}
