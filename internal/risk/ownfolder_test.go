package risk

import (
	"path"
	"testing"
)

// TestOwnFolder: a script that works out its own folder, or the repository's, is judged as if it named the files itself: what Git ignores is copied
// before it goes, and what a build makes again is not.
func TestOwnFolder(t *testing.T) {
	set := NewSet(builtin(t))
	const data, dist = "/home/dev/code/app/local-data", ""
	for _, test := range []struct{ line, file, text, takes string }{
		// Shells.
		{"bash scripts/a.sh", "scripts/a.sh", `D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"` + "\n" + `rm -rf "$D/../local-data"`, data},
		{"cd src && ../scripts/a.sh", "scripts/a.sh", `cd -- "$( dirname -- "${BASH_SOURCE}" )/.." &> /dev/null` + "\nrm -rf local-data", data},
		{"bash scripts/a.sh", "scripts/a.sh", `cd "$(dirname "$0")/.."` + "\nrm -rf local-data", data},
		{"bash scripts/a.sh", "scripts/a.sh", `cd src; rm -rf "$(dirname "$0")/../local-data"`, data},
		{"./scripts/a.sh", "scripts/a.sh", "rm -rf ${0%/*}/../local-data", data},
		{"bash scripts/a.sh", "scripts/a.sh", `H=$(dirname "$(readlink -f "$0")"); rm -rf "$(dirname "$H")/local-data"`, data},
		{"bash scripts/a.sh", "scripts/a.sh", `R=$(realpath -m "$(dirname "$0")/.."); rm -rf "$R"/local-data`, data},
		{"cd src; bash ../scripts/a.sh", "scripts/a.sh", `R=$(git rev-parse --show-toplevel); rm -rf "$R/local-data"`, data},
		{"bash scripts/a.sh", "scripts/a.sh", `R=$(git -C "$(dirname "$0")" rev-parse --show-toplevel 2>/dev/null || pwd); rm -rf "$R/local-data"`, data},
		{"zsh scripts/a.sh", "scripts/a.sh", "D=${0:A:h}; rm -rf $D/../local-data", data},
		{"bash scripts/a.sh", "scripts/a.sh", `D="$(cd "$(dirname "$0")/.." && pwd)/local-data"; trap 'rm -rf "$D"' EXIT; ls`, data},
		{"bash scripts/a.sh", "scripts/a.sh", `. "$(dirname "$0")/b.sh"; D="$(dirname "$0")"; rm -rf "$D/../local-data" "$D/../dist"`, data},
		{"bash scripts/a.sh", "scripts/a.sh", `D="$(cd "$(dirname "$0")/.." && pwd)"; T=$(mktemp -d); rm -rf "$D/dist" "$D/node_modules" "$T"`, dist},
		// Programs.
		{"python3 scripts/a.py", "scripts/a.py", "ROOT = Path(__file__).resolve().parent.parent\nshutil.rmtree(ROOT / 'local-data')", data},
		{"cd src; python3 ../scripts/a.py", "scripts/a.py", "ROOT = Path(__file__).resolve().parents[1]\nshutil.rmtree(ROOT / 'local-data')", data},
		{"python3 -m scripts.a", "scripts/a.py", "B = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))\nshutil.rmtree(os.path.join(B, 'local-data'))", data},
		{"python3 scripts/a.py", "scripts/a.py", "B = os.path.join(os.path.dirname(__file__), os.pardir)\nshutil.rmtree(f'{B}/local-data')", data},
		{"python3 scripts/a.py", "scripts/a.py", "from os.path import dirname, join, realpath\nshutil.rmtree(join(dirname(dirname(realpath(__file__))), 'local-data'))", data},
		{"python3 scripts/a.py", "scripts/a.py", "shutil.rmtree(Path(__file__).parent.with_name('local-data'))", data},
		{"python3 scripts/a.py", "scripts/a.py", "os.chdir(Path(__file__).parent.parent)\nshutil.rmtree('local-data')", data},
		{"python3 scripts/a.py", "scripts/a.py", "shutil.rmtree(os.path.join(os.getcwd(), 'local-data'))", data},
		{"python3 scripts/a.py", "scripts/a.py", "shutil.rmtree(Path.cwd() / 'local-data')", data},
		{"python3 scripts/a.py", "scripts/a.py", "R = subprocess.check_output(['git', 'rev-parse', '--show-toplevel'], text=True).strip()\nshutil.rmtree(R + '/local-data')", data},
		{"python3 scripts/a.py", "scripts/a.py", "ROOT = Path(__file__).resolve().parent.parent\nshutil.rmtree(ROOT / 'dist')", dist},
		{"node scripts/a.js", "scripts/a.js", "fs.rmSync(path.join(__dirname, '..', 'local-data'), {recursive: true})", data},
		{"node scripts/a.js", "scripts/a.js", "const root = path.dirname(__dirname); fs.rmSync(`${root}/local-data`, {recursive: true})", data},
		{"node scripts/a.js", "scripts/a.js", "fs.rmSync(path.resolve(path.dirname(__filename), '../local-data'), {recursive: true})", data},
		{"node scripts/a.mjs", "scripts/a.mjs", "const __dirname = path.dirname(fileURLToPath(import.meta.url));\nfs.rmSync(path.join(__dirname, '../local-data'), {recursive: true})", data},
		{"node scripts/a.mjs", "scripts/a.mjs", "await rm(new URL('../local-data', import.meta.url), {recursive: true})", data},
		{"node scripts/a.mjs", "scripts/a.mjs", "fs.rmSync(path.join(import.meta.dirname, '../local-data'), {recursive: true})", data},
		{"node scripts/a.js", "scripts/a.js", "fs.rmSync(path.join(process.cwd(), 'local-data'), {recursive: true})", data},
		{"node scripts/a.js", "scripts/a.js", "execSync(`rm -rf ${path.join(__dirname, '..', 'local-data')}`)", data},
		{"node scripts/a.js", "scripts/a.js", "fs.rmSync(path.join(__dirname, '..', 'dist'), {recursive: true})", dist},
		{"ruby scripts/a.rb", "scripts/a.rb", "FileUtils.rm_rf(File.join(__dir__, '..', 'local-data'))", data},
		{"ruby scripts/a.rb", "scripts/a.rb", "ROOT = File.expand_path('../..', __FILE__)\nFileUtils.rm_rf(\"#{ROOT}/local-data\")", data},
		{"ruby scripts/a.rb", "scripts/a.rb", "FileUtils.rm_rf(File.join(File.dirname(__FILE__), '../local-data'))", data},
		{"ruby scripts/a.rb", "scripts/a.rb", "FileUtils.rm_rf Pathname.new(__dir__).parent.join('local-data')", data},
		{"perl scripts/a.pl", "scripts/a.pl", "use FindBin qw($Bin);\nremove_tree(\"$Bin/../local-data\");", data},
		{"perl scripts/a.pl", "scripts/a.pl", "use FindBin;\nrmtree(\"$FindBin::Bin/../local-data\");", data},
		{"perl scripts/a.pl", "scripts/a.pl", "rmtree(dirname(__FILE__) . '/../local-data');", data},
		{"php scripts/a.php", "scripts/a.php", "<?php\nsystem('rm -rf ' . __DIR__ . '/../local-data');", data},
		{"php scripts/a.php", "scripts/a.php", "<?php\nsystem('rm -rf ' . dirname(__DIR__) . '/local-data');", data},
		{"python3 scripts/a.py", "scripts/a.py", "def clean(path):\n    shutil.rmtree(path)\n\nclean(os.path.join(os.path.dirname(__file__), '..', 'local-data'))", data},
		{"python3 scripts/a.py", "scripts/a.py", "def clean(path):\n    shutil.rmtree(path)\n\nclean(os.path.join(os.path.dirname(__file__), '..', 'dist'))", dist},
		{"python3 scripts/a.py", "scripts/a.py", "class C:\n    ROOT = Path(__file__).parent.parent\n    DATA = ROOT / 'local-data'\nshutil.rmtree(C.DATA)", data},
		{"python3 scripts/a.py", "scripts/a.py", "H = Path(__file__).parent\nfor n in ('local-data', 'dist'):\n    shutil.rmtree(H.parent / n)", data},
		{"python3 scripts/a.py", "scripts/a.py", "r = subprocess.run(['git', 'rev-parse', '--show-toplevel'], capture_output=True).stdout.strip()\nshutil.rmtree(f'{r}/local-data')", data},
		{"node scripts/a.js", "scripts/a.js", "function clean(dir) { fs.rmSync(dir, {recursive: true}); }\nclean(path.join(__dirname, '..', 'local-data'));", data},
		{"node scripts/a.js", "scripts/a.js", "['local-data', 'dist'].forEach((d) => { fs.rmSync(path.join(__dirname, '..', d), {recursive: true}) })", data},
		// Recipes.
		{"rake reset", "Rakefile", "ROOT = __dir__\ntask :reset do\n  rm_rf File.join(ROOT, 'local-data')\nend\n", data},
		{"make reset", "Makefile", "reset: $(addprefix clean-,local-data)\nclean-%:\n\trm -rf $(CURDIR)/$*", data},
		{"make clean", "Makefile", "ROOT := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\nclean:\n\trm -rf $(ROOT)local-data", data},
		{"make clean", "Makefile", "ROOT := $(realpath $(dir $(firstword $(MAKEFILE_LIST))))\nclean:\n\trm -rf $(ROOT)/local-data", data},
		{"make clean", "Makefile", "TOP := $(shell git rev-parse --show-toplevel)\nclean:\n\trm -rf $(TOP)/local-data", data},
		{"make clean", "Makefile", "D != cd \"$(CURDIR)\" && pwd\nclean:\n\trm -rf $(D)/local-data", data},
		{"make clean", "Makefile", "clean:\n\trm -rf $(wildcard local-data/*)", data + data + "/*"},
		{"make clean", "Makefile", "F := $(addprefix local-,data x)\nclean:\n\trm -rf $(filter-out x,$(F)) $(patsubst %,dist/%,a)", data},
		{"make clean", "Makefile", "clean:\n\trm -rf $(CURDIR)/dist $(wildcard dist/*)", dist},
		{"just clean", "justfile", "clean:\n  rm -rf {{justfile_directory()}}/local-data", data},
		{"just clean", "justfile", "root := `git rev-parse --show-toplevel`\nclean:\n  rm -rf {{root}}/local-data", data},
		{"just clean", "justfile", "d := justfile_directory() / \"local-data\"\nclean:\n  rm -rf {{d}}", data},
		{"just clean", "justfile", "clean:\n  rm -rf \"{{ justfile_directory() }}/dist\"", dist},
		{"npm run clean", "package.json", `{"scripts": {"clean": "rm -rf \"$INIT_CWD/local-data\" \"$PWD/dist\""}}`, ""},
		{"npm run clean", "package.json", `{"scripts": {"clean": "rm -rf \"$PWD/local-data\""}}`, data},
	} {
		v := judgedAs(set, test.line, test.file, test.text)
		got := ""
		for i := range v.Behind {
			got += path.Clean(v.Behind[i].Path + v.Behind[i].Pattern)
		}
		if got != test.takes || v.Action != Allow {
			t.Errorf("%s with %q: takes %q (%v %v), want %q", test.line, test.text, got, v.Action, v.IDs(), test.takes)
		}
	}
}

// TestListedBehind: names that a script has from a listing are copied where the listing tells them, or tells what Git ignores.
func TestListedBehind(t *testing.T) {
	set := NewSet(builtin(t))
	const data = "/home/dev/code/app/local-data"
	for _, test := range []struct {
		text, file string
		want       bool
	}{
		{"ls -d local* | xargs rm -rf", data + "/a", true},
		{"ls -d nothing* | xargs rm -rf", data + "/a", false},
		{"git ls-files -o -i --exclude-standard | xargs rm", data + "/a", true},
		{"git ls-files --others --ignored --exclude-standard -z | xargs -0 rm -f", data + "/a", true},
		{"git ls-files | xargs rm", data + "/a", false},
		{"ls -d local* | xargs ls -l", data + "/a", false},
		{"git ls-files -o -i --exclude-standard | xargs du", data + "/a", false},
	} {
		v := judgedAs(set, "bash x.sh", "x.sh", test.text)
		got := false
		for i := range v.Behind {
			got = got || v.Behind[i].Picks(test.file)
		}
		if got != test.want || v.Action != Allow {
			t.Errorf("%s: copies %s: %t (%v %v), want %t", test.text, test.file, got, v.Action, v.IDs(), test.want)
		}
	}
}

// TestPartlyTaken: a script that deletes only a part of what a listing gives has all of it copied: which part, only its run tells.
func TestPartlyTaken(t *testing.T) {
	set := NewSet(builtin(t))
	const data = "/home/dev/code/app/local-data"
	for _, test := range []struct {
		line, file, text string
		want             bool
	}{
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'))\nfor f in files:\n    f.unlink()", true},
		{"python3 x.py 2", "x.py", "n = int(sys.argv[1])\nfiles = sorted(Path('local-data').glob('e_*.pt'))\nfor f in files[:-n]:\n    f.unlink()", true},
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'))\nfor f in files[1:]:\n    f.unlink()", true},
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'), key=os.path.getmtime, reverse=True)\nfor f in files[2:]:\n    os.remove(f)", true},
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'), key=lambda p: p.stat().st_mtime)\nfor f in files[2:]:\n    os.remove(f)", true},
		{"python3 x.py", "x.py", "for f in sorted(Path('local-data').glob('e_*.pt'))[:-2]:\n    f.unlink()", true},
		{"python3 x.py", "x.py", "for f in sorted(glob.glob('local-data/e_*.pt'))[:-2]:\n    os.remove(f)", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nfor f in reversed(files):\n    f.unlink()", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nold = [f for f in files if f.stat().st_mtime < 1]\nfor f in old:\n    f.unlink()", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nold = files[:-2]\nfor f in old:\n    f.unlink()", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').iterdir())\nfor i, f in enumerate(files):\n    if i > 2:\n        f.unlink()", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nfiles.sort()\nfor f in files[:-1]:\n    f.unlink()", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nmax(files).unlink()", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nos.remove(max(files))", true},
		{"python3 x.py", "x.py", "files = list(Path('local-data').glob('e_*.pt'))\nfiles[0].unlink()", true},
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'))\nwhile len(files) > 2:\n    files.pop(0).unlink()", true},
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'))\nf = files.pop()\nos.remove(f)", true},
		{"python3 x.py", "x.py", "for f in filter(lambda p: p.is_file(), Path('local-data').glob('e_*.pt')):\n    f.unlink()", true},
		{"python3 x.py", "x.py", "for n in os.listdir('local-data')[2:]:\n    os.remove(os.path.join('local-data', n))", true},
		{"python3 x.py", "x.py", "names = sorted(os.listdir('local-data'))\nfor n in names[2:]:\n    os.remove(f'local-data/{n}')", true},
		{"python3 x.py", "x.py", "files = sorted(Path('local-data').glob('e_*.pt'))\nfor f in files[:-2]:\n    print(f)", false},
		{"python3 x.py", "x.py", "files = sorted(Path('dist').glob('e_*.pt'))\nfor f in files[:-2]:\n    f.unlink()", false},
		{"python3 x.py", "x.py", "sorted(Path('local-data').glob('e_*.pt'))[0].unlink()", true},
		{"python3 x.py", "x.py", "os.remove(max(glob.glob('local-data/*'), key=os.path.getctime))", true},
		{"python3 x.py", "x.py", "old = sorted([os.path.join('local-data', f) for f in os.listdir('local-data')])[:-3]\nfor f in old:\n    os.remove(f)", true},
		{"python3 x.py", "x.py", "DIRS = ['local-data', 'dist']\nfor d in DIRS[1:]:\n    print(d)", false},
		{"node x.js", "x.js", "const d = 'local-data';\nfs.readdirSync(d).forEach(f => fs.unlinkSync(path.join(d, f)))", true},
		{"node x.js", "x.js", "const d = 'local-data';\nfs.readdirSync(d).slice(0, -2).filter(f => f.endsWith('.pt')).forEach(f => fs.unlinkSync(path.join(d, f)))", true},
		{"node x.js", "x.js", "const d = 'local-data';\nconst files = fs.readdirSync(d).filter((f) => f.endsWith('.pt')).sort();\nfor (const f of files.slice(0, -2)) {\n  fs.unlinkSync(path.join(d, f));\n}", true},
		{"node x.js", "x.js", "const d = 'local-data';\nconst files = fs.readdirSync(d).filter((f) => f.endsWith('.pt')).sort().reverse();\nfiles.slice(2).forEach((f) => fs.rmSync(`${d}/${f}`));", true},
		{"node x.js", "x.js", "const d = 'local-data';\nconst files = fs.readdirSync(d);\nconst old = files.slice(0, 2);\nold.forEach((f) => fs.rmSync(`${d}/${f}`));", true},
		{"node x.js", "x.js", "const d = 'local-data';\nconst files = fs.readdirSync(d).map(f => path.join(d, f)).sort();\nfiles.slice(2).forEach((f) => fs.rmSync(f));", true},
		{"node x.js", "x.js", "const d = 'local-data';\nconst files = fs.readdirSync(d);\nwhile (files.length > 2) { fs.rmSync(path.join(d, files.shift())); }", true},
		{"ruby x.rb", "x.rb", "Dir['local-data/*'].sort[0..-2].each { |f| File.delete f }", true},
		{"ruby x.rb", "x.rb", "Dir['local-data/*'].each { |f| File.delete f }", true},
		{"ruby x.rb", "x.rb", "Dir.glob('local-data/*').sort_by { |f| File.mtime(f) }[0..-2].each { |f| File.delete(f) }", true},
		{"ruby x.rb", "x.rb", "files = Dir.glob('local-data/*').sort\nfiles[0...-2].each do |f|\n  File.delete(f)\nend", true},
		{"ruby x.rb", "x.rb", "files = Dir.glob('local-data/*').sort\nfiles.drop(2).each { |f| FileUtils.rm f }", true},
		{"ruby x.rb", "x.rb", "FileUtils.rm(Dir.glob('local-data/*').sort.drop(2))", true},
		{"php x.php", "x.php", "<?php\n$f = glob('local-data/*');\nforeach (array_slice($f, 2) as $x) { unlink($x); }", true},
		{"bash x.sh", "x.sh", "ls -t local-data/*.pt | tail -n +3 | xargs rm", true},
		{"bash x.sh", "x.sh", "ls -t local-data/*.pt | tail -n +3 | xargs -r rm -f --", true},
		{"bash x.sh", "x.sh", "ls -1t local-data/*.pt | sed -e '1,2d' | xargs -I{} rm {}", true},
		{"bash x.sh", "x.sh", "for f in $(ls -t local-data | tail -n +3); do rm local-data/$f; done", true},
		{"bash x.sh", "x.sh", "for f in $(ls -t local-data/*.pt | tail -n +3); do rm \"$f\"; done", true},
		{"bash x.sh", "x.sh", "cd local-data && ls -t | tail -n +3 | xargs rm", true},
		{"bash x.sh", "x.sh", "ls -t local-data | tail -n +3 | while read f; do rm local-data/$f; done", true},
		{"bash x.sh", "x.sh", "ls -t local-data/*.pt | awk 'NR>2' | xargs rm", true},
		{"bash x.sh", "x.sh", "find local-data -name '*.pt' | sort | head -n -2 | xargs rm", true},
		{"bash x.sh", "x.sh", "find local-data -name '*.pt' -printf '%T@ %p\\n' | sort -n | head -n -2 | cut -d' ' -f2- | xargs rm", true},
		{"bash x.sh", "x.sh", "F=(local-data/*.pt); rm \"${F[@]:2}\"", true},
		{"bash x.sh", "x.sh", "mapfile -t F < <(ls -t local-data/*.pt); rm -- \"${F[@]:2}\"", true},
		{"bash x.sh", "x.sh", "F=$(ls -t local-data/*.pt | tail -n +3); rm $F", true},
		{"bash x.sh", "x.sh", "ls -t local-data/*.pt | tail -n +3 | xargs ls -l", false},
		{"bash x.sh", "x.sh", "ls -t dist/*.pt | tail -n +3 | xargs rm", false},
	} {
		v := judgedAs(set, test.line, test.file, test.text)
		got := false
		for i := range v.Behind {
			got = got || v.Behind[i].Picks(data+"/e_1.pt")
		}
		if got != test.want || v.Action != Allow {
			t.Errorf("%q: copies: %t (%v %v), want %t", test.text, got, v.Action, v.IDs(), test.want)
		}
	}
}
