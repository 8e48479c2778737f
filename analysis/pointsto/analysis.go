package pointsto

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// analysis is the state of Analyze: the constraints and what they are about. It stands on tables,
// each of which uses only those before it: solver has the graph of sets, objects the possible
// elements of sets, contexts the calls of functions that are told apart.
//
// The other methods stay with one receiver, in a file for each kind of code. While sets grow, rules
// see new elements and make further constraints of any kind. For example, the library calls a
// method of an argument, the method gives an object to unknown code, and that code calls the
// library.
type analysis struct {
	contexts
	filters   map[filterKey]bool
	passes    map[passKey]bool
	edgesOf   map[edgeKey]bool
	invoked   map[invokeKey]bool // see invokeParts
	panics    nodeID             // what was passed to panic
	generated int                // how many of reached have their constraints

	library // see library.go
}

// objects are what there is to point to.
type objects struct {
	solver
	types   *universe
	cells   cells
	globals map[ssa.Value]*Object // variables and functions of the package level
	tags    map[tagKey]cell
}

// contexts are the functions that are reached, by how they are called.
type contexts struct {
	Config
	objects
	large                  bool // see isLarge
	instances              map[instanceKey]*Instance
	byFunc                 map[*ssa.Function][]*Instance
	known                  map[context]*context
	constructors, spawners map[*ssa.Function]bool // see splits
	reached                []*Instance            // in the order of discovery
	methods                map[methodKey]*ssa.Function
	built                  map[*ssa.Package]bool
}

type tagKey struct {
	typ int
	of  cell
}

// nodeID is the number of a node; 0 is no node.
type nodeID int32

// node is a variable of the constraints: a register, a parameter, a result, or a cell.
type node struct {
	// the cells it may hold the addresses of, as far as edges and rules have seen them
	seen  set
	fresh set      // the others
	edges []nodeID // nodes that include this one
	known set      // edges as a set, once there are many
	rules []rule   // what to do with each new element
	queue bool     // in solver.work
}

// solver computes the smallest solution of the constraints, which grow while it does. Its fields
// are one graph: the nodes, the work that is left, the cycles that are suspected, and counts of
// work.
type solver struct {
	pages [][]node // sets must not move
	into  []nodeID // what a node was merged into; itself if it was not. See cycle.go
	tried map[[2]nodeID]bool
	count nodeID
	work  []nodeID
	head  int // of work

	steps   int // sets that were shown to edges, elements that were shown to rules
	spare   [][]int32
	missing set               // see include
	came    map[nodeID]nodeID // see path
	loops   [][2]nodeID       // edges that may be on cycles
	equal   [][2]nodeID       // nodes to merge, see unify
}

// rule is a constraint that depends on what a node points to: it is applied once to each element of
// the node's set.
//
//	kind      at    for each element o of the set
//	edge      x     y ⊇ x (not a rule: solver.edge)
//	load      x     y ⊇ *(o+k), for each reference of the type that is loaded
//	store     x     *(o+k) ⊇ y, likewise
//	offset    x     y ∋ o+k
//	wrap      x     y ∋ (T, o): the value in an interface
//	unwrap    x     y ∋ p if o = (T, p): a type assertion to T
//	field     x     y ⊇ what the bag o has as a T
//	unbox     x     y ⊇ *(p+k) if o = (T, p): a type assertion to a struct
//	filter    x     y ∋ o if it may be a T: what comes out of the library, assertions to interfaces
//	invoke    x     a call of T's method if o = (T, p); of the library if o is a bag
//	call      x     a call of o
//	inside    bag   bag.go: y ⊇ what is inside of o, if that is a bag
//	part      x     bag.go: y ∋ o if it is a T; x is the inside of a bag
//	work      x     library.go: a method call on o, a bag
//	host      bag   library.go: what the library does with o
//	ask       bag   callback.go: calls of methods of o that the library names
//	enter     x     argument.go: reading and writing the elements of o
//	open      x     argument.go: the same for what is in an interface
//	format    x     argument.go: reading the array o of a ...any; print: methods of its elements
//	decode    x     outside.go: the exported fields of o are filled in
//	escape    bag   outside.go: what unknown code may do with o
type rule interface {
	apply(a *analysis, o cell)
}

type edgeKey struct {
	caller *Instance
	site   ssa.CallInstruction
	callee *Instance
}

// methodKey is a method of a type.
type methodKey struct {
	typ  int
	name string
	pkg  *types.Package // if it is not exported
}

// filterKey is to add each filter once.
type filterKey struct {
	from, to nodeID
	typ      int
}

// invokeKey is to add each rule of a part once.
type invokeKey struct {
	in   *Instance
	site ssa.CallInstruction
	part nodeID
}

// passKey is to decide each pair of an object's type and a wanted type once.
type passKey struct {
	kind      Kind
	have, off int
	want      int
}

// instanceKey identifies an instance.
type instanceKey struct {
	fn  *ssa.Function
	ctx *context
}

// library is what is known of code without bodies. Each field is a table of its own, which says
// what has been done already, so that nothing is done twice.
type library struct {
	outside    *Object                    // unknown code: see outside.go
	errors     *Object                    // all errors that the library makes are one bag
	state      map[*types.Package]*Object // what functions of a package have been given for good
	asks       map[asker]asked            // methods that an interface, or those of a package, name
	general    asked                      // methods that formatting, encoding and errors look for
	entered    map[enterKey]bool
	unknownOf  map[[2]int]*Object // by type number, see unknown
	decoded    map[cell]bool
	shared     map[cell]bool      // in unknown hands, see shareCell
	foreigners map[*Instance]bool // called by unknown code
	hosts      map[cell]*host
	data       map[cell]nodeID     // plain data that is in a bag, see keep
	insides    map[cell]nodeID     // see inside
	parts      map[partKey]nodeID  // see partOf
	declared   map[[2]int]bool     // see declaredAs
	dynamic    map[cell]types.Type // see dynamicType
	asking     map[asksKey][]*ssa.Function
	entries    []*Instance
}

// host is a bag that calls of the library work on: a receiver, or what the call makes.
type host struct {
	at        cell
	askers    map[asker]bool // whose methods it calls
	asks      []asker        // that it has of its own, see nest
	inner     []*host        // of the bags that it has
	byName    bool           // calls all exported methods
	called    map[*Instance]bool
	callbacks []*Instance // in the order of discovery
}

// asker is an interface of the library, by its number, or all interfaces of a package.
type asker struct {
	pkg   *types.Package
	iface int
}

// asked is names of methods with their signatures.
type asked map[string][]*types.Signature

type enterKey struct {
	host     *host
	typ      int
	at       cell
	writable bool
}

// partKey is what is inside of a bag, and the number of a type.
type partKey struct {
	of  nodeID
	typ int
}

// asksKey is a type of the program and an asker; the zero asker is what all ask for.
type asksKey struct {
	typ    int
	by     asker
	byName bool
}

// Instance is a function in a context.
type Instance struct {
	Func *ssa.Function

	ctx     *context
	regs    map[ssa.Value]nodeID  // first node of each register that holds addresses
	objects map[ssa.Value]*Object // what its instructions make
	lib     map[ssa.Instruction]*libraryCall
	results nodeID // of the tuple of results
	reached bool   // has been called
	calls   []Edge // whom, but by way of the library, in the order of discovery
}

// context is a list of call sites, innermost first. Equal contexts are one pointer; nil is the
// empty one.
type context struct {
	site   ssa.Instruction
	caller *context
}

// Context returns the call sites that tell in from other instances of its function, innermost
// first; none means that in stands for all calls.
func (in *Instance) Context() []ssa.Instruction {
	var out []ssa.Instruction
	for c := in.ctx; c != nil; c = c.caller {
		out = append(out, c.site)
	}
	return out
}

// String returns the function and the call sites: "NewX@main.go:12@main.go:3".
func (in *Instance) String() string {
	s := in.Func.RelString(nil)
	for _, site := range in.Context() {
		s += "@" + place(in.Func.Prog.Fset, site.Pos())
	}
	return s
}

func place(fset *token.FileSet, pos token.Pos) string {
	p := fset.Position(pos)
	if !p.IsValid() {
		return "-"
	}
	return filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line)
}

// libraryCall is a call of the library in one instance.
type libraryCall struct {
	in    *Instance
	site  ssa.CallInstruction
	self  *Object // what it makes, unless that is part of its receiver
	hosts []*host // what it works on, in the order of discovery
}

// Edge is a call of the call graph.
type Edge struct {
	Caller *Instance
	Site   ssa.CallInstruction
	Callee *Instance

	// Site calls the library, which calls Callee; it may have been given that by an earlier call
	Library bool
}
