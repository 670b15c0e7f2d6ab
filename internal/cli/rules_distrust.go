package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// newRulesDistrust is the way back from rules trust. It works for a file that has changed or gone, too: its approval
// would count again with its old bytes. It asks nothing, since nothing but an approval is lost.
func newRulesDistrust(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:               "distrust FILE",
		Short:             "Take the approval of a project's rule file back",
		ValidArgsFunction: e.completeApproved,
		Long: `Takes back what moai rules trust gave: the file's exceptions count no more, and
its rules only where they tighten. It can be a file that has changed since, or is
gone. An agent may take back what loosens the guard; where the file also tightens
it with what only an approved one may say, this wants a person at a terminal.`,
		Example: "  moai rules distrust .moai/rules/team.toml",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := args[0]
			if !filepath.IsAbs(file) {
				file = filepath.Join(e.dir, file)
			}
			p := e.places(e.projectRoot())
			hash, known := p.Trusted()[file]
			if !known {
				return hint(nof("%s is not approved", term.Name(file)), e.approvedHint(p))
			}
			n := 0
			if data, err := os.ReadFile(file); err == nil {
				var tightens bool
				n, tightens = e.approves(file, data)
				if err := e.person("take back what tightens the guard"); err != nil && tightens && !dry {
					return err
				}
			}
			word := "would take back the approval of"
			if !dry {
				if _, err := p.Distrust(file); err != nil {
					return err
				}
				word = "no longer approved:"
			}
			if e.json {
				return e.printJSON(struct {
					Exceptions int    `json:"exceptions"`
					File       string `json:"file"`
					Hash       string `json:"sha256"`
					Withdrawn  bool   `json:"withdrawn"`
				}{n, file, hash, !dry})
			}
			fmt.Fprintf(e.out, "%s %s\n", word, term.Name(file))
			if n > 0 {
				fmt.Fprintf(e.err, "moai: %s of it count no more\n", term.Count(n, "exception"))
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "say what would be taken back and change nothing")
	return c
}

// approves says what an approved file's approval is about: how many exceptions, and whether it may tighten something that a
// file without approval cannot.
func (e *env) approves(file string, data []byte) (exceptions int, tightens bool) {
	one, err := rule.DecodeRisks(file, data, rule.ByUser)
	if one == nil || err != nil {
		return 0, false
	}
	own, _ := rule.DecodeRisks(file, data, rule.ByProject)
	tightens = len(one.Programs)+len(one.Groups)+len(one.Files)+len(one.Modes) > 0 || one.Secrets != nil ||
		own == nil && len(one.Rules) > 0 || own != nil && len(own.Rules) < len(one.Rules)
	return len(one.Allows), tightens
}

// approvedHint names the approved files, or the verb that approves one.
func (e *env) approvedHint(p policy.Places) string {
	var list []string
	for file := range p.Trusted() {
		list = append(list, "moai rules distrust "+argv.Quote(e.fromHere(file)))
	}
	if len(list) == 0 {
		return "moai risk allow list"
	}
	slices.Sort(list)
	return strings.Join(list[:min(len(list), 3)], "; ")
}

// fromHere is a path as one would type it in the working directory.
func (e *env) fromHere(file string) string {
	if rel, err := filepath.Rel(e.dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}
