package secret

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// word is the secret of all lines: a password of a person, without the form of a key.
const word = "hunter2Xq7"

// lines gives the texts of a file.
func lines(t *testing.T, name, between string) (list []string) {
	t.Helper()
	data := kit.Read(t, "testdata/"+name)
	for one := range strings.SplitSeq(strings.TrimSpace(data), between) {
		list = append(list, strings.TrimSpace(one))
	}
	return list
}

// TestSecretsOfAllKindsAreHidden masks what people and agents type with a secret in it, alone and among Korean words.
func TestSecretsOfAllKindsAreHidden(t *testing.T) {
	table := New(builtin(t))
	list := append(lines(t, "hidden.txt", "\n"), lines(t, "texts.txt", "\n---\n")...)
	if len(list) < 400 {
		t.Fatalf("%d lines", len(list))
	}
	for _, line := range list {
		text := strings.ReplaceAll(line, secretWord, word)
		if text == line {
			t.Errorf("no secret in %q", line)
		}
		for _, whole := range []string{text, "cd 한글/폴더 && " + text, "운영 서버에서 이것을 실행해 줘: " + text, text + "; rm -rf ~", "git reset --hard; " + text} {
			if masked := table.Mask(whole); strings.Contains(masked, word) {
				t.Errorf("kept: %s", masked)
				break
			}
		}
	}
}

// TestOrdinaryLinesStay masks what holds no secret.
func TestOrdinaryLinesStay(t *testing.T) {
	table := New(builtin(t))
	list := lines(t, "ordinary.txt", "\n")
	if len(list) < 200 {
		t.Fatalf("%d lines", len(list))
	}
	for _, line := range list {
		if masked := table.Mask(line); masked != line {
			t.Errorf("masked: %s\n    of: %s", masked, line)
		}
	}
}
