// Package pointsto says what the pointers, channels, functions and interfaces of a program may
// refer to, and who calls whom.
//
// It is an inclusion-based points-to analysis:
//
//   - L. O. Andersen: Program Analysis and Specialization for the C Programming Language. PhD
//     thesis, DIKU, 1994, ch. 4: a program is a set of constraints, each of which says that one set
//     of addresses includes another.
//   - B. Hardekopf, C. Lin: The Ant and the Grasshopper. PLDI 2007: nodes on a cycle become one,
//     see cycle.go.
//   - D. J. Pearce, P. H. J. Kelly, C. Hankin: Efficient Field-Sensitive Pointer Analysis of C. ACM
//     TOPLAS 30(1), 2007, sect. 4: an object is a block of cells, a field is an offset; and their
//     Online Cycle Detection and its Application to Pointer Analysis, SCAM 2003, sect. 3: only what
//     is new in a set is propagated (difference propagation).
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
//   - object: what one instruction allocates in one context, a package-level variable, a function
//     value, or what the library makes in one call.
//   - location: a cell of an object: x.f, or the elements of a slice, which are one cell.
//   - instance: a function in a context.
//   - context: the call sites that an instance is kept apart by, innermost first.
//   - family: an object that may stand for several at a time: it is made in a loop, or by a
//     function that runs more than once.
//   - library: code without a body in the program, and dependencies that work with unsafe pointers,
//     see ConfigOf. An opaque object is the library's: all of its parts are one cell, a bag, and
//     the bag holds itself, for it stands for its parts, too.
//   - outside: the unknown code that uses an exported API.
//
// Contexts. A function is analysed once for all calls, but for constructors (what returns an object
// that it makes), spawners (what starts a goroutine with what it is given) and the functions of go
// statements: these once for each call site and context of the caller, so that two actors made by
// NewX have two mailboxes. Closures, wrappers and methods called on the caller's own receiver are
// analysed in the context of their creator or caller. Config.Depth bounds the length of a context,
// Config.Cap the instances of a function; calls beyond the cap share one instance.
//
// In a large program, contexts are one call site long, and constructors are kept apart only if they
// return a channel or what has one. After Config.Budget steps contexts are given up, then
// everything: Result.GaveUp.
//
// The library is never analysed. A call of it works on bags: its receiver, if that can keep
// something, or what the call makes. A bag is a library object with all of its parts.
//
//   - Arguments go into the bag: values of the program as they are, library objects as references
//     from bag to bag. Bags are never copied into each other.
//   - An interface, or plain data (slices and maps of numbers and strings), that comes out of the
//     library is the bag itself, again a reference. What is in there is taken out by type where it
//     is asked for: by a type assertion, a method call, a result or a parameter of a callback of a
//     type of the program; from the bags in the bag, too. A bag has one node for all that is
//     inside, and those of bags that hold each other become one. The rules take out what they need,
//     and Result all that there is.
//   - Functions in the bag are called with what is in the bag, and so are methods that formatting
//     looks for, that the interface names with which a value was given, and that the interfaces of
//     the packages name that work on the bag, or on one that it is in.
//   - All errors that the library makes, or is given, are one bag, and so are all values of package
//     reflect, the variables of a package that keep what functions without results get, and each
//     package-level variable.
//   - Plain data that is in a bag is kept aside: no rule depends on it.
//
// Unknown, for the parameters of an exported API (Config.Exported), is: one new object for each
// type that has exported fields or can be made outside, whose fields are unknown in turn;
// everything that the API ever gave away, as far as the types allow; for functions and interfaces
// also code that may call and return all that it can get.
//
// Guarantees. What a value points to at run time is in its set, what a call site calls is in its
// callees, what a channel operation works on is in its targets, within the limits. The result
// depends on the program alone; its order is that in which the program is discovered from the
// entries.
//
// LIMITS. Result.Unknown lists, with positions, the sites that were reached and about which too
// little is known: package reflect, unsafe.Pointer (what is converted keeps its address, but not at
// another offset, and a function is not called by another signature), cgo (C may return what it is
// given, and new objects), linkname and assembly, decoders that fill in values by reflection (the
// exported fields of what they are given get new objects), methods that are found by name. Not
// listed: the library calls methods of what it is given, not of what is nested in it; it does not
// store one argument in another, but for elements of slices and maps, and variables behind
// pointers; a variadic argument is only read, and a ...any is only printed: its methods are called,
// it is not kept. A method does not keep plain data (slices and maps of numbers and strings). A
// function that one bag has is not called with what another has that it is put into. What is put
// into a part of a library object that came out of another one, which was made of the first, is
// found by way of the second only. Package-level variables of the library are opaque. Generic
// functions are analysed as far as they are instantiated. Flow through integers (uintptr, indices)
// is not seen.
package pointsto
