package shell

import (
	"strings"
	"testing"
)

// TestReached: of a program of the project, what the line decides against is not followed, and what it leaves open is.
func TestReached(t *testing.T) {
	files := map[string]string{
		"in.py":      "import os, sys\nif \"--print\" in sys.argv:\n    print(1)\nelse:\n    os.remove('/x')\n",
		"not.py":     "import os, sys\nif '--to-file' not in sys.argv[1:]:\n    os.remove('/x')\n",
		"first.py":   "import os, sys\nif len(sys.argv) > 1 and sys.argv[1] == 'drop':\n    os.remove('/x')\n",
		"behind.py":  "import os, sys\nenv = sys.argv[sys.argv.index('--env') + 1] if '--env' in sys.argv else 'dev'\nif env == 'prod':\n    os.remove('/x')\n",
		"table.py":   "import os, sys\ndef lint():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef used():\n    os.remove('/y')\nif __name__ == '__main__':\n    c = sys.argv[1] if len(sys.argv) > 1 else 'lint'\n    {'lint': lint, 'drop': drop}[c]()\n",
		"tables.js":  "const fs = require('fs')\nfunction lint() { console.log(1) }\nfunction drop() { fs.rmSync('/x') }\nconst commands = {\n  'lint': lint,\n  'drop': drop,\n}\ncommands[process.argv[2]]()\n",
		"named.py":   "import os, sys\nP = A / 'drop'\ndef lint():\n    print(1)\ndef drop():\n    os.remove('/x')\n{'lint': lint, 'drop': drop}[sys.argv[1]]()\n",
		"got.py":     "import os, sys\ndef lint():\n    print(1)\ndef drop():\n    os.remove('/x')\nglobals()['drop']()\n{'lint': lint, 'drop': drop}[sys.argv[1]]()\n",
		"own.py":     "import os, sys\ndef show_a():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef all():\n    for n, f in sorted(globals().items()):\n        if n.startswith(('show_', 'list_')): f()\n{'all': all, 'drop': drop}[sys.argv[1]]()\n",
		"ownall.py":  "import os, sys\ndef show_a():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef all():\n    for n, f in sorted(globals().items()):\n        if n.startswith('d'): f()\n{'all': all, 'drop': drop}[sys.argv[1]]()\n",
		"ownopen.py": "import os, sys\ndef show_a():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef all():\n    for n, f in sorted(globals().items()):\n        if n.startswith(X): f()\n{'all': all, 'drop': drop}[sys.argv[1]]()\n",
		"ownelse.py": "import os, sys\ndef show_a():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef all():\n    for n, f in sorted(globals().items()):\n        if n.startswith('show_'): f()\n        else: f()\n{'all': all, 'drop': drop}[sys.argv[1]]()\n",
		"ownlast.py": "import os, sys\ndef show_a():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef all():\n    for n, f in sorted(globals().items()):\n        if n.startswith('show_'): f()\n    f()\n{'all': all, 'drop': drop}[sys.argv[1]]()\n",
		"ownor.py":   "import os, sys\ndef show_a():\n    print(1)\ndef drop():\n    os.remove('/x')\ndef all():\n    for n, f in sorted(globals().items()):\n        if n.startswith('show_') or X: f()\n{'all': all, 'drop': drop}[sys.argv[1]]()\n",
		"all.py":     "import os, sys\ndef lint():\n    print(1)\ndef drop():\n    os.remove('/x')\nT = {'lint': lint, 'drop': drop}\nfor f in T.values():\n    f()\nT[sys.argv[1]]()\n",
		"atexit.py":  "import atexit, os, sys\ndef lint():\n    print(1)\n\n@atexit.register\ndef drop():\n    os.remove('/x')\n{'lint': lint, 'drop': drop}[sys.argv[1]]()\n",
		"both.py":    "import os, sys\ndef lint():\n    drop()\ndef drop():\n    os.remove('/x')\n{'lint': lint, 'drop': drop}[sys.argv[1]]()\n",
		"kept.py":    "import os, sys\nargs = sys.argv[1:]\ndry = '--dry' in args\nif dry:\n    sys.exit(0)\nos.remove('/x')\n",
		"twice.py":   "import os, sys\ndry = '--dry' in sys.argv\ndry = False\nif dry:\n    sys.exit(0)\nos.remove('/x')\n",
		"loop.py":    "import os, sys\ndry = False\nfor a in sys.argv:\n    dry = dry or a == '--dry'\nif not dry:\n    os.remove('/x')\n",
		"param.py":   "import os, sys\ndef go(dry):\n    if not dry:\n        os.remove('/x')\ndry = '--dry' in sys.argv\ngo(False)\n",
		"parsed.py":  "import argparse, os\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument('-n', '--dry-run', action='store_true')\n    p.add_argument('--env', choices=['dev', 'prod'], default='dev')\n    a = p.parse_args()\n    if a.env == 'prod':\n        os.remove('/prod')\n    if a.dry_run:\n        return\n    os.remove('/x')\nmain()\n",
		"swapped.py": "import argparse, os\np = argparse.ArgumentParser()\np.add_argument('--dry-run', action='store_true')\na = p.parse_args()\na.dry_run = False\nif not a.dry_run:\n    os.remove('/x')\n",
		"helped.py":  "import argparse, os\ndef clean():\n    os.remove('/x')\ndef main():\n    p = argparse.ArgumentParser()\n    a = p.parse_args()\n    clean()\nif __name__ == '__main__':\n    main()\n",
		"early.py":   "import argparse, os\ndef clean():\n    os.remove('/x')\nclean()\np = argparse.ArgumentParser()\na = p.parse_args()\n",
		"env.py":     "import os\nif os.environ.get('DRY'):\n    print(1)\nelse:\n    os.remove('/x')\n",
		"prod.py":    "import os\nif os.environ.get('STAGE', 'dev') == 'prod':\n    os.remove('/x')\n",
		"set.py":     "import os\nos.environ['DRY'] = ''\nif os.environ.get('DRY'):\n    print(1)\nelse:\n    os.remove('/x')\n",
		"or.py":      "import os, sys\nif '--dry' in sys.argv and os.path.exists('a'):\n    print(1)\nelse:\n    os.remove('/x')\n",
		"in.js":      "const fs = require('fs')\nconst dry = process.argv.includes('--dry')\nif (dry) {\n  console.log(1)\n} else {\n  fs.rmSync('/x')\n}\n",
		"exit.js":    "const fs = require('fs')\nconst args = process.argv.slice(2)\nif (args.includes('--dry')) process.exit(0)\nfs.rmSync('/x')\n",
		"hoist.js":   "const fs = require('fs')\nwipe()\nif (process.argv.includes('--dry')) process.exit(0)\nfunction wipe() {\n  fs.rmSync('/x')\n}\n",
		"later.js":   "const fs = require('fs')\nlet dry\nif (fs.existsSync('a')) {\n  dry = process.argv.includes('--dry')\n}\nif (!dry) {\n  fs.rmSync('/x')\n}\n",
		"env.js":     "const fs = require('fs')\nif (process.env.DRY_RUN === '1') {\n  console.log(1)\n} else {\n  fs.rmSync('/x')\n}\n",
		"cmd.js":     "const { program } = require('commander')\nconst fs = require('fs')\nprogram.option('-d, --dry-run', 'only say it')\nprogram.parse()\nconst opts = program.opts()\nif (!opts.dryRun) {\n  fs.rmSync('/x')\n}\n",
		"node.js":    "import { parseArgs } from 'node:util'\nimport fs from 'node:fs'\nconst { values } = parseArgs({ options: { apply: { type: 'boolean' } } })\nif (values.apply) {\n  fs.rmSync('/x')\n}\n",
		"in.rb":      "if ARGV.include?('--dry')\n  puts 1\nelse\n  File.delete('/x')\nend\n",
		"in.php":     "<?php\nif (in_array('--dry', $argv)) {\n  echo 1;\n} else {\n  unlink('/x');\n}\n",
		"s/main.go":  "package main\n\nfunc main() {\n\tapply := flag.Bool(\"apply\", false, \"do it\")\n\tflag.Parse()\n\tif *apply {\n\t\tos.Remove(\"/x\")\n\t}\n}\n",
		"v/main.go":  "package main\n\nvar apply bool\n\nfunc main() {\n\tflag.BoolVar(&apply, \"apply\", false, \"do it\")\n\tflag.Parse()\n\tif !apply {\n\t\treturn\n\t}\n\tos.Remove(\"/x\")\n}\n",
		"a/main.go":  "package main\n\nfunc main() {\n\tif len(os.Args) > 1 && os.Args[1] == \"retire\" {\n\t\tos.Remove(\"/x\")\n\t}\n}\n",
		"c/main.go":  "package main\n\nfunc main() {\n\tswitch os.Args[1] {\n\tcase \"list\":\n\tcase \"drop\", \"wipe\":\n\t\tos.Remove(\"/x\")\n\tdefault:\n\t\tos.Remove(\"/y\")\n\t}\n}\n",
	}
	for _, test := range []struct {
		line string
		want int
	}{
		{"python3 in.py --print", 0},
		{"python3 in.py", 1},
		{"python3 in.py --prints", 1},
		{"python3 in.py $X", 1},
		{"python3 not.py --to-file f", 0},
		{"python3 not.py", 1},
		{"python3 own.py all", 0},
		{"python3 own.py drop", 1},
		{"python3 ownall.py all", 1},
		{"python3 ownopen.py all", 1},
		{"python3 ownelse.py all", 1},
		{"python3 ownlast.py all", 1},
		{"python3 ownor.py all", 1},
		{"python3 table.py", 1},
		{"python3 table.py lint", 1},
		{"python3 table.py drop", 2},
		{"python3 table.py $X", 2},
		{"node tables.js lint", 0},
		{"node tables.js drop", 1},
		{"node tables.js $X", 1},
		{"python3 both.py lint", 1},
		{"python3 all.py lint", 1},
		{"python3 atexit.py lint", 1},
		{"python3 named.py lint", 0},
		{"python3 named.py drop", 1},
		{"python3 got.py lint", 1},
		{"python3 behind.py", 0},
		{"python3 behind.py --env dev", 0},
		{"python3 behind.py --env prod", 1},
		{"python3 behind.py --env $X", 1},
		{"python3 behind.py $X --env dev", 1},
		{"python3 not.py $X", 1},
		{"python3 first.py", 0},
		{"python3 first.py status", 0},
		{"python3 first.py drop", 1},
		{"python3 first.py $X", 1},
		{"python3 kept.py --dry", 0},
		{"python3 kept.py", 1},
		{"python3 twice.py --dry", 1},
		{"python3 loop.py --dry", 1},
		{"python3 param.py --dry", 2},
		{"python3 parsed.py --dry-run", 0},
		{"python3 parsed.py -n", 0},
		{"python3 parsed.py", 1},
		{"python3 parsed.py --env prod --dry-run", 1},
		{"python3 parsed.py --env=prod -n", 1},
		{"python3 parsed.py --env dev", 1},
		{"python3 swapped.py --dry-run", 1},
		{"python3 helped.py --help", 0},
		{"python3 helped.py -h", 0},
		{"python3 helped.py", 1},
		{"python3 early.py --help", 1},
		{"DRY=1 python3 env.py", 0},
		{"python3 env.py", 1},
		{"DRY= python3 env.py", 1},
		{"export DRY=1; python3 env.py", 0},
		{"DRY=$X python3 env.py", 1},
		{"STAGE=dev python3 prod.py", 0},
		{"STAGE=prod python3 prod.py", 1},
		{"python3 prod.py", 1},
		{"DRY=1 python3 set.py", 1},
		{"python3 or.py --dry", 1},
		{"node in.js --dry", 0},
		{"node in.js", 1},
		{"node exit.js --dry", 0},
		{"node exit.js", 1},
		{"node hoist.js --dry", 1},
		{"node later.js --dry", 1},
		{"DRY_RUN=1 node env.js", 0},
		{"DRY_RUN=0 node env.js", 1},
		{"node cmd.js --dry-run", 0},
		{"node cmd.js -d", 0},
		{"node cmd.js", 1},
		{"node node.js", 0},
		{"node node.js --apply", 1},
		{"ruby in.rb --dry", 0},
		{"ruby in.rb", 1},
		{"php in.php --dry", 0},
		{"php in.php", 1},
		{"go run ./s", 0},
		{"go run ./s -apply", 1},
		{"go run ./s --apply", 1},
		{"go run ./s -apply=true", 1},
		{"go run ./s -apply=false", 0},

		{"go run ./s $X", 1},
		{"go run ./v", 0},
		{"go run ./v -apply", 1},
		{"go build -o bin/s ./s && ./bin/s -apply", 1},
		{"go build -o bin/s ./s && ./bin/s", 0},
		{"go run ./a list", 0},
		{"go run ./a retire", 1},
		{"go run ./c list", 0},
		{"go run ./c wipe", 1},
		{"go run ./c other", 1},
	} {
		if got := deletes(looked(t, test.line, files)); len(got) != test.want {
			t.Errorf("%s deletes %q, want %d", test.line, got, test.want)
		}
	}
}

// TestGoValues: what a program in Go sets to several names, loops over and sends.
func TestGoValues(t *testing.T) {
	files := map[string]string{
		"s/main.go": "package main\n\nfunc main() {\n\tapply := flag.Bool(\"apply\", false, \"do it\")\n\tdir := flag.String(\"dir\", \"../old\", \"where\")\n\tflag.Parse()\n\tfiles, _ := filepath.Glob(filepath.Join(*dir, \"*.csv\"))\n\tfor _, f := range files {\n\t\tif *apply {\n\t\t\tos.Remove(f)\n\t\t}\n\t}\n}\n",
		"h/main.go": "package main\n\nconst base = \"https://control.example.com/v1\"\n\nfunc main() {\n\tmethod, url := http.MethodGet, base\n\tif os.Args[1] == \"retire\" && len(os.Args) > 2 {\n\t\tmethod, url = http.MethodDelete, base+\"/\"+os.Args[2]\n\t}\n\treq, _ := http.NewRequest(method, url, nil)\n}\n",
	}
	for line, want := range map[string]string{
		"go run ./s":                 "",
		"go run ./s -apply":          "rm ../old/*.csv",
		"go run ./s -apply -dir tmp": "rm tmp/*.csv",
		"go run ./h list":            "",
		"go run ./h retire g1":       "curl -X DELETE https://control.example.com/v1/g1",
		"go run ./h retire":          "",
	} {
		got := ""
		for _, c := range looked(t, line, files).Commands {
			if c.Name == "rm" || c.Name == "curl" {
				var words []string
				for _, w := range c.Args {
					words = append(words, w.Text)
				}
				got += strings.Join(words, " ")
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
