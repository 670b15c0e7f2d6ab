package risk

import (
	"strings"
)

// secretPredicates are the predicates about credentials: where they lie, and who gets to see them.
var secretPredicates = []Predicate{
	{
		name: "adds-secrets", about: []string{"git"}, doc: "a folder is added in which a file lies that is secret by its name, holds a secret, and that Git neither has nor ignores",
		call: (*match).addsSecrets,
	},
	{
		name: "begins-as-key", doc: "the file begins with what is certainly a key",
		effect: (*match).beginsAsKey,
	},
	{
		name: "carries-environment", doc: "all variables are among its words: \"$(env)\"",
		call: func(m *match) bool { return m.c.wordsFrom(m.call, m.c.printsEnvironment) },
	},
	{
		name: "code-credential-elsewhere", doc: "program text hands over a credential that is another service's than the one that it asks, by the variable's name",
		call: (*match).codeCredentialElsewhere,
	},
	{
		name: "code-leaks-loaded", doc: "program text sends a variable away that a file with credentials was read into, in no header and no login",
		call: func(m *match) bool { return m.codeLeaks(m.c.loadedNames(m.call)) },
	},
	{
		name: "code-leaks-variable", doc: "program text sends a variable away that is named like a credential, in no header and no login",
		call: func(m *match) bool { return m.codeLeaks(m.c.credentialName) },
	},
	{
		name: "code-names-secret", doc: "a one-line program that reads names a file with credentials",
		call: (*match).codeNamesSecret,
	},
	{
		name: "code-prints-credential", doc: "program text prints a variable that is named like a credential where the agent reads it",
		call: (*match).codePrintsCredential,
	},
	{
		name: "code-prints-environment", doc: "a one-line program prints all variables where the agent reads them",
		call: (*match).codePrintsEnvironment,
	},
	{
		name: "code-sends-environment", doc: "program text sends all variables away",
		call: (*match).codeSendsEnvironment,
	},
	{
		name: "compares-secrets", about: []string{"git"}, doc: "an operand is a folder in which a file lies that is secret by its name and holds a secret",
		call: (*match).comparesSecrets,
	},
	{
		name: "composes-secret", doc: "a .env file with a secret lies where it works",
		call: (*match).composesSecret,
	},
	{
		name: "converts-key", about: []string{"openssl"}, doc: "openssl writes a key in another form to another file",
		call: (*match).convertsKey,
	},
	{
		name: "copies-here", about: []string{"rsync"}, doc: "it copies from this machine to this machine",
		call: (*match).copiesHere,
	},
	{
		name: "credential-elsewhere", doc: "a client hands over a credential that is another service's than the one that it asks, by the variable's name",
		call: (*match).credentialElsewhere,
	},
	{
		name: "fed-by-inspect", doc: "what it is fed is what a container is made of",
		call: func(m *match) bool {
			return m.c.upstream(m.call, make([]bool, len(m.c.calls)), func(p *call) bool { return p.isOf(m.c.set, "prints-container") })
		},
	},
	{
		name: "fetches-certificate", doc: "a download of a .pem file",
		call: (*match).fetchesCertificate,
	},
	{
		name: "foreign-token", doc: "a token goes to a host that is not its own",
		call: (*match).foreignToken,
	},
	{
		name: "given-secrets", doc: "it runs with what a store of secrets or a .env file says as its variables",
		call: func(m *match) bool { return m.reachedBy("runs-with-secrets") || m.reachedBy("runs-with-env-file") },
	},
	{
		name: "hands-secrets-on", doc: "what is written gives a program all secrets at once",
		effect: func(m *match, _ *effect) bool { return m.writtenSays("all-secrets") },
	},
	{
		name: "held-unchanged", doc: "Git holds the file as it is: nothing of it is new there",
		effect: (*match).heldUnchanged,
	},
	{
		name: "holds-secret", doc: "the file is there and holds a secret",
		effect: (*match).holdsSecret,
	},
	{
		name: "holds-treasure", doc: "a folder that a build makes again, with a file of credentials in it that Git does not hold",
		effect: (*match).holdsTreasure,
	},
	{
		name: "into-environment", doc: "what is read becomes variables, and is not shown",
		call: (*match).intoEnvironment,
	},
	{
		name: "into-value", doc: "what is read becomes a value on the line that nobody shows",
		effect: (*match).intoValue,
	},
	{
		name: "keeps-aside", doc: "files of credentials that Git ignores are copied to a name in the project that it ignores, too",
		call: (*match).keepsAside,
	},
	{
		name: "line-alone", doc: "the line is this call, what its output flows through, and words beside it",
		call: (*match).lineAlone,
	},
	{
		name: "loads-settings", about: []string{"source"}, doc: "the shell reads a .env file",
		call: func(m *match) bool {
			k := m.call
			// What stands behind the file are its arguments.
			if k.raw != "source" && k.raw != "." || len(k.operands) == 0 {
				return false
			}
			file := k.operand(0)
			return strings.HasPrefix(file[strings.LastIndexByte(file, '/')+1:], ".env")
		},
	},
	{
		name: "makes-keys", doc: "a program that makes new keys",
		call: func(m *match) bool { return m.c.set.In("makes-keys", m.call.raw) },
	},
	{
		name: "names-alone", doc: "of settings NAME=value nothing is shown but the names",
		effect: (*match).namesAlone,
	},
	{
		name: "names-secret", doc: "an operand is the name of a file with credentials",
		call: (*match).namesSecret,
	},
	{
		name: "opens-secrets", about: []string{"chmod"}, doc: "it is about all that lies in a folder for keys, or what a pattern picks there, with a key among it",
		effect: (*match).opensSecrets,
	},
	{
		name: "picks-sensitive-output", doc: "of all outputs that a configuration has it passes on one that is marked as sensitive",
		call: (*match).picksSensitive,
	},
	{
		name: "pipes-body", doc: "what flows in is a file with data for a service, and no secret is in it",
		call: (*match).pipesBody,
	},
	{
		name: "prints-credential", doc: "the value of a variable that is named like a credential is printed where the agent reads it",
		call: (*match).printsCredential,
	},
	{
		name: "prints-environment", doc: "it prints all variables",
		call: func(m *match) bool { return m.c.printsEnvironment(m.call) },
	},
	{
		name: "prints-here", doc: "what is printed goes neither to another program nor to a file",
		call: (*match).printsHere,
	},
	{
		name: "prints-kept-token", about: []string{"git"}, doc: "a setting of the repository that it prints, such as the address of a remote, has a token in it",
		call: (*match).printsKeptToken,
	},
	{
		name: "prints-loaded", doc: "all variables are printed after a file with credentials was read into them",
		call: (*match).printsLoaded,
	},
	{
		name: "prints-on", doc: "what it prints gets to the agent, itself or through programs that only put it in another form",
		call: func(m *match) bool { return m.printsHere() || m.c.passedOn(m.call, 0) },
	},
	{
		name: "prints-read-secret", doc: "what read took from a file with credentials is printed",
		call: (*match).printsReadSecret,
	},
	{
		name: "prints-secret-lines", doc: "a search through a folder finds a line with a secret in it, in a file that is secret by its name",
		call: (*match).printsSecretLines,
	},
	{
		name: "prints-sensitive-output", doc: "it prints an output that the configuration marks as sensitive",
		call: (*match).printsSensitive,
	},
	{
		name: "prints-settings", doc: "a one-line program prints all it read from a .env file",
		call: (*match).printsSettings,
	},
	{
		name: "reads-among", doc: "files that a pattern, a search or a list finds are read, and one of them is secret by its name and holds a secret",
		effect: (*match).readsAmong,
	},
	{
		name: "request-body", doc: "what is sent is a file with data for a service, as the body of a request, and no secret is in it",
		effect: (*match).requestBody,
	},
	{
		name: "secret-content", doc: "a key is in what is written or committed",
		call: (*match).secretContent,
	},
	{
		name: "secret-flow", doc: "a file with credentials flows into it",
		call: (*match).secretFlow,
	},
	{
		name: "secret-object", about: []string{"git"}, doc: "commit:path of a file with credentials",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool {
				_, p, ok := strings.Cut(s, ":")
				// HEAD:.env prints what the file is not read for.
				return ok && m.c.keyObject(m.call, p)
			})
		},
	},
	{
		name: "secret-words", doc: "as secret-flow, for what it is told in words or by a pipe, and not in a file",
		call: (*match).secretWords,
	},
	{
		name: "sends-secret-file", doc: "it is itself given a file with credentials to send",
		call: (*match).sendsSecretFile,
	},
	{
		name: "sends-secrets", doc: "in the folder lies a file that is secret by its name and holds a secret",
		effect: (*match).sendsSecrets,
	},
	{
		name: "sends-variable", doc: "a variable that is named like a credential is sent",
		call: (*match).sendsVariable,
	},
	{
		name: "serves-secrets", doc: "a file server that others reach, over a folder with such a file",
		call: (*match).servesSecrets,
	},
	{
		name: "takes-secret", doc: "it is given a file with credentials, by name or as its input",
		call: func(m *match) bool { return m.namesSecret() || m.secretFlow() },
	},
	{
		name: "token-used", doc: "nobody gets to see the token that a call prints: another program or a value takes it",
		call: (*match).tokenUsed,
	},
	{
		name: "traced", doc: "the shell prints each line that it runs, and reads a file with credentials",
		call: (*match).traced,
	},
	{
		name: "uploads-secret", doc: "an HTTP or file transfer client is given a file with credentials",
		call: (*match).uploadsSecret,
	},
	{
		name: "without-secret", doc: "a file of settings in which people may keep a secret, and which holds none now",
		effect: (*match).withoutSecret,
	},
}
