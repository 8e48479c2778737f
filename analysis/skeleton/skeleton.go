// Package skeleton turns the SSA of functions into code that a machine can run without goroutines:
// the operations on channels and sync objects, and all instructions that decide about these.
//
// Vocabulary: a skeleton is the code of one function. A register holds a value of one call. A
// branch is idle if neither of its ways has a needed instruction before they meet again.
//
// Guarantees: a skeleton has every operation of its function in the same order, on the same values.
// An operand that the machine cannot compute is an Unknown, with the reason.
//
// LIMITS: floats, complex numbers and unsafe pointers are unknown. Functions of other packages have
// a skeleton if their packages have told it (Code); a machine knows some by name.
package skeleton

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Func is the skeleton of a function.
type Func struct {
	Name    string
	Pos     token.Pos
	Sig     *types.Signature
	Params  int // registers from 0 on
	Free    int // registers after these: captured variables
	Regs    int
	Consts  []Const
	Blocks  []Block
	Recover int          // the block that a recovered panic goes on with; -1: none
	Foreign bool         // it is of another package
	types   []types.Type // of registers
	loops   []shape
}

// Block is a basic block.
type Block struct {
	Phis   []Phi
	Instrs []Instr
	Preds  []int
	Succs  []int
	Loop   int  // the head of the innermost loop around it; -1: none
	Exit   int  // which successor leaves that loop, if one of two does; otherwise -1
	Skips  int  // which successor skips a loop over a number; -1: none
	Spawns bool // that loop starts goroutines
	Idle   int  // of an idle branch: where its ways meet, or Exit; otherwise -1
}

// Phi gets the value of the edge by which its block is entered.
type Phi struct {
	Dst   int
	Edges []Arg
}

// Arg is an operand: a register, or ^i for constant i.
type Arg int

// Const is an operand that is no register. One of its fields but Type is set; none is for nil, or
// the zero value of Type.
type Const struct {
	Type   types.Type
	Value  constant.Value
	Func   *ssa.Function
	Global *Global
}

// Global is a package-level variable.
type Global struct {
	Name   string // within its package
	Full   string // with the package's path
	Type   types.Type
	Pos    token.Pos
	Object types.Object // nil: another package cannot name it
}

// Op is what an instruction does.
type Op uint8

// The operations.
const (
	Unknown     Op = iota // Dst is not known, because of Text
	New                   // a variable of Type
	MakeChan              // of capacity Args[0]
	MakeMap               //
	MakeSlice             // of length Args[0]
	MakeClosure           // of Fn, with captured Args
	Load                  // from address Args[0]
	Store                 // Args[1] at Args[0]
	FieldAddr             // of field Index
	Field                 // likewise, of a value
	IndexAddr             // of element Args[1] of Args[0]
	Element               // likewise, of a value
	Lookup                // key Args[1] in map Args[0]
	MapUpdate             // Args[2] for key Args[1]
	Slice                 // of Args[0], from Args[1] to Args[2]; each may be ^0 of NoArg
	Binary                // Tok of two
	Unary                 // Tok of one
	Convert               // to Type
	MakeIface             // of a value of Type
	Assert                // to Type
	Extract               // part Index of a tuple
	Call                  // a call, see Callee
	Go                    // likewise, on a goroutine
	Defer                 // likewise, at the end
	RunDefers             //
	Return                // Args
	Jump                  // to Succs[0]
	If                    // to Succs[0] if Args[0], or else to Succs[1]
	Panic                 //
	Send                  // Args[1] to Args[0]
	Recv                  // from Args[0]
	Select                // of Cases
	Range                 // over map or string Args[0]
	Next                  // of iterator Args[0]
)

// Instr is an instruction.
type Instr struct {
	Op     Op
	Dst    int // a register; -1: none
	Args   []Arg
	Type   types.Type
	Index  int
	Tok    token.Token
	Comma  bool // there is a second result that says whether; of a Slice: it has a third index
	Block  bool // of a Select: it has no default; of a Convert: others may write the variable
	Fn     *ssa.Function
	Callee *Callee
	Cases  []Case
	Pos    token.Pos
	Text   string
}

// Callee is who is called: a function by name, a method of an interface, or a builtin; otherwise
// the value Args[0].
type Callee struct {
	Static  *ssa.Function
	Name    string // of Static, with its package
	Method  *types.Func
	Builtin string
	Sig     *types.Signature
}

// Case is a communication of a Select.
type Case struct {
	Send     bool
	Ch, Val  Arg
	Pos      token.Pos
	Elements types.Type
}

// NoArg stands for an operand that is not there.
const NoArg Arg = -1 << 30
