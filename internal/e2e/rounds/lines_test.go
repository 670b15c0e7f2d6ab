//go:build linux

package rounds

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// templates are lines that may destroy something. What is in braces is filled in:
// f a file, g another, u an untracked or changed one, d a folder, i an ignored file, n a name that is not there, b and c branches, r a
// commit, s an entry of the stash, m a submodule or nested repository, o another work tree.
var templates = strings.Split(strings.TrimSpace(`
git reset --hard
git reset -q --hard {r}
git reset --har
git reset --merge {r}
git reset --keep {r}
git reset
git reset -q {r}
git reset -- {f}
git reset {r} -- {f}
git reset -q --soft {r} && git reset -q --hard
git checkout .
git checkout -- {f}
git checkout {f} {g}
git checkout {r} -- {f}
git checkout {r} -- .
git checkout -q {b}
git checkout -q -f {b}
git checkout -q -f
git checkout -q -m {b}
git checkout -q -B {b}
git checkout -q -B {b} {r} -f
git checkout -q -f -B main {r}
git checkout -q --detach -f {r}
git checkout -q --orphan {n} && git rm -rqf .
git checkout --ours -- .
git checkout --theirs -- {f}
git checkout -m -- {f}
git checkout ':(top)'
git checkout ':!src'
git checkout ':(glob)**'
git switch -q {b}
git switch -q -f {b}
git switch -q --discard-changes {b}
git switch -q -C {b}
git switch -q -C {b} {r}
git switch -q -f -C {b} {r}
git switch -q --detach --discard-changes {r}
git restore .
git restore {f}
git restore -SW .
git restore --staged {f}
git restore --staged --worktree {f} {g}
git restore --source={r} .
git restore --source={r} -SW {f}
git restore --ours {f}
git restore ':!src'
git clean -fd
git clean -fdx
git clean -fdX
git clean -ffdx
git clean -f
git clean -f {d}
git clean -fdq -e keep
git clean -fd -- {u}
git clean -fdq -e {u}
git clean -fdq {d} -e keep
git stash push -q -u -- {u}
git stash -q -u; git stash pop -q
git stash -q -u && git checkout -q {b} && git stash pop -q
git rm -q -r --cached {d} && git clean -fdq {d}
cp -r {d} {n} && rm -rf {d}
for f in *.txt; do mv "$f" "$f.bak"; done
git sparse-checkout set --cone {d}
yes 1 | git clean -id
git stash
git stash -q -u
git stash -q -a
git stash push -q -- {f}
git stash push -q --staged
git stash push -q --keep-index
git stash pop -q
git stash pop -q --index {s}
git stash apply -q
git stash drop -q
git stash drop -q {s}
git stash clear
git stash branch {n} {s}
git stash -q -u && git stash drop -q
git stash -q && git checkout -q {b} && git stash drop -q
git rebase -q {b}
git rebase -q --autostash {b}
git rebase -q -i --exec true {r}
git rebase --abort
git rebase --skip
git rebase --quit
git rebase --continue
git merge -q {b}
git merge -q --no-ff -m x {b}
git merge -q -X theirs {b}
git merge -q -s ours {b}
git merge --abort
git merge --quit
git merge -q --squash {b}
git cherry-pick {r}
git cherry-pick {b}
git cherry-pick --abort
git cherry-pick --skip
git cherry-pick --quit
git revert --no-edit {r}
git revert --abort
git revert --skip
git am --abort
git am --skip
git am --quit
git bisect reset
git bisect start HEAD {r}
git bisect good
git pull -q --rebase . {b}
git pull -q . {b}
git fetch -q . +{b}:{c}
git fetch -q -u . +{r}:refs/heads/{c}
git branch -D {b}
git branch -q -f {b} {r}
git branch -M {b} {c}
git branch -m {b} {n}
git branch -rd origin/gone
git fetch -q --prune; git branch -D {b}
git branch -D {b}; git remote prune origin
git fetch -q --prune && git reset -q --hard {r}
git branch -D {b} {c}
git checkout -q {b} && git branch -D {c}
git tag -d v1
git tag -f v1 {r}
git update-ref -d refs/heads/{b}
git update-ref refs/heads/{b} {r}
git update-ref --no-deref HEAD {r}
git update-ref -d refs/stash
git symbolic-ref HEAD refs/heads/{b}
git symbolic-ref HEAD refs/heads/{b} && git reset -q --hard
git notes remove HEAD
git notes add -f -m other HEAD
git replace -d HEAD~1
git reflog expire --expire=now --all
git reflog expire --expire=all --all && git gc -q --prune=now
git reflog delete {s}
git gc -q --prune=now
git prune --expire=now
git commit -q --amend -m better
git commit -q --amend --no-edit -a
git commit -q -a -m x && git reset -q --hard HEAD~1
git rm -q -f {f}
git rm -q -rf {d}
git rm -q -rf .
git rm -q --cached {f}
git rm -q -r --cached .
git mv -f {f} {g}
git mv {f} {n}
git mv -f {f} {d}
git read-tree --reset -u {r}
git read-tree --empty
git read-tree -m -u HEAD {b}
git read-tree HEAD
git checkout-index -f -a
git checkout-index -f -- {f}
git update-index --force-remove {f}
git update-index --no-skip-worktree {f} && git checkout -- {f}
git apply -R --index
git diff HEAD | git apply -R
git diff | git apply -R
git diff HEAD > {n} && git reset -q --hard && rm {n}
git worktree remove --force {o}
git worktree prune
rm -rf {o}
git submodule deinit -f {m}
git submodule deinit -f --all
git submodule update --init --force
git submodule foreach 'git reset --hard'
git submodule foreach 'git clean -fdx'
git rm -q -rf {m}
rm -rf {m}
git -C {m} reset --hard
git -C {m} clean -fd
cd {m} && git checkout -q -f .
cd {m} && rm -rf -- *
git sparse-checkout set src
git sparse-checkout set --no-cone '/*' '!/{d}/'
git sparse-checkout reapply
git sparse-checkout disable
git diff --output={u}
git log -1 --output={f}
git show --output={u} HEAD
git archive -o {u} HEAD
git bundle create {u} --all
git show HEAD:a.txt > {f}
git config core.autocrlf input && git checkout -q -f .
git remote remove origin
git config --unset user.x; rm -f {f}
git ls-files -m | xargs git checkout --
git ls-files -o --exclude-standard | xargs rm -f
git ls-files -z -o --exclude-standard | xargs -0 rm -f
git status --porcelain | cut -c4- | xargs rm -f
git diff --name-only -z | xargs -0 git restore
git-reset --hard
"$(git --exec-path)/git-clean" -fd
rm {f}
rm -f {f} {g}
rm -f {u}
rm -rf {d}
rm -rf {d} {f}
rm -rf {d}/*
rm -rf -- *
rm -f *.txt
rm -rf ./*
rm -rf {i}
rm -f -- {u} {i}
rm -rf *
rm -r src/*
rm -rf src/{lib,util.go}
rm -f src/**/*.go
unlink {f}
unlink {u}
rmdir {d}
find . -name '*.txt' -delete
find {d} -type f -delete
find {d} -type f -exec rm -f {} +
find {d} -mindepth 1 -delete
find . -newer {f} -type f -not -path './.git/*' -delete
find . -empty -type d -not -path './.git/*' -delete
find {d} -type f -print0 | xargs -0 rm -f
find {d} -type f -exec sed -i s/line/row/ {} +
find {d} -name '*.go' -exec truncate -s 0 {} \;
ls *.txt | xargs rm -f
ls | xargs rm -rf
echo {f} | xargs rm -f
printf '%s\0' {f} {u} | xargs -0 rm
mv {f} {g}
mv -f {u} {g}
mv {f} {u} {d}
mv {d} {n}
mv {f} {n}
mv {n} {f}
mv -f {d}/* .
cp {f} {g}
cp -f {g} {u}
cp /dev/null {u}
cp -r {d}/. .
cp -rT {d} {n} && rm -rf {d}
install -m 644 {f} {u}
ln -sf {f} {u}
ln -f {f} {g}
> {f}
: > {u}
echo x > {f}
echo x >| {u}
echo x >> {f}
echo x 2> {u}
echo x &> {f}
cat {f} > {g}
cat {f} {u} > {n} && mv {n} {u}
sort {f} > {u}
sort -o {u} {f}
head -1 {f} > {n} && mv {n} {f}
echo x | tee {f}
echo x | tee {u} {g} > /dev/null
tee {u} < /dev/null
sed -i s/line/row/ {f}
sed -i -e 1,3d {u}
sed -i.bak 1d {f}
sed -n 'w {u}' {f}
perl -i -pe 's/a/b/' {f}
perl -pi -e 's/./x/g' {f} {u}
perl -e 'unlink "{f}"'
perl -MFile::Path -e 'File::Path::rmtree("{d}")'
python3 -c 'import os; os.remove("{u}")'
python3 -c 'import shutil; shutil.rmtree("{d}")'
python3 -c 'open("{f}", "w").write("x")'
python3 -c 'import os; os.truncate("{f}", 3)'
awk '{print > "{u}"}' {f}
awk 'BEGIN {print 1 > ("{u}" "")}'
awk -v out={u} 'BEGIN {print 1 > out}'
awk '{to = FILENAME; print "x" > to}' {f} {u}
echo x | sed 's/.*/rm -rf {d}/e'
echo {d} | sed 's/^/rm -rf /e'
echo 'rm -f {u}' | sed e
tar -cf /dev/null --index-file={u} -v {d}
patch -s -r {u} {g} < {f}
cmake -E rm -f {u}
awk -i inplace '{print $1}' {f}
truncate -s 0 {f}
truncate -s 3 {u}
dd if=/dev/null of={f} status=none
dd if=/dev/zero of={u} bs=1 count=4 conv=notrunc status=none
dd if={f} of={g} status=none
shred -u {u}
shred -n 1 {f}
tar -cf {n} --remove-files {d}
tar -cf {u} {f}
tar -cf {n} {f} && rm -f {f} && tar -xOf {n} {f} > {g}
gzip -f {f}
gzip -c {f} > {u}
patch -s -p1 < {f}
split -n 1 -a 1 {f} {u}
xxd {f} {u}
uniq {f} {u}
shuf -o {u} {f}
chmod 600 {f}
chmod -R 700 {d}
chmod +x {f} && rm -f {g}
touch {f}
mkdir -p {n} && mv {u} {n} && rm -rf {n}
for f in *.txt; do rm -f "$f"; done
for f in *; do [ -f "$f" ] && mv "$f" {n}; done
for f in {d}/*; do mv -f "$f" {u}; done
for f in *.txt; do git mv -f "$f" {n}; done
ls | while read -r f; do [ -f "$f" ] && mv "$f" {n}; done
ls *.txt | xargs -I@ mv @ {n}
find {d} -type f -exec mv {} {n} \;
ls | while read -r f; do rm -rf "$f"; done
for f in $(ls); do rm -rf "$f"; done
find {d} -mindepth 1 | while read -r f; do rm -rf "$f"; done
for f in {f} {u}; do : > "$f"; done
for d in */; do rm -rf "$d"; done
while read -r f; do rm -f "$f"; done < <(git ls-files -m)
x={d}; rm -rf "$x"
x={f}; echo y > "$x"
set -- {f} {u}; rm -f "$@"
(cd {d} && rm -rf ./*)
cd {d} && git checkout -q .
cd {d} && git clean -fdq
pushd {d} > /dev/null && rm -f * ; popd > /dev/null
bash -c 'rm -rf {d}'
sh -c "git reset -q --hard && git clean -fdq"
eval "rm -f {f}"
env -i PATH="$PATH" rm -f {u}
command rm -f {f}
\rm -f {u}
nohup rm -f {f} > /dev/null
xargs rm -f < {n}
git reset -q --hard && git clean -fdq
git checkout -q . && git clean -fdq
git stash -q && rm -rf {d}
git checkout -q {b} && rm -rf {d}
git switch -q -f {b} && git clean -fdq
git reset -q --hard HEAD~1 && rm -f {u}
rm -f {f}; git checkout -q -- .
mv {u} {n}; git reset -q --hard; mv {n} {g}
git add -A && git reset -q --hard
git add -A && git commit -q -m all && git reset -q --hard HEAD~1
git commit -q -m part; git reset -q --hard
git rm -q -r --cached . && git add -A && git reset -q --hard
make clean
rsync -a --delete {d}/ {n}/ && rm -rf {d}
rm -f .env
rm -f .gitignore && git clean -fdq
rm -rf build
rm -rf dist
rm -rf dist build node_modules
rm -rf dist/.*
rm -rf node_modules && mkdir node_modules
find . -name dist -prune -exec rm -rf {} +
find . -type d -name node_modules | xargs rm -rf
for d in dist build; do rm -rf "$d"; done
`), "\n")

var hole = regexp.MustCompile(`\{[a-z]\}`)

// awkward are names that a template cannot take as they are: in quotes, or after an option's equals sign.
var awkward = regexp.MustCompile(`[^\w./+,@-]`)

// A plan is what a round does: the line, and the folder of the session in which it is run.
type plan struct{ dir, line string }

// choose takes a template that can be filled in here, and puts the line into a setting such as a subshell.
func (w *world) choose(r *rand.Rand, likes string) plan {
	list := templates
	if likes != "" && r.IntN(2) == 0 {
		list = slices.DeleteFunc(slices.Clone(templates), func(t string) bool {
			return !slices.ContainsFunc(strings.Split(likes, "|"), func(begin string) bool { return strings.HasPrefix(t, begin) })
		})
	}
	roots := append([]string{w.project, w.project, w.project}, w.roots...)
	root := roots[r.IntN(len(roots))]
	_, folders := paths(root)
	dir := root
	if len(folders) > 0 && r.IntN(4) == 0 {
		dir = filepath.Join(root, folders[r.IntN(len(folders))])
	}
	for range 200 {
		t := list[r.IntN(len(list))]
		line, ok := w.fill(r, dir, t)
		if !ok {
			continue
		}
		at := dir
		switch r.IntN(14) {
		case 0:
			line = "(" + line + ")"
		case 1:
			line = "true && " + line
		case 2:
			line = "{ " + line + "; }"
		case 3:
			line = "if true; then " + line + "; fi"
		case 4:
			if !strings.Contains(line, "'") {
				line = "bash -c '" + line + "'"
			}
		case 5:
			if other, ok := w.fill(r, dir, templates[r.IntN(len(templates))]); ok {
				line += "; " + other
			}
		case 6: // from the folder above
			if rel, err := filepath.Rel(filepath.Dir(root), dir); err == nil {
				at, line = filepath.Dir(root), "cd "+quote(rel)+" && "+line
			}
		case 7:
			line += " > /dev/null 2>&1"
		case 8:
			line = "echo begin\n" + line + "\necho end"
		}
		return plan{at, line}
	}
	return plan{dir, "git reset --hard"}
}

// fill puts operands that fit into a template; not ok where there are none.
func (w *world) fill(r *rand.Rand, dir, t string) (line string, ok bool) {
	files, folders := paths(dir)
	if len(files) > 400 {
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		files = files[:400]
	}
	ok = true
	pick := func(list []string) string {
		if len(list) == 0 {
			ok = false
			return ""
		}
		return list[r.IntN(len(list))]
	}
	var unsaved, ignored []string
	need := func(c string) bool { return strings.Contains(t, "{"+c+"}") }
	if need("u") {
		unsaved = split(w.try(dir, "ls-files", "-z", "-m", "-o", "--exclude-standard").out)
		unsaved = slices.DeleteFunc(unsaved, func(p string) bool { return strings.HasSuffix(p, "/") || strings.HasPrefix(p, "..") })
		if len(unsaved) == 0 {
			unsaved = files
		}
	}
	if need("i") {
		ignored = split(w.try(dir, "ls-files", "-z", "-o", "-i", "--exclude-standard").out)
	}
	inQuotes := strings.ContainsAny(t, `'"=`) || strings.HasPrefix(t, "sed -n")
	var branches []string
	if need("b") || need("c") {
		for b := range strings.FieldsSeq(w.try(dir, "for-each-ref", "--format=%(refname:short)", "refs/heads", "--count=20").out) {
			if !strings.HasPrefix(b, "checkpoint/") {
				branches = append(branches, b)
			}
		}
	}
	line = hole.ReplaceAllStringFunc(t, func(h string) string {
		out := ""
		switch h[1] {
		case 'f', 'g':
			out = pick(files)
		case 'u':
			out = pick(unsaved)
		case 'i':
			out = pick(ignored)
		case 'd':
			out = pick(folders)
		case 'n':
			return fmt.Sprintf("made%d", r.IntN(9))
		case 'b', 'c':
			return quote(pick(branches))
		case 'r':
			return pick([]string{"HEAD", "HEAD~1", "HEAD~2", "old", "feature", "v1"})
		case 's':
			return "stash@{" + fmt.Sprint(r.IntN(2)) + "}"
		case 'm':
			var inner []string
			for _, f := range folders {
				if _, err := os.Lstat(filepath.Join(dir, f, ".git")); err == nil {
					inner = append(inner, f)
				}
			}
			out = pick(inner)
		case 'o':
			var others []string
			for _, o := range []string{"other", "third", "trees/inside"} {
				for _, from := range []string{w.work, w.project} {
					if rel, err := filepath.Rel(dir, filepath.Join(from, o)); err == nil {
						if _, err := os.Stat(filepath.Join(from, o)); err == nil {
							others = append(others, rel)
						}
					}
				}
			}
			out = pick(others)
		}
		if !utf8.ValidString(out) {
			ok = false // JSON cannot carry it: the hook would judge another name
		}
		if inQuotes {
			if awkward.MatchString(out) || strings.HasPrefix(out, "-") {
				ok = false
			}
			return out
		}
		return quote(out)
	})
	return line, ok
}

func split(z string) []string {
	return slices.DeleteFunc(strings.Split(z, "\x00"), func(s string) bool { return s == "" })
}

// quote makes a word of a name; one that looks like an option gets its folder.
func quote(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "./" + s
	}
	if !awkward.MatchString(s) && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
