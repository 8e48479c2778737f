// Package heap has the values and variables of an execution of skeletons, and the knowledge and
// assumptions about unknown values.
//
// Vocabulary: a cell is a variable, and a pointer is a cell. An object is a channel, a lock or
// another thing that processes wait for. A symbol is an unknown value, which has a name. The code
// under test made an owned object; a foreign one was there before.
//
// Guarantees: two symbols of one name are one value; one condition on symbols has one answer, and a
// pointer that is followed twice leads to the same variable. (S. Khurshid, C. Pasareanu and W.
// Visser, Generalized Symbolic Execution for Model Checking and Testing, TACAS 2003: unknown
// pointers get their variables when they are followed. Two of them differ here unless their names
// agree.)
//
// LIMITS: conditions of different names are taken to be independent, and only comparisons with
// constants bound a number. Floats, and arrays of more than 256 elements, are unknown.
package heap
