package risk

import (
	"slices"
	"testing"
)

// TestNamedFirst: what a rule knows by the program's name is asked about once, by that rule; what none knows, by its verb.
func TestNamedFirst(t *testing.T) {
	set := NewSet(builtin(t))
	for line, want := range map[string][]string{
		"aws ec2 terminate-instances --instance-ids i-1": {"cloud.aws-delete"},
		"fly apps destroy shop":                          {"cloud.platform-delete"},
		"heroku apps:destroy shop":                       {"cloud.platform-delete"},
		"pscale branch delete shop main":                 {"cloud.platform-delete"},
		"tazuna destroy --yes":                           {"shell.unknown-destroys"},
		"fly apps destroy shop; tazuna destroy --yes":    {"cloud.platform-delete", "shell.unknown-destroys"},
	} {
		in := Example(line)
		v := set.Check(&in)
		got := v.IDs()
		slices.Sort(got)
		if !slices.Equal(got, want) || v.Action != Ask {
			t.Errorf("%s: %s %v, want ask %v", line, v.Action, got, want)
		}
	}
}
