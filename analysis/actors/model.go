package actors

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/copies"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// index has the functions of the units, and their callers. Functions are identified by position:
// instances, bound methods and other variants of a package stand for the function as written.
type index struct {
	pos      func(token.Pos) facts.Pos
	funcs    []*ssa.Function // with bodies, in source order
	byPos    map[token.Pos]*ssa.Function
	syntax   map[token.Pos]function // by the position of the function
	named    []*types.Named         // declared in the units, in source order
	impls    map[*types.Func][]*ssa.Function
	callers  map[*ssa.Function][]ssa.CallInstruction
	closures map[*ssa.Function]*ssa.MakeClosure // of a function literal
	bound    map[*ssa.Function][]*ssa.MakeClosure
	cycles   map[*ssa.Function]map[*ssa.BasicBlock]int
}

// function is the syntax of a function.
type function struct {
	info *types.Info
	node ast.Node // *ast.FuncDecl or *ast.FuncLit
	body *ast.BlockStmt
}

// place is where a value is read from: a variable, a field of all instances of a struct, or the
// elements of a container (place.go). It is an ssa.Value if that is read from nowhere else, such as
// the *ssa.Alloc of a variable that closures share. Places are equal if they are ==.
type place any

// flow says which values may be equal.
type flow struct {
	*index
	stores  map[place][]ssa.Value
	elems   map[place][]ssa.Value // by place of the container: what is put into it
	mutable map[token.Pos]bool    // package variables that are assigned to after initialisation
	sends   []*Send
	closes  []*Send // with no X
	places  *copies.Table[ssa.Value]
	made    map[ssa.Value][]*ssa.MakeChan // memo of makesOf
	called  map[*ssa.Call][]*ssa.Function // memo of calleesOf
}

// paths says where values are found (from which root, by which fields), and whether several
// processes find them there.
type paths struct {
	*flow
	makeOf map[ssa.Value]*ssa.MakeChan // memo of onlyMake
}

// loops finds the goroutines, and the loops in which they receive.
type loops struct {
	*paths
	sites  map[token.Pos]*site // by position of the receive
	bounds map[token.Pos]bound // of the loops around calls
}

// tasks says how messages are handled, and which state an actor keeps.
type tasks struct {
	*mailboxes
	writers map[token.Pos]bool // memo of mutates
}

// mailboxes says which channels are mailboxes, who sends to them, and what.
type mailboxes struct{ *loops }

// program is what is known of the units. It stands on tables, each of which uses only those before
// it. index has the functions and their calls, flow says which values may be equal, paths where a
// value is found and whether several processes find it there. loops has the goroutines and their
// receives, mailboxes the senders, and tasks the handlers of messages.
type program struct{ *tasks }

// Survey is every goroutine of the units that receives. Actors decides later which of them are
// actors.
type Survey struct {
	Goroutines []*Goroutine // in the order of their roots
	Unlaunched []*Receive   // receive loops that no goroutine of the units runs
	// of the functions with these loops: they run on whatever goroutine calls them
	Callers []*Goroutine

	prog     *program
	once     sync.Once // of decide
	actors   []*Actor
	rejected []facts.Rejected
}

// Goroutine is every process that runs the same root.
type Goroutine struct {
	Root     *ssa.Function
	Launches []*Launch
	Receives []*Receive // in loops that serve
	Others   []*Receive // the others

	runs []*run
	step step
}

// Receive is one receive operation; a select has one for each of its receive cases.
type Receive struct {
	Pos   token.Pos // of the arrow or of the range statement
	Chan  ssa.Value
	Place any // equal for receives from the same variable or field; comparable
	Instr ssa.Instruction

	site *site
	run  *run // nil if unlaunched
}

// Unit is one package to analyse.
type Unit struct {
	Syntax []*ast.File
	Info   *types.Info
	SSA    *ssa.Package // built
}

// Actor is an actor with its code.
type Actor struct {
	facts.Actor
	Goroutines []*Goroutine // what starts the loop; several where several roots call it
	Boxes      []*Box       // parallel to Mailboxes
	Tasks      []*Handler   // parallel to Handlers
	Start      Code         // what a process runs before it first receives
}

// Handler is the static class of the tasks that messages of one kind cause, with its code.
type Handler struct {
	facts.Handler
	Receive *Receive
	Code    Code // what a task runs, from the receive up to the next receive of the actor
	// of a loop that ends after a number of messages, whatever they are: Code without the code
	// after the loop; else nil
	Round *Code
	// the code that runs instead when the mailbox is closed, if the code tells the two apart
	Closed Code

	task task
}

// Code is what one task may execute: the instructions of the regions and everything they call. A
// call that is a key of Into executes no more of its callee than that region.
//
// Other instructions of the functions on the way are left out: those that run for messages of other
// kinds only, and those after the next receive. A select that receives is among the instructions
// for its send cases and its default case.
type Code struct {
	Regions []*Region // of the receive's function first
	Into    map[ssa.CallInstruction]*Region
	// of a Handler.Round: the variables that count the messages, and do nothing else
	Counts []*ssa.Phi
	// of a Handler.Round: the next receive is the one that it began with, in any case
	Same bool
	Ends bool // no receive follows: the loop ends, or blocks or runs for ever
}

// Region is a part of a function.
type Region struct {
	Fn     *ssa.Function
	Instrs []ssa.Instruction // in the order of the blocks
}

// Launch is one place where a goroutine is started.
type Launch struct {
	Pos token.Pos // of the go statement, or of the call that starts its argument
	Via string    // the called function that starts its argument; "" for a go statement
	// the go statement; where a helper starts the goroutine, what makes the function value
	At ssa.Instruction

	call    *ssa.CallCommon  // the go statement's call, or nil
	closure *ssa.MakeClosure // what the root is a closure of, or nil
}

// run is one function on a goroutine.
type run struct {
	fn     *ssa.Function
	caller *run // nil for the root
	call   ssa.CallInstruction
	looped bool // called, directly or not, from a cycle
	depth  int
}

// Send is one send operation, or one close of a channel.
type Send struct {
	Chan, X ssa.Value // X is the message; nil for a close
	Pos     token.Pos
	Instr   ssa.Instruction // *ssa.Send, *ssa.Select, or the call of close
}

// Box is a mailbox of a goroutine: all receives from one place.
type Box struct {
	facts.Mailbox
	Receives []*Receive
	Sends    []*Send
}

// task is the syntax that processes one message: statements, and the variables that hold the
// message in them. It is a record: switches divide a task into tasks for one kind of message.
type task struct {
	info *types.Info
	body []ast.Stmt
	msg  []types.Object
	// which part of the message a variable of msg holds; "" for the whole
	base map[types.Object]string
	// the receive expression: it is the message, too, where no variable takes it
	recv ast.Expr
	pos  token.Pos
	by   facts.KindOf
	kind string
	key  string // equal for the same kind, however it is written
	part string // what the kind is of: dispatch.part
	wide bool   // the kind is an interface
	kept bool   // nothing changes the part before it is tested

	via  []token.Pos   // the calls that pass the message on to the switch, by their parentheses
	pass []test        // tests of switches that the message passes
	fail []test        // and fails
	root *ssa.Function // the message itself, if it is a function
}

// site is the syntax around a receive operation.
type site struct {
	info    *types.Info
	operand ast.Expr     // the channel
	recv    ast.Expr     // the receive expression, or nil
	shape   facts.Shape  // of the receive
	msg     types.Object // the variable that takes the message, or nil
	body    []ast.Stmt   // what runs after the receive: the task, as far as it is in this function
	at      token.Pos    // of the case, or of the receive
	loops   []ast.Stmt   // around the receive in its function, outermost first
	fn      ast.Node     // *ast.FuncDecl or *ast.FuncLit
}

// callees is what one call runs, or starts.
type callees struct {
	fns     []*ssa.Function
	spawned []started
}

// test is one comparison of a switch, as go/ssa has it.
type test struct {
	pos token.Pos // of the constant, or of the case with the type
	typ string    // "" for a constant
}

// edge is one way out of a block.
type edge struct {
	from *ssa.BasicBlock
	succ int
}

// point is a place between instructions: before instruction i of block b.
type point struct {
	b *ssa.BasicBlock
	i int
}

// started is a function that something starts as a goroutine.
type started struct {
	root   *ssa.Function
	launch *Launch
}

// step says which of several methods a call of a goroutine's loop is taken to reach.
type step struct {
	call ssa.CallInstruction
	fn   *ssa.Function
}

// walk visits the nodes of t, function literals left out.
func (t task) walk(f func(ast.Node) bool) {
	for _, s := range t.body {
		ast.Inspect(s, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok || n == nil {
				return false
			}
			return f(n)
		})
	}
}

// isMessage reports whether e is the message, a part of it, or the result of one of its methods.
func (t task) isMessage(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				return x == t.recv
			}
			e = x.X
		case *ast.CallExpr:
			if len(x.Args) > 0 {
				return false
			}
			e = x.Fun
		case *ast.Ident:
			return t.holds(t.info.ObjectOf(x))
		default:
			return false
		}
	}
}

// isWhole reports whether e is the message or its address.
func (t task) isWhole(e ast.Expr) bool {
	if x, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && x.Op == token.AND {
		e = x.X
	}
	e = ast.Unparen(e)
	id, ok := e.(*ast.Ident)
	return ok && t.holds(t.info.ObjectOf(id)) || t.recv != nil && e == t.recv
}

func (t task) holds(obj types.Object) bool {
	if slices.Contains(t.msg, obj) {
		return obj != nil
	}
	return false
}
