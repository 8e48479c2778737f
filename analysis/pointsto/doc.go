// Package pointsto says what the pointers, channels, functions and interfaces of a program may
// refer to, and which functions each call may run.
//
// It is an inclusion-based points-to analysis:
//
//   - L. O. Andersen: Program Analysis and Specialization for the C Programming Language. PhD
//     thesis, DIKU, 1994, ch. 4: a program is a set of constraints, each of which says that one set
//     of addresses includes another.
//   - B. Hardekopf, C. Lin: The Ant and the Grasshopper. PLDI 2007: nodes on a cycle become one,
//     see cycle.go.
//   - D. J. Pearce, P. H. J. Kelly, C. Hankin: Efficient Field-Sensitive Pointer Analysis of C. ACM
//     TOPLAS 30(1), 2007, sect. 4: an object is a block of cells, a field is an offset. The same
//     authors: Online Cycle Detection and its Application to Pointer Analysis, SCAM 2003, sect. 3:
//     only new elements of a set are propagated (difference propagation).
//
// Notation
//
//	the papers              here
//	variable x              node; a register of a function in a context, or a cell
//	address-of location l   cell: one scalar, pointer or channel in memory; the elements of a set
//	Sol(x)                  node.seen and node.fresh
//	Δ(x)                    node.fresh
//	x ⊇ y                   an edge from y to x, see solver.edge
//	x ⊇ *y, *x ⊇ y, x ⊇ y+k  rules at y, see the table in rule.go
//
// Vocabulary
//
//   - object: the memory that one instruction allocates in one context, a package-level variable, a
//     function value, or all that the library makes in one call.
//   - location: a cell of an object: x.f, or the elements of a slice, which are one cell.
//   - instance: a function in a context.
//   - context: the call sites that an instance is kept apart by, innermost first.
//   - library: code without a body in the program, and dependencies that work with unsafe pointers,
//     see ConfigOf.
//   - outside: the unknown code that uses an exported API.
//
// Contexts. Most functions are analysed once for all calls. Three kinds are analysed once for each
// call site and context of the caller: constructors, which return an object that they make;
// spawners, which start a goroutine with an argument; and the functions of go statements. So two
// actors made by NewX have two mailboxes. Closures, wrappers and methods called on the caller's own
// receiver are analysed in the context of their creator or caller. Config.Depth bounds the length
// of a context, Config.Cap the instances of a function; calls beyond the cap share one instance.
//
// In a large program, contexts are one call site long, and constructors are kept apart only if they
// return a channel, or an object with a channel. After Config.Budget steps the analysis begins
// again without contexts; if these steps do not suffice, either, it gives up (Result.GaveUp).
//
// The library is never analysed. A call of it works on bags. A bag is a library object with all of
// its parts: one cell, which holds itself, for it stands for its parts, too. The bag of a call is
// its receiver, if that can keep something, or else a new one.
//
//   - Arguments go into the bag: values of the program as they are, library objects as references
//     from bag to bag. Bags are never copied into each other.
//   - An interface, or plain data (slices and maps of numbers and strings), that comes out of the
//     library is the bag itself, again a reference. Its content is taken out by type, and only
//     where the program asks for a type: in a type assertion, a method call, a result, or a
//     parameter of a callback. That includes the content of bags in the bag. A bag has one node for
//     all that is inside, and the nodes of bags that hold each other become one. A rule takes out
//     only the types that it needs; a query of Result takes out everything.
//   - Functions in the bag are called with the content of the bag. So are three kinds of methods of
//     values in the bag: methods that formatting looks for; those of the interface type by which
//     the value was given; and those that are in an interface of a package that works on the bag,
//     or on a bag around it.
//   - All errors that the library makes, or is given, are one bag. So are all values of package
//     reflect, each package-level variable, and the hidden variables of a package, which keep the
//     arguments of functions without results.
//   - Plain data that is in a bag is kept aside: no rule depends on it.
//
// A parameter of an exported API (Config.Exported) may point to one new object for each type that
// has exported fields or can be made outside; its fields are unknown in turn. It may point to every
// object that the API ever gave away, as far as the types allow. A function or an interface may
// also be code that calls and returns everything that it can get.
//
// Guarantees, within the limits. The set of a value has every object that the value points to at
// run time; the callees of a call site have every function that it calls. The result depends on the
// program alone; its order is that in which the program is discovered from the entries.
//
// LIMITS. Of these the analysis knows too little:
//
//   - Package reflect, and methods that are found by name.
//   - unsafe.Pointer: a converted pointer keeps its address, but not at another offset, and a
//     function is not called by another signature.
//   - cgo: C may return its arguments, and new objects. Linkname and assembly.
//   - Decoders that fill in values by reflection: the exported fields of their arguments get new
//     objects.
//   - The library calls methods of its arguments, but not of values nested in them. It does not
//     store one argument in another, but for elements of slices and maps, and variables behind
//     pointers.
//   - A variadic argument is only read. A ...any is only printed: its methods are called, and it is
//     not kept. A method does not keep plain data.
//   - If a bag that has a function is put into another bag, the function is not called with the
//     content of the other bag.
//   - A library object y that was made of x may return a part of x. A value that is then put into
//     that part is found by way of y, and not of x.
//   - Package-level variables of the library are opaque. Generic functions are analysed as far as
//     they are instantiated. Flow through integers (uintptr, indices) is not seen.
package pointsto
