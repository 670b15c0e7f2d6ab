package rule

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// Secrets is what rules/secrets says: how secrets look, and behind what they stand.
type Secrets struct {
	Formats  []Token
	Known    []string // words of documented example keys, in lower case
	Hosts    []string // ends of hosts for examples and private use, in lower case
	Names    SecretNames
	Files    SecretFiles
	Programs []SecretProgram

	// Examples are for tests alone: they are in no table of the engine.
	Examples []SecretExample
}

// Token is a kind of secret that can be recognised in text.
type Token struct {
	ID       string
	Word     string   // looked for first; nothing else is done without it; "": each of the prefixes
	Prefixes []string // what a key starts with; empty: an assignment to a name with Word
	Chars    string   // characters of the rest: "base62", "hex", "base64", "url"; "login": user:password@host, of which the password counts
	Min, Max int      // length of the rest; no Max: it is never found, only masked
	Entropy  float64  // bits per character that the rest must have at least
	Mask     int      // masked from this length of the rest on, found or not; 0: only what is found
	Back     int      // so many characters of it stand before the prefix
	Inside   bool     // the prefix may stand in the middle of a word
	Dots     string   // lengths of its parts, which dots divide: "24-28.6.27-40"
	Near     []string // one of these stands on the same line before it
	What     string
}

// SecretNames are names behind which a secret stands, whatever it looks like; in lower case.
type SecretNames struct {
	Parts   []string // anywhere in the name of a variable, an option or a field
	Ends    []string // at its end
	Headers []string // names of headers, whose whole value is one
	Schemes []string // words before the secret in a header
	Not     []string // parts of names that mean something else
	NotEnds []string
	Plain   []string // values that are none
	Places  []string // beginnings of values that say where it is
	Prints  []string // programs that print their words
	Weak    []string // last parts of names, behind which only what looks like a secret is one
	Said    []string // words of people for it, in any language
	Links   []string // what may stand between such a word and the secret
	Sets    []string // words of commands that set the name behind them to the word after it
	Quotes  []string // words of statements in which the name stands before its value in quotes
	Calls   []string // calls whose strings from the second on are secrets
	Puts    []string // calls whose strings from the second on are, if they look like one
	Logins  []string // words of people before a user's name and a password
	About   []string // words between the word for a secret and what it is of
	Blocks  []string // words behind which all values of a block are
	Keyed   []string // schemes of addresses whose last part is one
	Numbers []string // last parts of names whose secret may be a number
	Values  []string // keys behind which the value of a pair stands
}

// SecretFiles are names of files that are kept back whatever they hold; in lower case.
type SecretFiles struct {
	Parts   []string // anywhere in the name
	Words   []string // one of its words
	Begins  []string // what it begins with
	Folders []string // a folder above
	Ends    []string // its last part, behind the dot
	Sources []string // last parts of program text, of which no word counts
	Public  []string // last parts and words of what is made to be public
	Copies  []string // what a copy has more
}

// SecretProgram says where a program takes a secret among its arguments.
type SecretProgram struct {
	Names    []string
	Attached []string // the rest of a word that begins so
	Next     []string // the word behind
	User     []string // options with user:password; "" is an operand user/password
	After    []string // every operand behind these words
	Operand  int      // of this number; -1 the last; 0 none
	When     []string // Operand and Next count with one of these words or options alone
	Input    []string // with these options it reads one from its input; "" is always
	Values   []string // options whose value is no operand
	Pair     []string // options with NAME=secret
	Pairs    []string // every operand NAME=secret behind these words
	Tail     []string // operands that end so
	Slash    bool     // what begins with a slash is an option
	Random   bool     // every operand that looks random
	Named    bool     // Input, and parts of operands that look like one, where an operand is a file with the name of a secret
}

// SecretExample is a text and whether the format or name of that id has something to hide in it. In the text of a program or a
// name HIDDEN is what has to go; in that of a format {20} and {hex:20} are made-up characters.
type SecretExample struct {
	ID, Text string
	Format   bool
	Name     bool // Text is the name of a file
	Hit      bool
	File     string
	Line     int
}

type rawSecrets struct {
	Secret  []rawKey        `toml:"secret"`
	Known   []string        `toml:"known_examples"`
	Hosts   []string        `toml:"example_hosts"`
	Program []rawSecretUser `toml:"program"`

	Parts   []string `toml:"parts"`
	Ends    []string `toml:"ends"`
	Headers []string `toml:"headers"`
	Schemes []string `toml:"schemes"`
	Not     []string `toml:"not"`
	NotEnds []string `toml:"not_ends"`
	Plain   []string `toml:"plain"`
	Places  []string `toml:"places"`
	Prints  []string `toml:"prints"`
	Weak    []string `toml:"weak"`
	Said    []string `toml:"said"`
	Links   []string `toml:"links"`
	Sets    []string `toml:"sets"`
	Quotes  []string `toml:"quotes"`
	Calls   []string `toml:"calls"`
	Puts    []string `toml:"puts"`
	Logins  []string `toml:"logins"`
	About   []string `toml:"about"`
	Blocks  []string `toml:"blocks"`
	Keyed   []string `toml:"keyed"`
	Numbers []string `toml:"numbers"`
	Values  []string `toml:"values"`
	Hits    []string `toml:"hits"`
	Misses  []string `toml:"misses"`

	Files rawSecretFiles `toml:"files"`
}

type rawSecretFiles struct {
	Parts   []string `toml:"parts"`
	Words   []string `toml:"words"`
	Begins  []string `toml:"begins"`
	Folders []string `toml:"folders"`
	Ends    []string `toml:"ends"`
	Sources []string `toml:"sources"`
	Public  []string `toml:"public"`
	Copies  []string `toml:"copies"`
	Hits    []string `toml:"hits"`
	Misses  []string `toml:"misses"`
}

// rawKey is a [[secret]].
type rawKey struct {
	ID       string   `toml:"id"`
	Word     string   `toml:"word"`
	Prefixes []string `toml:"prefixes"`
	// Chars is a set of characters, or a kind of login.
	Chars string `toml:"chars" one:"base62 base64 hex hexdash digits url upper pem text login basic colons slash"`
	// Counted behind the prefix, in characters of Chars.
	Min     int      `toml:"min"`
	Max     int      `toml:"max"`
	Entropy float64  `toml:"entropy"`
	Mask    int      `toml:"mask"`
	Back    int      `toml:"back"`
	Inside  bool     `toml:"inside"`
	Dots    string   `toml:"dots"`
	Near    []string `toml:"near"`
	What    string   `toml:"what"`
	Hits    []string `toml:"hits"`
	Misses  []string `toml:"misses"`
}

type rawSecretUser struct {
	Names    []string `toml:"names"`
	Attached []string `toml:"attached"`
	Next     []string `toml:"next"`
	User     []string `toml:"user"`
	After    []string `toml:"after"`
	Operand  int      `toml:"operand"`
	When     []string `toml:"when"`
	Input    []string `toml:"input"`
	Values   []string `toml:"values"`
	Pair     []string `toml:"pair"`
	Pairs    []string `toml:"pairs"`
	Tail     []string `toml:"tail"`
	Slash    bool     `toml:"slash"`
	Random   bool     `toml:"random"`
	Named    bool     `toml:"named"`
	Hits     []string `toml:"hits"`
	Misses   []string `toml:"misses"`
}

// LoadSecrets reads rules/secrets/*.toml below fsys. The problems of all files are reported at once.
func LoadSecrets(fsys fs.FS) (*Secrets, error) {
	names, err := Files(fsys, "secrets")
	if err != nil {
		return nil, err
	}
	all := &Secrets{}
	var problems []*Problem
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		var raw rawSecrets
		if err := Decode(name, data, &raw); err != nil {
			problems = append(problems, unjoin(name, err)...)
			continue
		}
		d := &riskDecoder{file: name, from: Builtin, out: &Risks{Secrets: all}}
		d.formats(data, raw.Secret, raw.Known)
		all.Hosts = append(all.Hosts, lower(raw.Hosts)...)
		n := &all.Names
		n.Parts, n.Ends, n.Headers = append(n.Parts, lower(raw.Parts)...), append(n.Ends, lower(raw.Ends)...), append(n.Headers, lower(raw.Headers)...)
		n.Schemes, n.Plain = append(n.Schemes, lower(raw.Schemes)...), append(n.Plain, lower(raw.Plain)...)
		n.Places, n.Prints = append(n.Places, raw.Places...), append(n.Prints, raw.Prints...)
		n.Weak, n.Said, n.Links, n.Sets = append(n.Weak, lower(raw.Weak)...), append(n.Said, raw.Said...), append(n.Links, raw.Links...), append(n.Sets, lower(raw.Sets)...)
		n.Quotes, n.Calls = append(n.Quotes, lower(raw.Quotes)...), append(n.Calls, lower(raw.Calls)...)
		n.Puts, n.Logins, n.About = append(n.Puts, lower(raw.Puts)...), append(n.Logins, raw.Logins...), append(n.About, raw.About...)
		n.Blocks, n.Keyed = append(n.Blocks, lower(raw.Blocks)...), append(n.Keyed, lower(raw.Keyed)...)
		n.Numbers, n.Values = append(n.Numbers, lower(raw.Numbers)...), append(n.Values, lower(raw.Values)...)
		n.Not, n.NotEnds = append(n.Not, lower(raw.Not)...), append(n.NotEnds, lower(raw.NotEnds)...)
		d.line, d.id = 0, ""
		d.examples("names", raw.Hits, raw.Misses, false)
		d.secretFiles(&raw.Files)
		each(d, data, "program", raw.Program, d.secretUser)
		problems = append(problems, d.problems...)
	}
	seen := map[string]bool{}
	for i := range all.Formats {
		if id := all.Formats[i].ID; seen[id] {
			problems = append(problems, &Problem{File: "rules/secrets", ID: id, Text: "duplicate id"})
		} else {
			seen[id] = true
		}
	}
	all.sort()
	return all, Join(problems)
}

func (s *Secrets) sort() {
	sort.SliceStable(s.Formats, func(i, j int) bool { return s.Formats[i].ID < s.Formats[j].ID })
	sort.Strings(s.Known)
}

// add appends what another file says.
func (s *Secrets) add(one *Secrets) {
	s.Formats = append(s.Formats, one.Formats...)
	s.Known = append(s.Known, one.Known...)
	s.Examples = append(s.Examples, one.Examples...)
}

// formats reads the [[secret]] tables of a file.
func (d *riskDecoder) formats(data []byte, raw []rawKey, known []string) {
	if len(raw)+len(known) == 0 {
		return
	}
	if d.out.Secrets == nil {
		d.out.Secrets = &Secrets{}
	}
	d.out.Secrets.Known = append(d.out.Secrets.Known, lower(known)...)
	each(d, data, "secret", raw, d.key)
}

func (d *riskDecoder) key(i int, raw *rawKey) {
	d.at(i, raw.ID)
	d.id = raw.ID
	if sets := oneOf(*raw, "Chars"); !slices.Contains(sets, raw.Chars) {
		d.problem("chars %q is not one of %s", raw.Chars, strings.Join(sets, ", "))
	}
	if raw.ID == "" || raw.What == "" || raw.Word == "" && len(raw.Prefixes) == 0 {
		d.problem("a secret needs id, what, and prefixes or a word")
	}
	for _, w := range append([]string{raw.Word}, raw.Prefixes...) {
		if len(w) == 1 || w == "" && raw.Word != "" {
			d.problem("%q is too short to be looked for", w)
		}
	}
	if raw.Max < raw.Min || raw.Max > 0 && raw.Min <= 0 || raw.Max == 0 && raw.Mask <= 0 {
		d.problem("a secret needs 0 < min <= max, or mask")
	}
	// "password = changeme" is no secret; what has no mark of its own must at least look random.
	if len(raw.Prefixes) == 0 && raw.Entropy == 0 {
		d.problem("a secret without a prefix needs an entropy, or every value would be one")
	}
	for _, p := range raw.Prefixes {
		if !strings.Contains(strings.ToLower(p), strings.ToLower(raw.Word)) {
			d.problem("prefix %q does not hold the word %q, by which it is found", p, raw.Word)
		}
	}
	// What has a prefix is tried with a made-up key anyway.
	if d.from == Builtin && len(raw.Prefixes) == 0 && (len(raw.Hits) == 0 || len(raw.Misses) == 0) {
		d.problem("a secret without a prefix needs hits and misses")
	}
	out := d.out.Secrets
	out.Formats = append(out.Formats, Token{
		ID: raw.ID, Word: strings.ToLower(raw.Word), Prefixes: raw.Prefixes, Chars: raw.Chars, Min: raw.Min, Max: raw.Max, Entropy: raw.Entropy,
		Mask: raw.Mask, Back: raw.Back, Inside: raw.Inside, Dots: raw.Dots, Near: raw.Near, What: raw.What,
	})
	d.examples(raw.ID, raw.Hits, raw.Misses, true)
}

func (d *riskDecoder) secretFiles(raw *rawSecretFiles) {
	f := &d.out.Secrets.Files
	for _, one := range []struct {
		to   *[]string
		from []string
	}{{&f.Parts, raw.Parts}, {&f.Words, raw.Words}, {&f.Begins, raw.Begins}, {&f.Folders, raw.Folders}, {&f.Ends, raw.Ends}, {&f.Sources, raw.Sources}, {&f.Public, raw.Public}, {&f.Copies, raw.Copies}} {
		*one.to = append(*one.to, lower(one.from)...)
	}
	for i, list := range [][]string{raw.Hits, raw.Misses} {
		for _, name := range list {
			d.out.Secrets.Examples = append(d.out.Secrets.Examples, SecretExample{ID: "files", Text: name, Name: true, Hit: i == 0, File: d.file})
		}
	}
}

func (d *riskDecoder) secretUser(i int, raw *rawSecretUser) {
	id := strings.Join(raw.Names, " ")
	d.at(i, id)
	d.id = id
	if len(raw.Names) == 0 {
		d.problem("a program needs names")
		return
	}
	d.id = raw.Names[0]
	for _, name := range raw.Names {
		if len(name) < 2 {
			d.problem("%q is too short to be looked for", name)
		}
	}
	if len(raw.Hits) == 0 || len(raw.Misses) == 0 {
		d.problem("a program needs hits and misses")
	}
	p := SecretProgram{
		Names: raw.Names, Attached: raw.Attached, Next: raw.Next, User: raw.User, After: raw.After,
		Operand: raw.Operand, When: raw.When, Input: raw.Input, Values: raw.Values,
		Pair: raw.Pair, Pairs: raw.Pairs, Tail: raw.Tail, Slash: raw.Slash, Random: raw.Random, Named: raw.Named,
	}
	if p.Random && !reflect.DeepEqual(p, SecretProgram{Names: p.Names, Random: true}) {
		d.problem("random looks at every operand alike and stands alone")
	}
	d.out.Secrets.Programs = append(d.out.Secrets.Programs, p)
	d.examples(raw.Names[0], raw.Hits, raw.Misses, false)
}

func (d *riskDecoder) examples(id string, hits, misses []string, format bool) {
	for _, text := range hits {
		d.out.Secrets.Examples = append(d.out.Secrets.Examples, SecretExample{ID: id, Text: text, Format: format, Hit: true, File: d.file, Line: d.line})
	}
	for _, text := range misses {
		d.out.Secrets.Examples = append(d.out.Secrets.Examples, SecretExample{ID: id, Text: text, Format: format, File: d.file, Line: d.line})
	}
}
