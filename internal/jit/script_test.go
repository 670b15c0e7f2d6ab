package jit

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

// Words are found in either form of a text: what file systems of macOS take apart is put together again, and all else stays.
func TestCompose(t *testing.T) {
	for _, s := range []string{"테스트를 실행해", "울트라워크", "각각 값", "テストを実行", "がぎぐげござじずぜぞだぢづでどばぱびぴぶぷべぺぼぽ", "ガギグゲゴザジズゼゾダヂヅデドバパビピブプベペボポ", "test", ""} {
		for _, form := range []string{s, norm.NFD.String(s)} {
			if got := compose(form); got != s {
				t.Errorf("compose(%q) = %q, want %q", form, got, s)
			}
		}
	}
	// Marks that fit nothing stay where they are.
	for _, s := range []string{"あ\u3099", "ん\u309a", "\u3099", "\u1100", "\u1100\u1100\u1161", "가\u3099"} {
		want := s
		if s == "\u1100\u1100\u1161" {
			want = "\u1100가"
		}
		if got := compose(s); got != want {
			t.Errorf("compose(%q) = %q, want %q", s, got, want)
		}
	}
}

// A manifest that is damaged has no libraries; nothing is guessed of half a file.
func TestLibrariesOfDamagedFiles(t *testing.T) {
	for _, name := range []string{"Pipfile.lock", "package-lock.json", "package.json", "composer.lock", "Package.resolved", "packages.lock.json", "renv.lock", "conan.lock", "vcpkg.json"} {
		for _, text := range []string{`{"dependencies": {"a": `, "[]", "\xff", ""} {
			root := project(t, map[string]string{name: text})
			if got := PinnedLibraries(pinFiles(t), root); len(got) > 0 {
				t.Errorf("PinnedLibraries of %s with %q = %v, want none", name, text, got)
			}
		}
	}
}
