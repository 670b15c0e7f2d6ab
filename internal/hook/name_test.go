package hook

import "testing"

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"Bash": "Bash", "Bash ": "Bash", "\tBash\n": "Bash", "\u200bBa\u200dsh\ufeff": "Bash", "Ｂａｓｈ": "Bash", "Bash\u00a0": "Bash",
		"B\u0301ash": "B\u0301ash", "Bash\x00": "Bash", "mcp__이름__도구": "mcp__이름__도구", "mcp__\u110b\u1175__x": "mcp__이__x",
		"mcp__a b__c": "mcp__a b__c", "": "", "PreToolUse ": "PreToolUse",
	} {
		if name == "B\u0301ash" {
			want = "Bash" // the accent stands alone: there is no letter for both
		}
		if got := PlainName(name); got != want {
			t.Errorf("PlainName(%q) = %q, want %q", name, got, want)
		}
	}
}
