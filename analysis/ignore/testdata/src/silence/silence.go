// Package silence has comments that are reported, or are not.
package silence

//rehearse:ignore loud it is
var loud1 int

var loud2 int //rehearse:ignore loud,shrill it is both

var a int /* want "this comment silences nothing: remove it" */ //rehearse:ignore loud it is not

var loud3 int /* want "this comment gives no reason: write //rehearse:ignore CHECK reason" */ //rehearse:ignore loud

var loud4 int /* want "this comment gives no reason" */ //rehearse:ignore loud //

var loud5 int //rehearse:ignore loud // a reason behind slashes

/* want "this comment names no check: write //rehearse:ignore CHECK reason" */ //rehearse:ignore

var loud6 int /* want "there is no check called lout; there are loud, shrill" */ //rehearse:ignore lout a slip

/* want "this comment silences nothing" */ //rehearse:ignore loud two lines above

var loud7 int

// The second one of two is needed as little as the first, or as much.

//rehearse:ignore loud once
//rehearse:ignore loud twice
var loud8 int

// Comments for other tools may have other reasons, unless they name us.

var b int //lint:ignore loud nothing here
var c int //lint:ignore SA1000 nothing here
var d int //nolint:rehearse
var e int //nolint

var f int      /* want "this comment silences nothing" */ //lint:ignore SA1000,rehearse/loud nothing here
var g int      /* want "this comment gives no reason" */  //lint:ignore rehearse/loud
var h int      /* want "there is no check called lout" */ //lint:ignore rehearse/lout a slip
var loud9 int  //lint:ignore SA1000,rehearse/loud it is
var loud10 int /* want "there is no check called x" */ //rehearse:ignore loud,x one of two
