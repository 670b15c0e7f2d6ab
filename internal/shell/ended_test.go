package shell

import (
	"testing"
)

// TestFates: what the end of a line says of "go" in it, where the line ends well and where it fails.
func TestFates(t *testing.T) {
	const (
		well, ill = "well", "ill"
		unknown   = "unknown"
		never     = "never"
		perhaps   = "ill if it ran"
		likely    = "ill, likely"
		suspect   = "suspect"
	)
	for line, want := range map[string][2]string{
		"go test":                                      {well, ill},
		"! go test":                                    {ill, well},
		"false && go test":                             {never, never},
		"true && go test":                              {well, ill},
		"true || go test":                              {never, never},
		"false || go test":                             {well, ill},
		"make x && go test":                            {well, perhaps},
		"cd x && go test":                              {well, likely},
		"cd x && mkdir -p y && go test":                {well, likely},
		"cd x && make && go test":                      {well, perhaps},
		"[[ -f x ]] && go test":                        {well, perhaps},
		"go test && git push":                          {well, suspect},
		"go test && echo fine":                         {well, ill},
		"go test && false":                             {well, unknown},
		"go test || true":                              {unknown, ill},
		"go test || exit 1":                            {well, ill},
		"go test || exit 1; echo fine":                 {well, suspect},
		"go test || echo failed":                       {unknown, ill},
		"go test || (echo failed; exit 1)":             {well, ill},
		"go test; echo done":                           {unknown, unknown},
		"go test; exit $?":                             {well, ill},
		"go test >log 2>&1; s=$?; tail log; exit $s":   {well, ill},
		"go test >log 2>&1; s=$?; tail log; exit ${s}": {well, ill},
		"ls; go test":                                  {well, ill},
		"go test\necho done":                           {unknown, unknown},
		"echo start\ngo test":                          {well, ill},
		"go test | tee log":                            {unknown, unknown},
		"go test 2>&1 | tail -5":                       {unknown, unknown},
		"set -o pipefail; go test | tee log":           {well, ill},
		"set -euo pipefail\ngo test | tee l":           {well, ill},
		"set -o pipefail; go test | grep x":            {well, suspect},
		"set -e; go test; echo done":                   {well, suspect},
		"set -e; cd x; go test":                        {well, likely},
		"set +e; go test; echo done":                   {unknown, unknown},
		"echo a | go test":                             {well, ill},
		"(go test)":                                    {well, ill},
		"(cd x && go test)":                            {well, likely},
		"(go test; true)":                              {unknown, unknown},
		"{ go test; }":                                 {well, ill},
		"(set -e; go test; ls); ls":                    {unknown, unknown},
		"go test &":                                    {unknown, unknown},
		"time go test":                                 {well, ill},
		"timeout 60 go test":                           {well, ill},
		"timeout 60 go test && make":                   {well, suspect},
		"FOO=1 go test":                                {well, ill},
		"bash -c 'go test'":                            {well, ill},
		"bash -lc 'cd x && go test'":                   {well, likely},
		"bash -c 'go test | tail'":                     {unknown, unknown},
		"bash -eo pipefail -c 'go test | tee l'":       {well, ill},
		"bash -c \"go test || true\"":                  {unknown, ill},
		"eval 'go test'":                               {well, ill},
		"out=$(go test)":                               {well, ill},
		"out=$(go test); echo \"$out\"":                {unknown, unknown},
		"echo $(go test)":                              {unknown, unknown},
		"if go test; then ls; fi":                      {unknown, unknown},
		"for i in 1 2; do go test; done":               {unknown, unknown},
		"find . -name x -exec go test {} \\;":          {unknown, unknown},
		"xargs go test <list":                          {unknown, unknown},
		"go test (":                                    {unknown, unknown},
	} {
		res := parse(line, Options{Dir: "/work", Home: "/home/u", Tables: tables})
		for i, failed := range [...]bool{false, true} {
			got := ""
			for at, fate := range Fates(line, failed, res.Commands, tables) {
				if res.Commands[at].Name == "go" {
					got = said(fate)
				}
			}
			if got != want[i] {
				t.Errorf("%q, failed %t: %q, want %q", line, failed, got, want[i])
			}
		}
	}
}

func said(f Fate) string {
	switch {
	case f.Never:
		return "never"
	case f.End == Well && f.Ran == Surely:
		return "well"
	case f.End == Suspect:
		return "suspect"
	case f.End == Ill && f.Ran == Surely:
		return "ill"
	case f.End == Ill && f.Ran == Likely:
		return "ill, likely"
	case f.End == Ill:
		return "ill if it ran"
	}
	return "unknown"
}
