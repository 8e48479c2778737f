package std

import "errors"

const touches = isHere + "{ gate.Touch() }"

// osHooks make os.Exit the end of an execution wherever it is called, also by log.Fatal. They keep
// the output of examples, notice changes that a test makes to its surroundings, and make steps of
// operations on files. They are grouped by the file that has them.
var osHooks = []struct {
	file  string
	hooks []hook
}{
	{"proc.go", []hook{{name: "Exit",
		code: isHere + "{ gate.Exit($1); return }; rehearseLeave()"}}},
	{"file.go", []hook{
		{name: "Chdir", imports: logs,
			code: isHere + "{ gate.Touch(); " + toDirectory("$1") +
				" } else { testlog.RehearseLeave(Getwd) }"},
		onName("Mkdir", "Make"),
		{name: "NewFile", optional: true,
			code: isHere + "{ if f := rehearseAgain($1, $2); f != nil { return f } }"},
		{name: "OpenFile", code: isHere + "{ return rehearseOpen($1, $2, $3) }"},
		{name: "openDir", code: isHere + "{ gate.Path(gate.PathLook, $1, \"\") }"},
		{name: "Rename", imports: logs,
			code: logTwo + isHere + "{ return rehearseTwo(gate.PathRename, $1, $2, rename) }"},
		onName("Readlink", "Look"),
		onName("Chmod", "Alter"),
		onFile("Read", "if n, err, done := rehearseRead($r, $1); done { gate.Filled($1, n); return n, err }"),
		onFile("ReadAt", fillsAtEnd+"; "+handles("ReadAt")),
		onFile("ReadFrom",
			"if rehearseFile($r) != nil { if err := $r.checkValid(\"write\"); err != nil { return 0, err }; return genericReadFrom($r, $1) }"),
		{recv: "File", name: "Write",
			code: "if gate.Here() { if p := rehearsePipeOf($r); p != nil { return p.write($r, $1) }; if gate.Stdout != nil && $r == Stdout && gate.Stdout($1) { return len($1), nil }; " +
				handles("Write") + " }"},
		onFile("WriteAt", handles("WriteAt")),
		onFile("WriteTo",
			"if rehearseFile($r) != nil { "+
				"if err := $r.checkValid(\"read\"); err != nil { return 0, err }; "+
				"if p := rehearsePipeOf($r); p != nil { p.writeTo($r, $1) }; "+
				"return genericWriteTo($r, $1) }"),
		onFile("Seek", handles("Seek")),
		onFile("Chmod", handles("Alter")),
		onFile("SetDeadline", pipeDeadline("true, true")),
		onFile("SetReadDeadline", pipeDeadline("true, false")),
		onFile("SetWriteDeadline", pipeDeadline("false, true")),
	}},
	{"exec_posix.go", []hook{{name: "startProcess",
		code: isHere + "{ rehearseInherit($3); $3 = rehearseTellTemp($3) }"}}},
	{"file_posix.go", []hook{
		onFile("Close", "if p := rehearsePipeOf($r); p != nil { p.close($r) } else "+
			handles("Close")),
		onFile("Truncate", handles("Alter")),
		onFile("Chown", handles("Alter")),
		{recv: "File", name: "Chdir", imports: logs,
			code: isHere + "{ gate.Touch(); if rehearseFile($r) != nil { " +
				toDirectory("$r.name") + " } } else { testlog.RehearseLeave(Getwd) }"},
		onName("Chown", "Alter"),
		onName("Lchown", "Alter"),
		onName("Chtimes", "Alter"),
	}},
	{"file_unix.go", []hook{
		{name: "tempDir", code: "if dir := rehearseTempDir(); dir != \"\" { return dir }"},
		onName("Truncate", "Truncate"),
		onName("Remove", "Remove"),
		{name: "Link", imports: logs,
			code: logTwo + isHere + "{ return rehearseTwo(gate.PathLink, $1, $2, Link) }"},
		{name: "Symlink", imports: logs,
			code: "testlog.Stat($2); " + isHere + "{ gate.Path(gate.PathSymlink, $2, \"\") }"},
	}},
	{"types_unix.go", []hook{{recv: "fileStat", name: "ModTime",
		code: isHere + "{ return rehearseModTime($r) }"}}},
	{"stat_unix.go", []hook{onFile("Stat", handles("Look"))}},
	{"stat.go", []hook{
		{name: "Stat", code: onPath("Look")},
		{name: "Lstat", code: onPath("Look")},
	}},
	{"dir.go", []hook{
		onFile("Readdir", "if rehearseFile($r) != nil { return rehearseReaddir($r, $1) }"),
		onFile("Readdirnames", lists),
		onFile("ReadDir", lists),
	}},
	{"getwd.go", []hook{{name: "Getwd",
		code: isHere +
			"{ gate.Path(gate.PathGetwd, \"\", \"\"); defer gate.Back(gate.Aside()) }"}}},
	{"path.go", []hook{{name: "RemoveAll", imports: logs, code: "testlog.Stat($1); " + isHere +
		"{ gate.Path(gate.PathTree, $1, \"\"); defer gate.Tree($1)() }"}}},
	{"tempfile.go", []hook{{name: "nextRandom", code: isHere + "{ return rehearseTemp() }"}}},
	{"root.go", []hook{
		{recv: "Root", name: "OpenFile", optional: true,
			code: isHere + "{ rehearseRoot($r, rehearseOpens($2), $1, \"\"); " + atOnce + " }"},
		{recv: "Root", name: "Close", optional: true,
			code: isHere + "{ rehearseRoot($r, gate.PathRemove, \".\", \"\"); " + atOnce + " }"},
		inRoot("OpenRoot", "Look"),
		inRoot("Mkdir", "Make"),
		inRoot("MkdirAll", "Make"),
		inRoot("Chmod", "Alter"),
		inRoot("Remove", "Remove"),
		inRoot("RemoveAll", "Tree"),
		inRoot("Stat", "Look"),
		inRoot("Lstat", "Look"),
		inRoot("Readlink", "Look"),
		inRoot("Rename", "Rename"),
		inRoot("Link", "Link"),
		inRoot("Symlink", "Symlink"),
	}},
	{"env.go", []hook{
		{name: "Setenv", code: touches},
		{name: "Unsetenv", code: touches},
		{name: "Clearenv", code: touches},
	}},
}

// pipeDeadline sets deadlines of pipes, which are in memory: of reads, and of writes.
func pipeDeadline(which string) string {
	return "if p := rehearsePipeOf($r); p != nil { return p.setDeadline($r, $1, " + which + ") }"
}

// onPath is the code of a function whose first parameter is a name.
func onPath(op string) string { return isHere + "{ gate.Path(gate.Path" + op + ", $1, \"\") }" }

// logs is what code needs that tells package testlog of a name.
var logs = []string{"internal/testlog"}

const logTwo = "testlog.Stat($1); testlog.Stat($2); "

// toDirectory is the code of a function that makes name the working directory, and tells package
// testlog which it is then.
func toDirectory(name string) string {
	return "gate.Path(gate.PathChdir, " + name + ", \"\"); " + atOnce
}

// onName is the hook of a function whose first parameter is a name, and which says whether that
// exists. Package os does not log it.
func onName(name, op string) hook {
	return hook{name: name, imports: logs, code: "testlog.Stat($1); " + onPath(op)}
}

// onFile is the hook of a method of File.
func onFile(name, code string) hook {
	return hook{recv: "File", name: name, code: isHere + "{ " + code + " }"}
}

// handles declares an operation on an open file.
func handles(op string) string {
	return "if file := rehearseFile($r); file != nil { gate.Handle(file, $r.name, gate.Handle" +
		op +
		") }"
}

// lists declares that a directory is read. Nothing may come between that and the reading, not even
// a lock of its own.
const lists = "if file := rehearseFile($r); file != nil { gate.Handle(file, $r.name, gate.HandleList); " +
	atOnce + " }"

// atOnce makes the rest of a function no steps. What it reads is logged.
const atOnce = "defer gate.BackFrom(gate.AtOnce())"

// inRoot is the hook of a method of Root, which is younger than the oldest Go that is supported.
func inRoot(name, op string) hook {
	first, second := "$1", `""`
	switch op {
	case "Rename", "Link":
		second = "$2"
	case "Symlink":
		first = "$2"
	}
	return hook{recv: "Root", name: name, optional: true,
		code: isHere + "{ rehearseRoot($r, gate.Path" + op + ", " + first + ", " + second + "); " +
			atOnce + " }"}
}

func hookOS(goroot string, out map[string][]byte) error {
	var errs []error
	for _, group := range osHooks {
		errs = append(errs, hookNamed(goroot, "os", group.file, group.hooks, out))
	}
	return errors.Join(errs...)
}

// hookNamed inserts hooks into one file of a package.
func hookNamed(goroot, path, file string, hooks []hook, out map[string][]byte) error {
	p, err := load(goroot, path, "")
	if err != nil {
		return err
	}
	p.keep(file)
	if err := p.apply(hooks); err != nil {
		return err
	}
	p.write(out)
	return nil
}
