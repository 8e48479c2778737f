package library

import (
	"hash/fnv"
	"math/rand/v2"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/files"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// fileClasses says which files are one object, in the executions of one test.
var fileClasses = struct {
	test string
	of   *files.Classes
}{of: files.NewClasses()}

// ShareFiles gives the world the classes of files that earlier executors of a test have learned,
// and clocks if it needs them.
func ShareFiles(test string) {
	if fileClasses.test != test {
		fileClasses.test, fileClasses.of = test, files.NewClasses()
	}
	world.W.Files.Classes = fileClasses.of
	if fileClasses.of.Needed() {
		world.W.Races.Follow()
	}
}

// ForgetFiles begins anew, for a test whose executions are other processes'.
func ForgetFiles() { fileClasses.of = files.NewClasses() }

// FilesClash reports whether an execution has shown a dependency between operations on files that
// were taken to be independent. Then the search so far may lack some orders.
func FilesClash() bool { return fileClasses.of.Clashed() }

// JoinFiles makes these operations depend on each other in the executions that follow.
func JoinFiles() {
	fileClasses.of.Join()
	world.W.Races.Follow()
}

// SaveFiles returns the knowledge of files, for LoadFiles and AddFiles in another process.
func SaveFiles() files.Saved { return fileClasses.of.Save() }

// LoadFiles makes a test's executions treat files as those of another process do. It is called
// before the first of them.
func LoadFiles(from files.Saved) {
	fileClasses.of.Load(from)
	if fileClasses.of.Needed() {
		world.W.Races.Follow()
	}
}

// TextOfFiles is the knowledge of files for a schedule.
func TextOfFiles() string { return fileClasses.of.Text() }

// UseFiles makes executions treat files as a schedule's text says, until the returned function is
// called.
func UseFiles(text string) (restore func()) {
	before := fileClasses.of
	share := func(c *files.Classes) {
		fileClasses.of, world.W.Files.Classes = c, c
		if c.Needed() {
			world.W.Races.Follow()
		}
	}
	share(files.Parse(text))
	return func() { share(before) }
}

// AddFiles adds what an execution in another process has shown.
func AddFiles(from files.Saved) { fileClasses.of.Add(from) }

func init() {
	gate.Path = func(op gate.PathOp, path, other string) {
		p := world.W.Enter()
		if op != gate.PathLook && op != gate.PathGetwd {
			states.Spoil("a file")
		}
		o := &world.Scratch(p).File
		world.W.Files.Path(p, o, op, path, other)
		quietly(func() { leftovers.expect(op, path, other, o) })
		p.Leave()
	}
	gate.Named = func(op gate.PathOp, path, other string) {
		p := world.W.Enter()
		world.W.Files.Named(op, path, other)
		p.Leave()
	}
	gate.Opened = func(file unsafe.Pointer, path string) {
		p := world.W.Enter()
		world.W.Files.Opened(p, file, path)
		p.Leave()
	}
	gate.Handle = func(file unsafe.Pointer, path string, op gate.HandleOp) {
		p := world.W.Enter()
		states.Spoil("a file")
		world.W.Files.Handle(p, &world.Scratch(p).File, file, path, op)
		if op == gate.HandleWrite || op == gate.HandleWriteAt || op == gate.HandleAlter {
			quietly(func() { leftovers.change(world.W.Files.Canonical(path)) })
		}
		p.Leave()
	}
	gate.Idle = func() {
		p := world.W.Enter()
		world.W.Files.Idle()
		p.Leave()
	}
	gate.Tree = func(path string) (end func()) {
		p := world.W.Enter()
		o := &world.Scratch(p).File
		before := o.Tree
		o.Tree = world.W.Files.Canonical(path)
		p.Leave()
		return func() { o.Tree = before }
	}
	gate.Table = func(at unsafe.Pointer, write bool) {
		p := world.W.Enter()
		kind := trace.AtomicLoad
		if write {
			kind = trace.AtomicUpdate
		}
		if len(world.W.All()) > 1 {
			world.W.Syncs.Table(p, &world.Scratch(p).Sync, at, kind)
		}
		p.Leave()
	}
	gate.Temp = nextTemp
}

// quietly runs f, which uses package os, without events.
func quietly(f func()) {
	owner := gate.Aside()
	f()
	gate.Back(owner)
}

// temporaryNames names the fixed choice when a program makes a temporary file.
const temporaryNames = "names of temporary files"

// nextTemp is the next number for the name of a temporary file. Each process has a sequence for
// these numbers alone, because the number of draws depends on the contents of the directory.
func nextTemp() uint32 {
	p := world.W.Enter()
	defer p.Leave()
	p.Draws()
	world.W.Fix(temporaryNames)
	world.Scratch(p).File.Temporary = true
	for int(p.ID) >= len(world.Chance.Temps) {
		world.Chance.Temps = append(world.Chance.Temps, nil)
	}
	if world.Chance.Temps[p.ID] == nil {
		h := fnv.New64a()
		h.Write([]byte(world.Binary.Path + " " + fileClasses.test + " " + p.Path()))
		world.Chance.Temps[p.ID] = rand.NewPCG(world.Setup.Seed, h.Sum64())
	}
	return uint32(world.Chance.Temps[p.ID].Uint64())
}
