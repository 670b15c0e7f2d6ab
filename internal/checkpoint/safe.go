package checkpoint

import (
	"strings"
	"unicode"
)

// safePath says whether a path from a tree may be written below the work tree: no "..", nothing that some file system takes for
// .git (HFS+ ignores certain characters, NTFS trailing dots, blanks and stream names, both ignore case), nothing absolute.
func safePath(path string) bool {
	if path == "" || strings.ContainsAny(path, "\x00\\") && windowsNames(path) || strings.ContainsRune(path, 0) {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || dotGit(part) {
			return false
		}
	}
	return true
}

// ofClone is the list that one clone alone keeps of what it ignores: it starts no program, and no snapshot has it.
const ofClone = ".git/info/exclude"

// vaultable says whether the vault may hold a path, and a restore write it below the work tree.
func vaultable(path string) bool { return safePath(path) || path == ofClone }

// dotGit recognises .git in every disguise that git itself refuses (CVE-2014-9390, CVE-2019-1352 and -1353).
func dotGit(name string) bool {
	if i := strings.IndexAny(name, ":\\"); i >= 0 && dotGit(name[:i]) {
		return true
	}
	var b strings.Builder
	for _, c := range name {
		if !hfsIgnored(c) {
			b.WriteRune(unicode.ToLower(c))
		}
	}
	low := strings.TrimRight(b.String(), " .")
	return low == ".git" || low == "git~1"
}

// hfsIgnored are the code points that HFS+ leaves out when it compares names.
func hfsIgnored(c rune) bool {
	return c >= 0x200c && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x206a && c <= 0x206f || c == 0xfeff
}
