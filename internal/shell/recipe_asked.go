package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// asked is what the arguments of such a program ask for.
type asked struct {
	row   *rule.Recipes
	args  []Word
	words []Word // operands
	dir   []Word // folders that it goes to, one after another
	file  *Word
	none  bool   // it runs nothing here
	named []Word // tasks that options name
	packs bool   // it works in the packages of a workspace
	pack  []string
	any   bool   // options pick tasks in ways that nobody reads here
	apart bool   // a mark stands in front of the operands
	dry   bool   // it only says what it would run, but for what it runs to know that
	texts []Word // what is read in front of the file
	base  string // the folder of the file
	envs  []Word // files of variables
}

// beside is the context of a file that an option names: where it lies, or where another option says.
func (a *asked) beside(file string, c *ctx) *ctx {
	n := *c
	n.st = c.st.clone()
	if len(a.dir) == 0 {
		n.st.reach(lit(path.Dir(file), a.args[0].Span))
	}
	for _, dir := range a.dir {
		n.st.reach(dir)
	}
	return &n
}

// recipeBytes are those of a file that are read as recipes for one unit.
const recipeBytes = 4

// readAsked sorts the arguments of a program.
func readAsked(row *rule.Recipes, args []Word) *asked {
	a := &asked{row: row, args: args}
	list := words(args)
	r := argv.Reader{Args: list, At: 1, Takes: argv.List(row.Value).Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		value := list.value(it)
		switch {
		case it.Name == argv.Mark:
			a.apart = a.apart || len(a.words) == 0
		case it.Name == "":
			a.words = append(a.words, args[it.Arg])
		case argv.List(row.Reads).Has(it.Name):
			a.dry = true
		case argv.List(row.Apart).Has(it.Name), argv.List(row.Dry).Has(it.Name):
			a.none = true
		case argv.List(row.Spread).Has(it.Name):
			if a.packs = true; value != nil {
				a.pack = append(a.pack, value.Text)
			}
		case argv.List(row.Picks).Has(it.Name):
			a.any = true
		case value == nil:
		case argv.List(row.Dir).Has(it.Name):
			a.dir = append(a.dir, *value)
		case argv.List(row.File).Has(it.Name):
			a.file = value
		case argv.List(row.Envfile).Has(it.Name):
			a.envs = append(a.envs, *value)
		case argv.List(row.Text).Has(it.Name):
			a.texts = append(a.texts, *value)
		case argv.List(row.Named).Has(it.Name):
			a.named = append(a.named, *value)
		}
	}
	a.led()
	if len(a.words) == 0 && row.Alone != "" {
		a.words = []Word{lit(row.Alone, args[0].Span)}
	}
	a.none = a.none || row.Named != "" && !row.Bare && !row.All && len(a.named) == 0 ||
		len(a.words) > 0 && !a.apart && slices.Contains(row.Idle, a.words[0].Text)
	return a
}

// led passes over the words that lead to the packages of a workspace, or to what a row is about: yarn workspace NAME, docker compose.
func (a *asked) led() {
	row := a.row
	a.packs = a.packs || len(row.Packs) > 0 && row.Spread == "" && len(row.Leads) == 0
	for _, lead := range row.Leads {
		list := strings.Fields(lead)
		fits := len(a.words) >= len(list)
		for i := 0; fits && i < len(list); i++ {
			fits = list[i] == "*" || a.words[i].Is(list[i])
		}
		if !fits {
			continue
		}
		if i := slices.Index(list, "*"); i >= 0 {
			a.pack = append(a.pack, a.words[i].Text)
		}
		a.packs, a.words = len(row.Packs) > 0, a.words[len(list):]
		return
	}
	a.none = a.none || len(row.Leads) > 0 && !row.Bare
}

// split are the names that a word stands for: of project:task also its parts.
func (a *asked) split(name string) []string {
	if parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(a.row.Splits, r) }); len(parts) > 1 || len(parts) == 1 && parts[0] != name {
		return append(parts, name)
	}
	return []string{name}
}

// hand gives the last command of the task that is asked for what the line has behind its name: npm run clean -- src.
func (a *asked) hand(b *recipe.Book) {
	at := 0
	switch row := a.row; {
	case row.Hands == "" || len(a.words) == 0:
		return
	case slices.Contains(row.Runs, a.words[0].Text):
		at = 1
	}
	if at >= len(a.words) {
		return
	}
	name := a.words[at]
	given := a.words[at+1:]
	if a.row.Hands == "all" {
		given = a.args[slices.IndexFunc(a.args, func(w Word) bool { return w.Span == name.Span })+1:]
		if len(given) > 0 && given[0].Is("--") {
			given = given[1:]
		}
	}
	t := b.Task(name.Text)
	if t == nil || len(t.Steps) == 0 || len(given) == 0 || t.Steps[len(t.Steps)-1].Lang != "" {
		return
	}
	last := &t.Steps[len(t.Steps)-1]
	last.Parts = append(slices.Clone(last.Parts), handedOn(given)...)
}

// handedOn are words of the line behind a command line of a task, each with a blank in front of it.
func handedOn(given []Word) (parts []recipe.Part) {
	for i := range given {
		w := &given[i]
		parts = append(parts, recipe.Part{Text: " "})
		switch {
		case w.Kind != Literal:
			parts = append(parts, recipe.Part{Text: w.Text, Unknown: true})
		case w.Glob:
			parts = append(parts, recipe.Part{Text: w.Text})
		default:
			parts = append(parts, recipe.Part{Text: argv.Quote(w.Text)})
		}
	}
	return parts
}

// behind are the words of the line behind the mark that ends the names of tasks; no part where there are none.
func (a *asked) behind() []recipe.Part {
	at := slices.IndexFunc(a.args, func(w Word) bool { return w.Is(argv.Mark) })
	if at < 0 {
		return nil
	}
	return handedOn(a.args[at+1:])
}

// names are the tasks that a call runs.
func (a *asked) names(b *recipe.Book, first string) (names []string) {
	row := a.row
	add := func(name string) {
		for _, before := range row.Around {
			if row.Around[0] == before {
				names = append(names, before+name)
			}
		}
		names = append(names, name)
		if len(row.Around) > 1 {
			names = append(names, row.Around[1]+name)
		}
	}
	if row.All && (len(row.Runs) == 0 || len(a.words) > 0 && slices.Contains(row.Runs, a.words[0].Text)) {
		return a.picked(b)
	}
	if len(a.named) > 0 {
		for i := range a.named {
			for name := range strings.SplitSeq(a.named[i].Text, ",") {
				names = append(names, name)
			}
		}
		if len(row.Runs) == 0 {
			return names
		}
	}
	if len(a.words) == 0 {
		return append(names, first)
	}
	word := &a.words[0]
	for _, also := range row.Also {
		subs, runs, _ := strings.Cut(also, ": ")
		if argv.List(" " + subs).Exactly(word.Text) {
			for name := range strings.FieldsSeq(runs) {
				add(name)
			}
		}
	}
	rest := a.words[:1]
	switch {
	case slices.Contains(row.Runs, word.Text):
		if rest = a.words[1:min(2, len(a.words))]; len(rest) == 0 && first != "" {
			add(first)
		}
	case !row.Bare:
		return names
	case row.Many || row.Field == "" || row.Form == "yaml": // several at once
		rest = a.words
	}
	if row.Many && len(row.Runs) > 0 && slices.Contains(row.Runs, word.Text) {
		rest = a.words[1:]
	}
	for i := range rest {
		name, mine := rest[i].Text, len(row.Marks) == 0
		for _, mark := range row.Marks {
			if after, ok := strings.CutPrefix(name, mark); ok {
				name, mine = after, true
			}
		}
		switch {
		case !mine:
			continue
		case rest[i].Kind == Literal && row.Many && strings.ContainsAny(name, "*?"):
			for k := range b.Tasks {
				if match(name, b.Tasks[k].Name) {
					add(b.Tasks[k].Name)
				}
			}
			continue
		case rest[i].Kind == Literal:
			for _, one := range a.split(name) {
				add(one)
				for k := range b.Tasks {
					if row.Linked && one != b.Tasks[k].Name && recipe.Abbreviates(one, b.Tasks[k].Name) {
						add(b.Tasks[k].Name)
					}
				}
			}
			continue
		}
		for k := range b.Tasks { // whichever it may be
			names = append(names, b.Tasks[k].Name)
		}
	}
	return names
}
