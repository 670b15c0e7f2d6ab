package risk

import (
	"strings"
	"testing"
)

// TestDefaultsAreJudged: where nothing gives a script a value, the one counts that the script itself falls back to.
func TestDefaultsAreJudged(t *testing.T) {
	set := NewSet(builtin(t))
	for _, test := range []struct {
		line, file, text string
		want             Action
	}{
		{"python3 x.py", "x.py", "import os, shutil\nshutil.rmtree(os.environ.get('D', '/srv/data'))\n", Ask},
		{"python3 x.py", "x.py", "import os, shutil\nd = os.getenv('D') or '/srv/data'\nshutil.rmtree(d)\n", Ask},
		{"python3 x.py", "x.py", "import os, shutil\nd = os.path.join(os.getenv('D', '/srv'), 'data')\nshutil.rmtree(d)\n", Ask},
		{"python3 x.py", "x.py", "import argparse, shutil\np = argparse.ArgumentParser()\np.add_argument('--dir', default='/srv/data')\nargs = p.parse_args()\nshutil.rmtree(args.dir)\n", Ask},
		{"python3 x.py", "x.py", "import click, shutil\n@click.command()\n@click.option('--dir', default='/srv/data')\ndef main(dir):\n    shutil.rmtree(dir)\nmain()\n", Ask},
		{"node x.js", "x.js", "const fs = require('fs')\nconst d = process.env.D || '/srv/data'\nfs.rmSync(d, {recursive: true})\n", Ask},
		{"node x.js", "x.js", "const fs = require('fs')\nfs.rmSync(process.env.D ?? '/srv/data', {recursive: true})\n", Ask},
		{"ruby x.rb", "x.rb", "require 'fileutils'\nd = ENV.fetch('D', '/srv/data')\nFileUtils.rm_rf d\n", Ask},
		{"ruby x.rb", "x.rb", "require 'fileutils'\nd = ENV['D'] || '/srv/data'\nFileUtils.rm_rf(d)\n", Ask},
		{"perl x.pl", "x.pl", "use File::Path;\nmy $d = $ENV{D} // '/srv/data';\nrmtree($d);\n", Ask},
		{"perl x.pl", "x.pl", "use File::Path;\nmy $d = $ENV{'D'} || '/srv/data';\nrmtree($d);\n", Ask},
		{"php x.php", "x.php", "<?php\n$d = getenv('D') ?: '/srv/data';\nsystem(\"rm -rf $d\");\n", Ask},
		{"go run x.go", "x.go", "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc main() {\n\tdir := flag.String(\"dir\", \"/srv/data\", \"\")\n\tflag.Parse()\n\tos.RemoveAll(*dir)\n}\n", Ask},
		// Given, the value counts that is given; and what is set in the script.
		{"D=build python3 x.py", "x.py", "import os, shutil\nshutil.rmtree(os.environ.get('D', '/srv/data'))\n", Allow},
		{"D=build node x.js", "x.js", "const fs = require('fs')\nfs.rmSync(process.env.D || '/srv/data', {recursive: true})\n", Allow},
		{"python3 x.py --dir build", "x.py", "import argparse, shutil\np = argparse.ArgumentParser()\np.add_argument('--dir', default='/srv/data')\nargs = p.parse_args()\nshutil.rmtree(args.dir)\n", Allow},
		{"python3 x.py --dir /srv/data", "x.py", "import argparse, shutil\np = argparse.ArgumentParser()\np.add_argument('--dir', default='build')\nargs = p.parse_args()\nshutil.rmtree(args.dir)\n", Ask},
		{"python3 x.py", "x.py", "import os, shutil\nos.environ['D'] = 'build'\nshutil.rmtree(os.environ.get('D', '/srv/data'))\n", Allow},
		{"python3 x.py", "x.py", "import os, shutil\nshutil.rmtree(os.environ.get('D', 'build'))\nshutil.rmtree(os.environ.get('D') or find('/srv/data'))\n", Allow},
		{"go run x.go -dir build", "x.go", "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc main() {\n\tdir := flag.String(\"dir\", \"/srv/data\", \"\")\n\tflag.Parse()\n\tos.RemoveAll(*dir)\n}\n", Allow},
		{"sh x.sh", "x.sh", "while getopts d: o; do\n  case $o in d) D=$OPTARG;; esac\ndone\nrm -rf \"${D:-$HOME/data}\"\n", Ask},
		{"sh x.sh", "x.sh", "D=$HOME/data\nwhile getopts d: o; do\n  case $o in\n  d) D=$OPTARG ;;\n  esac\ndone\nrm -rf \"$D\"\n", Ask},
		{"sh x.sh", "x.sh", "D=$HOME/data\nwhile [ $# -gt 0 ]; do\n  case $1 in\n  --dir) D=$2; shift 2 ;;\n  *) shift ;;\n  esac\ndone\nrm -rf \"$D\"\n", Ask},
		{"sh x.sh -d build", "x.sh", "while getopts d: o; do\n  case $o in d) D=$OPTARG;; esac\ndone\nrm -rf \"${D:-$HOME/data}\"\n", Allow},
	} {
		v := judgedAs(set, test.line, test.file, test.text)
		if v.Action != test.want {
			t.Errorf("%s with %q: %v %s, want %v", test.line, strings.ReplaceAll(test.text, "\n", "; "), v.Action, v.Reason(), test.want)
		}
	}
}
