package risk

import "strings"

// outsidePredicates are the predicates about what others depend on: services, releases, processes, data bases, machines.
var outsidePredicates = []Predicate{
	{
		name: "applies-destroy", about: []string{"terraform"}, doc: "terraform applies a plan that destroys",
		call: (*match).appliesDestroy,
	},
	{
		name: "changes-repository", about: []string{"gh"}, doc: "a subcommand of a host's client that changes the repository itself",
		call: func(m *match) bool {
			k := m.call
			// gh repo edit is mostly about descriptions; these options change who sees what, or history.
			return !k.sub("repo edit", nil) && !k.sub("repo sync", nil) || k.givenOf(m.c.set.members("repository-options"))
		},
	},
	{
		name: "cluster-elsewhere", doc: "the context that the line names or switches to, else the current one of the file of settings, is none of those of clusters on this machine",
		call: (*match).clusterElsewhere,
	},
	{
		name: "cluster-here", about: []string{"kubectl", "helm"}, doc: "the context that the line names or switches to, else the current one of the file of settings, is that of a cluster on this machine",
		call: (*match).clusterHere,
	},
	{
		name: "cluster-unset", doc: "the file of settings that is named for a client of Kubernetes is not there",
		call: (*match).clusterUnset,
	},
	{
		name: "code-deletes-by-library", doc: "program text deletes with the library of a cloud or a store",
		call: (*match).codeDeletesByLibrary,
	},
	{
		name: "code-publishes-by-library", doc: "program text publishes with the library of a service",
		call: func(m *match) bool { return m.codeCalls(m.call.programText(), "publishes-by-library") },
	},
	{
		name: "code-requests-change", doc: "program text asks another machine to change something",
		call: (*match).codeRequestsChange,
	},
	{
		name: "code-sends-by-library", doc: "program text sends people a message with the library of a service",
		call: func(m *match) bool { return m.codeCalls(m.call.programText(), "sends-by-library") },
	},
	{
		name: "code-uploads", doc: "program text sends a file to another machine",
		call: (*match).codeUploads,
	},
	{
		name: "composes-tests", doc: "a composition of containers is for tests alone, by the name of its project or of all its files",
		call: (*match).composesTests,
	},
	{
		name: "data-elsewhere", doc: "it works on what production runs on, or on a database that the line or the environment puts on another machine, and not one for tests",
		call: (*match).dataElsewhere,
	},
	{
		name: "deletes-storage", about: []string{"gcloud"}, doc: "a subcommand of a cloud's storage that deletes",
		call: func(m *match) bool {
			k := m.call
			// gcloud storage rsync copies, unless it is told to delete what has no source.
			return !k.sub("storage rsync", nil) || k.given([]string{"--delete-unmatched-destination-objects"})
		},
	},
	{
		name: "destroy-script", doc: "a script is run that is called by what it does, destroy or wipe, or that an option tells to",
		call: (*match).runsDestroyer,
	},
	{
		name: "destroys", about: []string{"terraform"}, doc: "\"destroy\" as a subcommand or as an option of terraform",
		call: func(m *match) bool {
			return m.call.sub("destroy", nil) || m.call.sub("* destroy", nil) || m.call.given([]string{"-destroy"})
		},
	},
	{
		name: "development-server", about: []string{"pkill"}, doc: "what pkill ends is the agent's own server",
		call: (*match).developmentServer,
	},
	{
		name: "enters-running", doc: "it runs in a container, a pod or a machine that is there already",
		call: func(m *match) bool { return m.reachedBy("enters-running") },
	},
	{
		name: "fed-by-file", doc: "its input is a file by its name, and no device: < notes.txt",
		call: func(m *match) bool {
			in := m.call.cmd.Stdin
			return in != nil && in.Op == "<" && !strings.HasPrefix(in.File.Text, "/dev/")
		},
	},
	{
		name: "fed-by-production", doc: "its input comes from a call with a word that names a production system",
		call: func(m *match) bool { return m.c.upstream(m.call, make([]bool, len(m.c.calls)), production) },
	},
	{
		name: "fed-from-elsewhere", doc: "a dump of a database on another machine flows into it",
		call: (*match).fedFromElsewhere,
	},
	{
		name: "frees-port", doc: "what a kill ends is what holds one port of one's own programs",
		call: (*match).freesPort,
	},
	{
		name: "http-changes", doc: "a request by PUT, PATCH or DELETE",
		call: func(m *match) bool { return httpMethod(m.call, "DELETE", "PUT", "PATCH") },
	},
	{
		name: "http-deletes", doc: "a request by DELETE",
		call: func(m *match) bool { return httpMethod(m.call, "DELETE") },
	},
	{
		name: "kill-everything", doc: "-1 as the number of a process",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool { return s == "-1" }) || m.anyWord("-1", 2)
		},
	},
	{
		name: "kills-by-name", about: []string{"kill"}, doc: "the numbers that it is given are those of processes which a list found by a name, and not the agent's own server's",
		call: (*match).killsByName,
	},
	{
		name: "listed-by-name", about: []string{"docker"}, doc: "containers that a list picks by their name or label",
		call: (*match).listedByName,
	},
	{
		name: "listens-here", doc: "a word names this machine alone as the host to listen at",
		call: func(m *match) bool { return m.c.servesHere(m.call) },
	},
	{
		name: "listens-widely", doc: "a word names every network of this machine to listen at",
		call: func(m *match) bool {
			return m.c.servesAt(m.call, func(host string) bool { return m.c.set.In("any-machine", host) })
		},
	},
	{
		name: "loads-elsewhere", doc: "what is put under load is another machine, by an address on the line, in what is fed, or in the script that runs",
		call: (*match).loadsElsewhere,
	},
	{
		name: "local-data", doc: "nothing says that the database is another one than that of somebody who develops on this machine",
		call: (*match).localData,
	},
	{
		name: "local-development-data", about: []string{"rails", "rake"}, doc: "the database is the one for development on this machine, by the project's file of databases",
		call: (*match).localDevelopmentData,
	},
	{
		name: "local-host", doc: "every host among the operands is this machine",
		call: (*match).localHost,
	},
	{
		name: "migrates-back", doc: "a database is told to go to a migration behind which several more lie in the project, or before the first one",
		call: (*match).migratesBack,
	},
	{
		name: "names-database", doc: "a client of databases is told which one",
		call: (*match).namesDatabase,
	},
	{
		name: "names-stage", doc: "a word names a place where things are tried out before users get them",
		call: (*match).namesStage,
	},
	{
		name: "on-machine", doc: "it runs on another machine, not in a container",
		call: func(m *match) bool { return m.reachedBy("enters-machine") },
	},
	{
		name: "on-others", doc: "it runs on another machine, or in a container elsewhere, where no word says that things are tried out",
		call: (*match).onOthers,
	},
	{
		name: "only-says", doc: "a word or option says that it looks, tries, or works where things are tried out",
		call: (*match).onlySays,
	},
	{
		name: "own-server", about: []string{"kill"}, doc: "the numbers that it is given stand in files that a server of the project left, and are not the guard's: cat tmp/server.pid",
		call: (*match).ownServerByFile,
	},
	{
		name: "plays-here", doc: "a playbook works on this machine alone, as its own text says",
		call: (*match).playsHere,
	},
	{
		name: "production", doc: "a word names a production system",
		call: func(m *match) bool { return production(m.call) },
	},
	{
		name: "publishes-here", doc: "an address of this machine is named, and none of another",
		call: (*match).publishesHere,
	},
	{
		name: "publishes-on-host", about: []string{"gh"}, doc: "a host's client publishes: an alias that runs a shell, and what the rule names besides",
		call: func(m *match) bool {
			// gh gives an alias with "!" to a shell (gh help alias set).
			return !m.call.sub("alias set", nil) || m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "!") })
		},
	},
	{
		name: "registry-here", doc: "a variable that it is given names a registry on this machine",
		call: (*match).registryHere,
	},
	{
		name: "release-script", doc: "a script is run that is called by what it does: publish or deploy",
		call: (*match).runsRelease,
	},
	{
		name: "remote", doc: "it runs on another machine or in a container",
		call: func(m *match) bool { return m.call.away() },
	},
	{
		name: "remote-last", doc: "the last operand is host:path",
		call: (*match).remoteLast,
	},
	{
		name: "requests-change", doc: "another machine is asked to change something: by PUT, PATCH or DELETE, by POST where the address says so, or by POST with credentials that does not only ask",
		call: (*match).requestsChange,
	},
	{
		name: "runs-batch", doc: "a file transfer takes its orders from a file or from its input",
		call: func(m *match) bool {
			k := m.call
			// sftp -b, lftp -e and -f, ftp -s: orders that nobody types.
			return k.cmd.Stdin != nil || k.givenOf(m.c.set.members("options-batch")) || k.raw == "ftpput"
		},
	},
	{
		name: "script-or-listed", about: []string{"redis-cli"}, doc: "a script in Redis, or keys that another program listed",
		call: func(m *match) bool { return m.call.sub("eval", nil) || dynamicOperand(m) },
	},
	{
		name: "script-sends", doc: "a program of the project is told to send what it reads, and has a request that does so",
		call: (*match).scriptSends,
	},
	{
		name: "serves-widely", doc: "a file server that is told to listen to others, or that offers more than a project",
		call: (*match).servesWidely,
	},
	{
		name: "socat-local", about: []string{"socat"}, doc: "socat connects to this machine only",
		call: (*match).socatLocal,
	},
	{
		name: "store-here", doc: "a client of a store is told one on this machine, or is a client of imitations alone",
		call: (*match).storeHere,
	},
	{
		name: "store-last", doc: "the last operand is host:path, or of a client that writes it so, server/bucket",
		call: (*match).storeLast,
	},
	{
		name: "task-loses", doc: "a task of the project is run that is called by what it loses: db:reset, nuke",
		call: (*match).taskLoses,
	},
	{
		name: "test-environment", doc: "the task works on what is there for tests, by a variable, an option or the name in an address",
		call: (*match).testEnvironment,
	},
	{
		name: "test-names", doc: "every operand has the word test in its name",
		call: func(m *match) bool {
			k := m.call
			// -a takes all others, whatever is named.
			return len(k.operands) > m.skip && !k.given([]string{"-a", "--all"}) && !m.anyOperand(func(s string) bool { return !m.c.testName(s) })
		},
	},
	{
		name: "throw-away-cluster", doc: "what makes clusters of containers on this machine is called, for no more than one that nobody else uses by its name",
		call: (*match).throwAwayCluster,
	},
	{
		name: "throw-away-data", doc: "the database is made for tests",
		call: (*match).throwAwayData,
	},
	{
		name: "throw-away-store", about: []string{"redis-cli"}, doc: "the Redis database is made for tests",
		call: (*match).throwAwayStore,
	},
	{
		name: "told-for-real", doc: "a program that moai does not know is told to do what it would otherwise only say",
		call: (*match).toldForReal,
	},
	{
		name: "told-statement", doc: "a program that no rule about databases names is given a statement that loses data",
		call: (*match).toldStatement,
	},
	{
		name: "told-to-change-live", doc: "a client of a service is told to change what runs there, or its settings",
		call: (*match).toldToChangeLive,
	},
	{
		name: "told-to-destroy", doc: "a program of which no rule tells more is told to destroy something: what goes is named, or it must not ask",
		call: (*match).toldToDestroy,
	},
	{
		name: "told-to-publish", doc: "a program that moai does not know is told to publish or deploy something",
		call: (*match).toldToPublish,
	},
	{
		name: "whole-repository", about: []string{"gh"}, doc: "an address of a host's interface that is a repository itself",
		call: func(m *match) bool {
			return strings.Count(strings.Trim(m.call.operand(1), "/"), "/") == 2 // behind "api"
		},
	},
}
