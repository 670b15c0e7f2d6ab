package shell

// effect is what a library call of an interpreter amounts to.
type effect uint8

const (
	doShell  effect = iota + 1 // run a command line, or an argument list
	doArgv                     // run a program with arguments, without a shell
	doSpawn                    // run(program, [arguments])
	doCode                     // run program text of the same language
	doRemove                   // rm
	doTree                     // rm -r
	doRmdir                    // rmdir
	doMove                     // mv
	doCopy                     // cp
	doMode                     // chmod mode file
	doModeOf                   // chmod, the arguments the other way round
	doOwner                    // chown
	doWrite                    // > file
	doOpen                     // open: <, > or >> by its mode
	doRead                     // cat file
	doPerl                     // perl's open: the mode may be part of the name
	doMkfs                     // truncate to nothing
	doKill                     // kill
	doOption                   // rm, or rm -r if the options say recursive
	doMap                      // call the function named first for each of a list
)

// call is a library call, named as programs write it. A name that begins with
// a dot is a method: the receiver is the argument, if it is a path.
type call struct {
	lang string
	name string
	does effect
}

// calls is sorted by nothing but language: it is read once for each program.
var calls = []call{
	{"python", "os.system", doShell},
	{"python", "os.popen", doShell},
	{"python", "subprocess.run", doShell},
	{"python", "subprocess.call", doShell},
	{"python", "subprocess.check_call", doShell},
	{"python", "subprocess.check_output", doShell},
	{"python", "subprocess.Popen", doShell},
	{"python", "subprocess.getoutput", doShell},
	{"python", "subprocess.getstatusoutput", doShell},
	{"python", "commands.getoutput", doShell},
	{"python", "pty.spawn", doShell},
	{"python", "asyncio.create_subprocess_shell", doShell},
	{"python", "asyncio.create_subprocess_exec", doArgv},
	{"python", "os.execl", doSpawn},
	{"python", "os.execlp", doSpawn},
	{"python", "os.execv", doSpawn},
	{"python", "os.execvp", doSpawn},
	{"python", "os.execve", doSpawn},
	{"python", "os.execvpe", doSpawn},
	{"python", "exec", doCode},
	{"python", "eval", doCode},
	{"python", "shutil.rmtree", doTree},
	{"python", "os.remove", doRemove},
	{"python", "os.unlink", doRemove},
	{"python", "os.rmdir", doRmdir},
	{"python", "os.removedirs", doRmdir},
	{"python", "os.rename", doMove},
	{"python", "os.replace", doMove},
	{"python", "shutil.move", doMove},
	{"python", "shutil.copy", doCopy},
	{"python", "shutil.copy2", doCopy},
	{"python", "shutil.copyfile", doCopy},
	{"python", "os.chmod", doModeOf},
	{"python", "os.truncate", doMkfs},
	{"python", "os.kill", doKill},
	{"python", "open", doOpen},
	{"python", "io.open", doOpen},
	{"python", ".read_text", doRead},
	{"python", ".read_bytes", doRead},
	{"python", ".unlink", doRemove},
	{"python", ".rmdir", doRmdir},
	{"python", ".write_text", doWrite},
	{"python", ".write_bytes", doWrite},

	{"node", "execSync", doShell},
	{"node", "exec", doShell},
	{"node", "child_process.exec", doShell},
	{"node", "child_process.execSync", doShell},
	{"node", "execFile", doSpawn},
	{"node", "execFileSync", doSpawn},
	{"node", "spawn", doSpawn},
	{"node", "spawnSync", doSpawn},
	{"node", "execa", doSpawn},
	{"node", "Bun.spawn", doShell},
	{"node", "Bun.spawnSync", doShell},
	{"node", "eval", doCode},
	{"node", "unlink", doRemove},
	{"node", "unlinkSync", doRemove},
	{"node", "rm", doOption},
	{"node", "rmSync", doOption},
	{"node", "rmdir", doOption},
	{"node", "rmdirSync", doOption},
	{"node", "removeSync", doTree},
	{"node", "rimraf", doTree},
	{"node", "rimraf.sync", doTree},
	{"node", "rimrafSync", doTree},
	{"node", "renameSync", doMove},
	{"node", "fs.rename", doMove},
	{"node", "copyFileSync", doCopy},
	{"node", "writeFile", doWrite},
	{"node", "writeFileSync", doWrite},
	{"node", "createWriteStream", doWrite},
	{"node", "readFile", doRead},
	{"node", "readFileSync", doRead},
	{"node", "createReadStream", doRead},
	{"node", "Bun.file", doRead},
	{"node", "Deno.readTextFile", doRead},
	{"node", "Deno.readTextFileSync", doRead},
	{"node", "truncateSync", doMkfs},
	{"node", "chmodSync", doModeOf},
	{"node", "process.kill", doKill},
	{"node", "Deno.remove", doOption},
	{"node", "Deno.removeSync", doOption},

	{"ruby", "system", doShell},
	{"ruby", "exec", doShell},
	{"ruby", "spawn", doShell},
	{"ruby", "IO.popen", doShell},
	{"ruby", "Kernel.system", doShell},
	{"ruby", "Kernel.exec", doShell},
	{"ruby", "Open3.capture2", doShell},
	{"ruby", "Open3.capture2e", doShell},
	{"ruby", "Open3.capture3", doShell},
	{"ruby", "eval", doCode},
	{"ruby", ".rmtree", doTree}, // Pathname, before FileUtils.rmtree
	{"ruby", ".unlink", doRemove},
	{"ruby", "FileUtils.rm_rf", doTree},
	{"ruby", "FileUtils.rm_r", doTree},
	{"ruby", "FileUtils.rmtree", doTree},
	{"ruby", "FileUtils.remove_dir", doTree},
	{"ruby", "FileUtils.remove_entry", doTree},
	{"ruby", "FileUtils.remove_entry_secure", doTree},
	{"ruby", "FileUtils.rm", doRemove},
	{"ruby", "FileUtils.rm_f", doRemove},
	{"ruby", "FileUtils.mv", doMove},
	{"ruby", "FileUtils.cp", doCopy},
	{"ruby", "FileUtils.chmod", doMode},
	{"ruby", "FileUtils.chmod_R", doMode},
	{"ruby", "rm_rf", doTree},
	{"ruby", "File.delete", doRemove},
	{"ruby", "File.unlink", doRemove},
	{"ruby", "Dir.rmdir", doRmdir},
	{"ruby", "Dir.delete", doRmdir},
	{"ruby", "Dir.unlink", doRmdir},
	{"ruby", "File.rename", doMove},
	{"ruby", "File.write", doWrite},
	{"ruby", "File.truncate", doMkfs},
	{"ruby", "File.open", doOpen},
	{"ruby", "File.read", doRead},
	{"ruby", "File.readlines", doRead},
	{"ruby", "File.foreach", doRead},
	{"ruby", "IO.read", doRead},
	{"ruby", "File.chmod", doMode},
	{"ruby", "Process.kill", doKill},

	{"perl", "system", doShell},
	{"perl", "exec", doShell},
	{"perl", "eval", doCode},
	{"perl", "open", doPerl},
	{"perl", "unlink", doRemove},
	{"perl", "rmdir", doRmdir},
	{"perl", "rmtree", doTree},
	{"perl", "remove_tree", doTree},
	{"perl", "File::Path::rmtree", doTree},
	{"perl", "File::Path::remove_tree", doTree},
	{"perl", "rename", doMove},
	{"perl", "move", doMove},
	{"perl", "chmod", doMode},
	{"perl", "truncate", doMkfs},
	{"perl", "kill", doKill},

	{"php", "system", doShell},
	{"php", "exec", doShell},
	{"php", "shell_exec", doShell},
	{"php", "passthru", doShell},
	{"php", "popen", doShell},
	{"php", "proc_open", doShell},
	{"php", "eval", doCode},
	{"php", "unlink", doRemove},
	{"php", "array_map", doMap},
	{"php", "rmdir", doRmdir},
	{"php", "rename", doMove},
	{"php", "copy", doCopy},
	{"php", "chmod", doModeOf},
	{"php", "file_put_contents", doWrite},
	{"php", "fopen", doOpen},
	{"php", "file_get_contents", doRead},
	{"php", "readfile", doRead},
	{"php", "file", doRead},

	{"lua", "os.execute", doShell},
	{"lua", "io.popen", doShell},
	{"lua", "os.remove", doRemove},
	{"lua", "os.rename", doMove},
	{"lua", "io.open", doOpen},

	{"r", "system", doShell},
	{"r", "system2", doSpawn},
	{"r", "unlink", doTree},
	{"r", "file.remove", doRemove},
	{"r", "file.rename", doMove},
}

// effectOf finds the effect of a call by its name. A module may be imported
// under its members' names, so that the last part alone counts where it is
// telling; method tells that the name follows a value.
func effectOf(lang, name string, method bool) (effect, bool) {
	last := name
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' || name[i] == ':' || name[i] == '>' {
			last = name[i+1:]
			break
		}
	}
	if lang == "node" && last != name {
		switch name[:len(name)-len(last)] {
		case "fs.", "fsp.", "fse.", "fsPromises.", "fs.promises.", "promises.":
			name, method = last, false
		}
	}
	for i := range calls {
		c := &calls[i]
		if c.lang != lang {
			continue
		}
		switch {
		case c.name == name && !method:
			return c.does, false
		case c.name[0] == '.':
			if (method || last != name) && c.name[1:] == last {
				return c.does, true
			}
		case lang == "node" && (method || last != name) && c.name == last && bareMethod(last):
			return c.does, false
		case telling(last) && suffixed(c.name, last):
			return c.does, false
		}
	}
	return 0, false
}

// bareMethod tells the names that mean the same on any receiver.
func bareMethod(name string) bool {
	switch name {
	case "exec", "rm", "rmdir", "unlink", "spawn", "eval": // re.exec, list.rm …
		return false
	}
	return true
}

// telling tells the members that people import by name and that mean nothing
// else: from shutil import rmtree.
func telling(name string) bool {
	switch name {
	case "rmtree", "system", "popen", "Popen", "check_call", "check_output", "getoutput", "rm_rf", "remove_entry_secure", "remove_tree", "execvp", "execlp":
		return true
	}
	return false
}

// suffixed reports whether a dotted name ends in the member last.
func suffixed(name, last string) bool {
	n := len(name) - len(last)
	return n > 0 && name[n:] == last && (name[n-1] == '.' || name[n-1] == ':')
}
