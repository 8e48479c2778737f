package skeleton

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Code is a fact about a function: its skeleton, with those of the functions that it needs and that
// other packages cannot name. A package that calls the function runs its code like code of its own.
//
// Types, functions and places are numbers, of the lists that are here; 0 stands for none.
type Code struct {
	Does   Does
	Types  []codeType
	Funcs  []codeFunc // the function itself is the first one
	Places []codePlace
	Vague  []codeField
}

// AFact marks Code as a fact.
func (*Code) AFact() {}

// String says what the function does, as those see it who only call it.
func (c *Code) String() string {
	text := "code"
	for _, word := range []struct {
		is   bool
		name string
	}{{c.Does.Spawns, "spawns"}, {c.Does.Makes, "makes"}, {c.Does.Waits, "waits"},
		{c.Does.Locks, "locks"}} {
		if word.is {
			text += " " + word.name
		}
	}
	return text
}

// Size is the number of instructions.
func (c *Code) Size() int {
	n := 0
	for _, f := range c.Funcs {
		for _, b := range f.Blocks {
			n += len(b.Instrs)
		}
	}
	return n
}

// Does says what a function does, itself, by what it calls, or in a literal in it.
type Does struct {
	Spawns  bool // starts a goroutine
	Makes   bool // makes something to wait for
	Waits   bool // sends, receives, or waits for a group
	Locks   bool // locks, and leaves the unlock to others, or may call them before it
	Unlocks bool // unlocks what others have locked

	takes bool // takes a lock, itself or by what it calls in this package; no part of the fact
}

// maxCode bounds the instructions of a Code: other packages know no larger one.
const maxCode = 200

// typeKind says what a codeType is.
type typeKind uint8

const (
	basicType   typeKind = iota // N is its kind
	namedType                   // Path, Name, and Of: its type arguments
	pointerType                 // Of one type
	sliceType                   // likewise
	arrayType                   // likewise, N of them
	mapType                     // Of key and value
	chanType                    // Of one type; N is its direction
	tupleType                   // Of its variables, with Names
	funcType                    // Of parameters and results, two tuples; N is 1 if variadic
	structType                  // Of its fields, with Names; Path is their package
	anyType                     // the empty interface
	errorType                   //
)

// codeType is a type.
type codeType struct {
	Kind       typeKind
	N          int64
	Path, Name string
	Of         []int
	Names      []string
	Embedded   []bool
}

// codeFunc is a function: one with a skeleton, one that does nothing that matters (Inert), or one
// that can be named (Outside).
type codeFunc struct {
	Name, Full            string
	Inert, Outside        bool
	Path, Recv            string // of one that can be named; Recv: of a method, its type
	Pos                   int
	Sig                   int
	Params, Free, Recover int
	Regs                  []int // their types
	Consts                []codeConst
	Blocks                []codeBlock
	Loops                 []codeLoop
}

// codeConst is a Const. A value is written as in Go.
type codeConst struct {
	Type   int
	Kind   token.Token // of the literal, IDENT for a bool; 0: there is no value
	Value  string
	Func   int
	Global *codeGlobal
}

// codeGlobal is a Global.
type codeGlobal struct {
	Full string
	Type int
	Pos  int
}

// codeBlock is a Block.
type codeBlock struct {
	Phis         []Phi
	Instrs       []codeInstr
	Preds, Succs []int
	Loop, Exit   int
	Skips        int
	Spawns       bool
	Idle         int
}

// codeInstr is an Instr.
type codeInstr struct {
	Op           Op
	Dst          int
	Args         []Arg
	Type         int
	Index        int
	Tok          token.Token
	Comma, Block bool
	Fn           int
	Callee       *codeCallee
	Cases        []codeCase
	Pos          int
	Text         string
}

// codeCallee is a Callee. A method of an interface has the interface, and its name.
type codeCallee struct {
	Static  int
	On      int
	Method  string
	Builtin string
	Sig     int
}

// codeCase is a Case.
type codeCase struct {
	Send     bool
	Ch, Val  Arg
	Pos      int
	Elements int
}

// codePlace is a position in a source file.
type codePlace struct {
	File         string
	Line, Column int
}

// codeField is a field of a type of the package that nothing there needs, so that its value is not
// known after the code has run.
type codeField struct{ Type, Name string }

// codeLoop is a shape.
type codeLoop struct {
	Head, Outer int
	Counted     bool
	Bound       int64
}

// nameable reports whether other packages can name fn.
func nameable(fn *ssa.Function) bool {
	return fn.Object() != nil && fn.Object().Exported() && fn.Origin() == nil &&
		fn.TypeParams().Len() == 0
}
