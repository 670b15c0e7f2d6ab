package shell

import (
	"strings"
	"testing"
)

// Programs that end anywhere, or lack something, are read to their end without a fault: a fault is a question about what runs.
func TestCutProgramsCauseNoFault(t *testing.T) {
	programs := map[string]string{
		"python3 a.py --out x drop y": `import argparse, os, subprocess
from pathlib import Path
ENV, EX = Path(".env"), "x"
class Tool:
    def __init__(self, name):
        self.name = name
    def run(self, *args):
        subprocess.run([self.name, *args])
def drop(args):
    args.out.unlink()
    for n, c in {"a": ["rm", "x"]}.items():
        subprocess.run(c)
def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", type=Path)
    sub = p.add_subparsers(dest="cmd")
    s = sub.add_parser("drop")
    s.set_defaults(func=drop)
    args = p.parse_args()
    return args.func(args)
Tool("npm").run("publish", os.environ["X"] or f"{EX}/{ENV}")
main()
`,
		"node a.mjs --out x y": `import { rmSync, readdirSync } from "fs";
const args = process.argv.slice(2);
const at = args.indexOf("--out");
const target = at >= 0 ? args[at + 1] : "build";
const run = (c, ...a) => spawnSync(c, a);
for (const f of readdirSync("data").filter(x => x.endsWith(".db"))) rmSync(` + "`data/${f}`" + `);
if (args.includes("--dry")) process.exit(0);
const m = { a: 1 }; m["delete"]("x"); this["run"]("ls"); new fs["Stats"](1); a[` + "`b`" + `](1);
rmSync(target, { recursive: true }); run("npm", "publish");
`,
		"php a.php x": `<?php
function run($cmd, ...$more) { passthru($cmd); }
$table = ['a' => ['--force' => true]];
foreach (glob('data/*') as $f) { unlink("$f"); }
run('npm publish'); run($table['a']);
`,
		"ruby a.rb x": `def clean(dir, *more) FileUtils.rm_rf(dir) end
%w[a b].each { |d| clean "data/#{d}" }
case ARGV[0] when "x" then system("git", "push", "-f") end
`,
		"bash a.sh --dry x": `set -a; source .env; set +a
run() { if [[ $DRY == 1 ]]; then echo "$@"; else "$@"; fi; }
while [[ $# -gt 0 ]]; do case $1 in --dry) DRY=1; shift ;; *) T=${1:-x}; shift ;; esac; done
for ((i=0;i<3;i++)); do : > ckpt_$i.dat; done
mkdir -p {,b}/{,c,d}x a{b,}; X={,a} eval echo {a..c}{1..2..x} {,}; for d in {,x} {x,}; do echo ${d:-{,y}}; done
for f in data/*.db; do [ -e "$f" ] || continue; run rm -rf -- "${f%.db}"; done
`,
	}
	for line, text := range programs {
		name := strings.Fields(line)[1]
		for at := range text {
			for _, cut := range [...]string{text[:at], text[:at] + text[at+1:], text[:at] + "[\"x\"](" + text[at:], text[:at] + "{," + text[at:]} {
				for _, d := range looked(t, line, map[string]string{name: cut}).Incomplete {
					if d.Reason == Failed {
						t.Fatalf("%s: %s\n%s", line, d.Text, cut)
					}
				}
			}
		}
	}
}
