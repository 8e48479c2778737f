// Package loud has each form of comment that silences a check, and comments that look like one.
package loud

func quiet(...int) int { return 0 }

var loud0 int // want "loud loud0"

//rehearse:ignore loud above the line
var loud1 int

var loud2 int //rehearse:ignore loud at its end

//rehearse:ignore shrill,loud two checks
var loud3 int

//rehearse:ignore shrill another check
var loud4 int // want "loud loud4"

//rehearse:ignore loud not the line after the next

var loud5 int // want "loud loud5"

// loud6 has a doc comment, of which the directive is a part.
//
//rehearse:ignore loud part of a group
//rehearse:ignore shrill so is this one
var loud6 int

var loud7 int //rehearse:ignore loud ends its line only
var loud8 int // want "loud loud8"

// A directive has no blank after its slashes.
// rehearse:ignore loud like this
var loud9 int // want "loud loud9"

//rehearse:ignored loud another word
var loud10 int // want "loud loud10"

/*rehearse:ignore loud not a line comment*/
var loud11 int // want "loud loud11"

//lint:ignore loud staticcheck's form
var loud12 int

//lint:ignore SA1000,rehearse/loud among others
var loud13 int

//lint:ignore loud
var loud14 int // want "loud loud14"

var loud15 int //nolint

var loud16 int //nolint:rehearse

var loud17 int //nolint:gosec, loud // why

var loud18 int // nolint:all

var loud19 int /* want "loud loud19" */ //nolint:gosec

var loud20 int /* want "loud loud20" */ //nolintlint

//nolint:loud // covers the function
func loud21() {
	quiet(loud1)
	if quiet() > 0 {
		quiet(loud2)
	}
}

func quiet2() {
	if quiet(loud3) > 0 { //nolint:loud // covers the statement
		quiet(loud4)
	}
	quiet(
		loud5, // want "loud loud5"
		loud6, //rehearse:ignore loud in the middle of a statement
	)
	//rehearse:ignore loud covers a line, not the statement
	quiet(loud7,
		loud8) // want "loud loud8"
	switch {
	//rehearse:ignore loud above a clause
	case loud9 > 0:
	}
}

type s struct {
	//rehearse:ignore loud a field
	loud1 int
	loud2 int // want "loud loud2"
}

//line other.go:1
var loud22 int //rehearse:ignore loud line comments do not matter
