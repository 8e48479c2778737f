package library

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// children is what package context locks, for people.
const children = "the children of a context"

func init() {
	gate.ChildrenLock = func() {
		if p := world.W.Current(); p != nil {
			world.W.Sects.Mark(p, children)
		}
	}
	gate.ChildrenEntry = func(of unsafe.Pointer, child any) {
		if p := world.W.Current(); p != nil {
			world.W.Sects.Access(p, of, child, true, sections.Writes, children)
		}
	}
	gate.ChildrenOrder = func(of unsafe.Pointer) {
		if world.W.Current() != nil {
			world.W.Sects.Arranged(of)
		}
	}
}
