#!/bin/sh
# The first minute with moai, on a scratch repository, through the built binary
# alone: what the user and the agent see, and that work comes back. What the agent
# client would do is done here by hand: it calls "moai hook EVENT" with JSON on
# standard input. Nothing is left behind. Exit code 1 if a promise is not kept.
#
# usage: sh testdata/demo/demo.sh [path of moai]
set -eu

# Settings of whoever looks, or of a git that runs this, would make it another demo.
unset CDPATH
for name in $(env | sed -E -n 's/^((MOAI|GIT|CLAUDE)_[A-Za-z0-9_]*)=.*/\1/p'); do unset "$name"; done

moai=${1:-bin/moai}
case $moai in */*) ;; *) moai=$(command -v "$moai") ;; esac
moai=$(cd "$(dirname "$moai")" && pwd)/$(basename "$moai")
test -x "$moai" || { echo "demo: $moai is not there; make build" >&2; exit 1; }
command -v git > /dev/null || { echo "demo: git makes the scratch repository, and is missing" >&2; exit 1; }

scratch=$(mktemp -d "${TMPDIR:-/tmp}/moai-demo.XXXXXX")
scratch=$(cd "$scratch" && pwd) # TMPDIR may be relative, and this script goes elsewhere
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

# A home of its own, so that neither side sees the other.
HOME=$scratch/home XDG_STATE_HOME=$scratch/state XDG_CONFIG_HOME=$scratch/config
GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$scratch/gitconfig
GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.invalid
GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.invalid
CLAUDE_PROJECT_DIR=$scratch/shop
export HOME XDG_STATE_HOME XDG_CONFIG_HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL CLAUDE_PROJECT_DIR
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
mkdir -p "$HOME" "$CLAUDE_PROJECT_DIR"
cd "$CLAUDE_PROJECT_DIR"

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
step=0
heading() { step=$((step + 1)); printf '\n%s%d. %s%s\n\n' "$bold" "$step" "$1" "$plain"; }
show() { sed 's/^/    /'; }
say() { printf '%s\n' "$*"; }
broken() { printf '\nNOT AS PROMISED: %s\n' "$*" >&2; exit 1; }
# hook EVENT FIELDS: what the client does on an event. Answer in answer.json,
# stderr in reason.txt, exit code in $code.
hook() {
	code=0
	printf '{"hook_event_name":"%s","session_id":"demo","cwd":"%s",%s}\n' "$1" "$CLAUDE_PROJECT_DIR" "$2" |
		"$moai" hook > "$scratch/answer.json" 2> "$scratch/reason.txt" || code=$?
}
# text KEY: a text of the answer, as a person or the model reads it.
text() {
	sed -E -n 's/.*"'"$1"'":"(([^"\\]|\\.)*)".*/\1/p' "$scratch/answer.json" |
		awk '{ gsub(/\\"/, "\""); gsub(/\\n/, "\n"); print }'
}
# state: every file with its mode, its content and where links lead.
state() {
	find . \( -path ./.git -o -path ./.moai \) -prune -o \( -type f -o -type l \) -print | LC_ALL=C sort | while IFS= read -r f; do
		if [ -L "$f" ]; then ls -l "$f" | sed 's/.* \.\//link /'; else
			printf '%s %s\n' "$(ls -l "$f" | cut -c1-10)" "$(git hash-object --no-filters "$f") $f"
		fi
	done
}

"$moai" version

heading 'A project, and one command that registers moai with the agent'
printf 'module example.test/shop\n\ngo 1.24\n' > go.mod
printf 'package main\n\nfunc main() {}\n' > main.go
mkdir -p .moai/memory docs
printf '# Development guide\n\nTests first, then code.\n' > .moai/memory/development-guide.md
printf 'version one\n' > docs/plan.md
git init -q -b main .
git add .
git commit -q -m 'The shop'
"$moai" init --yes 2> "$scratch/init.txt"
say 'moai init'
grep -v hint "$scratch/init.txt" | sed "s|$scratch/||" | show
grep -q '"hook", "pre-tool"' .claude/settings.local.json || broken 'the hooks are not registered'

heading 'A session begins: the card for the user, facts for the model'
hook SessionStart '"source":"startup"'
text systemMessage | show
say; say "and the model reads:"
text additionalContext | show
text systemMessage | grep -q 'Language: Go ≥ 1.24' || broken 'the card does not name the language'
text additionalContext | grep -q 'branch: main' || broken 'the model does not learn the branch'

heading 'The user types /alfred:2-run AUTH-001: the right document comes along'
hook UserPromptSubmit '"prompt":"/alfred:2-run AUTH-001"'
text additionalContext | show
text additionalContext | grep -q 'development-guide.md' || broken 'the document is not handed over'

heading 'The agent wants to run ls -l: nothing to say'
hook PreToolUse '"tool_name":"Bash","tool_input":{"command":"ls -l"}'
show < "$scratch/answer.json"
test "$code $(cat "$scratch/answer.json")" = '0 {}' || broken 'a harmless command is commented on'

heading 'The agent wants to run rm -rf ~: it is stopped, and told what to do instead'
hook PreToolUse '"tool_name":"Bash","tool_input":{"command":"rm -rf ~"}'
show < "$scratch/reason.txt"
test "$code" = 2 || broken "rm -rf ~ is answered with exit code $code"
grep -q 'instead:' "$scratch/reason.txt" || broken 'no alternative is named'

heading 'The agent wants to throw work away: a snapshot first, then it really runs'
printf 'version two, a day of work\n' > docs/plan.md
printf '\000\001binary' > logo.bin
printf '#!/bin/sh\necho hello\n' > 'run me.sh'
chmod 755 'run me.sh'
ln -s docs/plan.md plan
rm main.go
state > "$scratch/before"
git status --short | grep -v claude | show
hook PreToolUse '"tool_name":"Bash","tool_input":{"command":"git reset --hard && git clean -fdq -e .claude -e .moai"}'
test "$code" = 0 || broken "the command is answered with exit code $code"
text systemMessage | show
say; say "\$ git reset --hard && git clean -fd"
{ git reset --hard && git clean -fdq -e .claude -e .moai; } | show
say "  … and the work is gone: docs/plan.md says \"$(cat docs/plan.md)\", $(ls | wc -l | tr -d ' ') names are left"
test "$(cat docs/plan.md)" = 'version one' && test ! -e logo.bin || broken 'the command was held up'

heading 'Bring it back'
"$moai" checkpoint list | show
say; say '$ moai checkpoint restore @1'
"$moai" checkpoint restore @1 --yes 2>&1 | show
state > "$scratch/after"
cmp -s "$scratch/before" "$scratch/after" || { diff "$scratch/before" "$scratch/after" | show; broken 'not everything came back'; }
say; say "every byte, mode and link is back: docs/plan.md says \"$(cat docs/plan.md)\""

heading 'Take moai out again'
# Only a person at a terminal may; where there is none, the file that moai made is taken away by hand.
if (: < /dev/tty) 2> /dev/null; then
	env -u CLAUDE_PROJECT_DIR "$moai" init --uninstall --yes 2>&1 > /dev/null | sed "s|$scratch/||" | show
else
	"$moai" init --uninstall --dry-run 2>&1 > /dev/null | sed "s|$scratch/||" | show
	rm -r .claude
fi
test ! -e .claude || broken 'something of moai is left in the project'

printf '\n%sThat is the main job.%s Next: moai init in a project of yours, then moai doctor; a recorded session live in a browser: moai serve --demo\n' "$bold" "$plain"
