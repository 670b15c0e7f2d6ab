package rule

import (
	"strings"
	"testing"
)

// TestBadExceptions shows that an exception with a mistake in it lets nothing
// through: an end that cannot be read must not mean for ever.
func TestBadExceptions(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"rule = \"git.merge\"\nreason = \"x\"\nuntil = \"soon\"", `u.toml:1: git.merge: until is "soon", want a day such as 2027-01-31`},
		{"rule = \"git.merge\"\nreason = \"x\"\nuntil = \"2027-1-31\"", `u.toml:1: git.merge: until is "2027-1-31"`},
		{"rule = \"git.merge\"\nreason = \" \"", "u.toml:1: git.merge: an exception needs a reason"},
		{"reason = \"x\"", "u.toml:1: an exception needs a rule"},
	} {
		got, err := DecodeRisks("u.toml", []byte("[[allow]]\n"+row.text+"\n"), ByUser)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("DecodeRisks(%q) = %v, want %q", row.text, err, row.want)
		}
		if len(got.Allows) != 0 {
			t.Errorf("DecodeRisks(%q) kept the exception", row.text)
		}
	}
	got, err := DecodeRisks("u.toml", []byte("[[allow]]\nrule = \"git.merge\"\nreason = \"x\"\nuntil = \"2027-01-31\"\n"), ByUser)
	if err != nil || len(got.Allows) != 1 {
		t.Errorf("DecodeRisks of a good exception = %v, %v", got.Allows, err)
	}
}
