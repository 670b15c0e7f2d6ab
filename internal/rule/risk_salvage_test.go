package rule

import (
	"strings"
	"testing"
)

// TestSalvage: what is left of a rule with a mistake asks about what it was about, and never about everything.
func TestSalvage(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"typing error", "[[rule]]\nid = \"a.b\"\nprogram = \"x\"\naction = \"deny\"\nwyh = \"w\"\n", "a.b ask x"},
		{"no action", "[[rule]]\nid = \"a.b\"\nprogram = \"x\"\nwhy = \"w\"\n", "a.b ask x"},
		{"snapshot", "[[rule]]\nid = \"a.b\"\nprogram = \"x\"\naction = \"checkpoint\"\noperation = \"x\"\nwyh = 1\n", "a.b checkpoint x"},
		{"no id", "[[rule]]\nprogram = \"x\"\naction = \"deny\"\nwhy = \"w\"\n", "rules.with-mistake ask x"},
		{"both sides", "[[rule]]\nid = \"a.b\"\n<<<<<<< a\nprogram = \"x\"\n=======\nprogram = \"y\"\n>>>>>>> b\naction = \"deny\"\n", "a.b ask x y"},
		{"cut off", "[[rule]]\nid = \"a.b\"\nprogram = \"x\"\nargs = { subcommand = \"prod\", \n", "a.b ask x"},
		{"no program", "[[rule]]\nid = \"a.b\"\nprogam = \"x\"\naction = \"deny\"\n", ""},
		{"half an effect", "[[rule]]\nid = \"a.b\"\nargs = { effect = \"delete\", pth = \"home\" }\naction = \"deny\"\n", ""},
		{"exception", "[[allow]]\nrule = \"*\"\nreason = \"x\"\n[[rule]]\nwyh = 1\n", ""},
		{"program", "[[program]]\nname = \"rm\"\n[[rule]]\nwyh = 1\n", ""},
		{"much", strings.Repeat("[[rule]]\nwyh = 1\n", 5000), ""},
	} {
		got, err := DecodeRisks("team.toml", []byte(c.text), ByUser)
		if Costly(err, Loss) == nil {
			t.Errorf("%s: no mistake is told of", c.name)
		}
		var text string
		for i := range got.Rules {
			r := &got.Rules[i]
			text = strings.TrimSpace(text + " " + r.ID + " " + r.Action.String() + " " + strings.Join(r.Programs.List(), " "))
		}
		if text != c.want || len(got.Allows)+len(got.Programs) > 0 {
			t.Errorf("%s: %q with %d exceptions and %d programs, want %q alone", c.name, text, len(got.Allows), len(got.Programs), c.want)
		}
	}
}
