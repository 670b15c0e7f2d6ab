package main

// families lists every folder of rules/ with what turns it into Go.
var families = []family{
	{"agents", agents},
	{"clients", clients},
	{"contexts", contexts},
	{"events", events},
	{"journal", journal},
	{"languages", languages},
	{"libraries", libraries},
	{"quality", quality},
	{"risks", risks},
	{"secrets", secrets},
	{"shells", shells},
	{"specs", specs},
	{"tags", tags},
}
