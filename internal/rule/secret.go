package rule

import (
	"io/fs"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// Secrets is what rules/secrets says: how secrets look, and behind what they stand.
type Secrets struct {
	Formats   []Token
	Known     []string // words of documented example keys, in lower case
	Hosts     []string // ends of hosts for examples and private use, in lower case
	Passwords []string // words for the password of an address, in lower case
	Names     SecretNames
	Files     SecretFiles
	Programs  []SecretProgram

	// Examples are for tests alone: they are in no table of the engine.
	Examples []SecretExample
}

// Token is a kind of secret that can be recognised in text.
type Token struct {
	ID       string
	Word     string   // looked for first; nothing else is done without it; "": each of the prefixes
	Prefixes []string // what a key starts with; empty: an assignment to a name with Word
	Chars    string   `one:"base62 base64 hex hexdash digits url upper pem text login basic colons slash dsn"` // characters of the rest: "base62", "hex", "base64", "url"; "login": user:password@host, of which the password counts; "dsn": it stands before the prefix
	Min, Max int      // length of the rest; no Max: it is never found, only masked
	Entropy  float64  // bits per character that the rest must have at least
	Mask     int      // masked from this length of the rest on, found or not; 0: only what is found
	Back     int      // so many characters of it stand before the prefix
	Inside   bool     // the prefix may stand in the middle of a word
	Dots     string   // lengths of its parts, which dots divide: "24-28.6.27-40"
	Near     []string // one of these stands on the same line before it
	What     string
}

// SecretNames are names behind which a secret stands, whatever it looks like; in lower case where nothing else is said.
type SecretNames struct {
	Parts    []string // anywhere in the name of a variable, an option or a field
	Ends     []string // at its end
	Headers  []string // names of headers, whose whole value is one
	Schemes  []string // words before the secret in a header
	Not      []string // parts of names that mean something else
	NotEnds  []string `toml:"not_ends"`
	Plain    []string // values that are none
	Places   []string `case:"kept"` // beginnings of values that say where it is
	Prints   []string `case:"kept"` // programs that print their words
	Weak     []string // last parts of names, behind which only what looks like a secret is one
	Said     []string `case:"kept"` // words of people for it, in any language
	Links    []string // what may stand between such a word and the secret
	Marks    []string // signs of other writing that announce a value as a colon or an equals sign does
	Sets     []string // words of commands that set the name behind them to the word after it
	Quotes   []string // words of statements in which the name stands before its value in quotes
	Calls    []string // calls whose strings from the second on are secrets
	Puts     []string // calls whose strings from the second on are, if they look like one
	Logins   []string // words of people before a user's name and a password
	About    []string // words between the word for a secret and what it is of
	Blocks   []string // words behind which all values of a block are
	Keyed    []string // schemes of addresses whose last part is one
	Numbers  []string // last parts of names whose secret may be a number
	Outcomes []string `case:"kept"` // words that are followed by a colon and by what they are about
	Reports  []string `case:"kept"` // what stands before such a word where the name of a test follows, and a time in brackets
	Values   []string // keys behind which the value of a pair stands
}

// SecretFiles are names of files that are kept back whatever they hold; in lower case.
type SecretFiles struct {
	Parts   []string // anywhere in the name
	Words   []string // one of its words
	Begins  []string // what it begins with
	Folders []string // a folder above
	Ends    []string // its last part, behind the dot
	Sources []string // last parts of program text, of which no word counts
	Worded  []string // those of them in which a word without quotes is a value
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

// rawSecrets is one file of rules/secrets as it is spelled.
type rawSecrets struct {
	Secret    []rawKey
	Known     []string `toml:"known_examples"`
	Hosts     []string `toml:"example_hosts"`
	Passwords []string `toml:"example_passwords"`
	Program   []rawSecretUser
	SecretNames
	claims
	Files struct {
		SecretFiles
		claims
	}
}

// rawKey is a [[secret]].
type rawKey struct {
	Token
	claims
}

type rawSecretUser struct {
	SecretProgram
	claims
}

// LoadSecrets reads rules/secrets/*.toml below fsys. The problems of all files are reported at once.
func LoadSecrets(fsys fs.FS) (*Secrets, error) {
	all := &Secrets{}
	d := &riskDecoder{from: Builtin, out: &Risks{Secrets: all}}
	if err := load(&d.report, fsys, "secrets", func(raw *rawSecrets) {
		d.formats(raw.Secret, raw.Known)
		all.Hosts = append(all.Hosts, lower(raw.Hosts)...)
		all.Passwords = append(all.Passwords, lower(raw.Passwords)...)
		extend(&all.Names, lowered(&raw.SecretNames))
		d.examples("names", raw.claims, SecretExample{})
		extend(&all.Files, lowered(&raw.Files.SecretFiles))
		d.examples("files", raw.Files.claims, SecretExample{Name: true})
		rows(&d.report, "program", raw.Program, d.secretUser)
	}); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range all.Formats {
		id := all.Formats[i].ID
		if seen[id] {
			d.add("rules/secrets", 0, id, "duplicate id")
		}
		seen[id] = true
	}
	all.sort()
	return all, d.err()
}

// lowered is a struct of lists in lower case, but for those that say otherwise.
func lowered[T any](lists *T) *T {
	for f, v := range reflect.ValueOf(lists).Elem().Fields() {
		if f.Tag.Get("case") == "" {
			lower(v.Interface().([]string))
		}
	}
	return lists
}

func (s *Secrets) sort() {
	sort.SliceStable(s.Formats, func(i, j int) bool { return s.Formats[i].ID < s.Formats[j].ID })
	sort.Strings(s.Known)
	sort.Strings(s.Passwords)
}

// formats reads the [[secret]] tables of a file.
func (d *riskDecoder) formats(raw []rawKey, known []string) {
	if len(raw)+len(known) == 0 {
		return
	}
	if d.out.Secrets == nil {
		d.out.Secrets = &Secrets{}
	}
	d.out.Secrets.Known = append(d.out.Secrets.Known, lower(known)...)
	rows(&d.report, "secret", raw, d.key)
}

func (d *riskDecoder) key(raw *rawKey) {
	d.id = raw.ID
	if sets := oneOf(raw.Token, "Chars"); !slices.Contains(sets, raw.Chars) {
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
	raw.Word = strings.ToLower(raw.Word)
	d.out.Secrets.Formats = append(d.out.Secrets.Formats, raw.Token)
	d.examples(raw.ID, raw.claims, SecretExample{Format: true})
}

func (d *riskDecoder) secretUser(raw *rawSecretUser) {
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
	if raw.Random && !reflect.DeepEqual(raw.SecretProgram, SecretProgram{Names: raw.Names, Random: true}) {
		d.problem("random looks at every operand alike and stands alone")
	}
	d.out.Secrets.Programs = append(d.out.Secrets.Programs, raw.SecretProgram)
	d.examples(raw.Names[0], raw.claims, SecretExample{})
}

// examples keeps what a row claims for the tests, each as an example of the kind of one.
func (d *riskDecoder) examples(id string, c claims, one SecretExample) {
	one.ID, one.File, one.Line = id, d.file, d.line
	for i, list := range [][]string{c.Hits, c.Misses} {
		for _, one.Text = range list {
			one.Hit = i == 0
			d.out.Secrets.Examples = append(d.out.Secrets.Examples, one)
		}
	}
}
