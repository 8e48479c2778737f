package effects

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// maxFields bounds the fields of one struct type that a task's accesses are told apart by. A task
// that accesses more of them may access every field, which is as sound, less precise, and can be
// read.
const maxFields = 24

// widen puts one access to the whole of a struct in the place of those to many of its fields.
func (t *tasker) widen() {
	fields := map[int][]*Access{} // by typeID of the struct
	var order []int
	for _, x := range t.task.Accesses {
		if x.Loc.owner != nil {
			id := t.typeID(x.Loc.owner)
			if fields[id] == nil {
				order = append(order, id)
			}
			fields[id] = append(fields[id], x)
		}
	}
	var wholes []*Access
	gone := map[*Access]bool{}
	for _, id := range order {
		if many := fields[id]; distinct(many) > maxFields {
			wholes = append(t.whole(many), wholes...)
			for _, x := range many {
				gone[x] = true
			}
		}
	}
	t.task.Accesses = append(wholes,
		slices.DeleteFunc(t.task.Accesses, func(x *Access) bool { return gone[x] })...)
}

// distinct counts the fields that are accessed.
func distinct(xs []*Access) int {
	seen := map[token.Pos]bool{}
	for _, x := range xs {
		seen[x.Loc.field.Pos()] = true
	}
	return len(seen)
}

// whole returns accesses to any field of a struct that stand for xs. An update among others is no
// update.
func (t *tasker) whole(xs []*Access) []*Access {
	l := &Location{shape: shape{where: facts.Pointed, typ: xs[0].Loc.owner,
		pos: xs[0].Loc.field.Pos()}}
	l.name = types.TypeString(l.typ, shortest) + ".*"
	at, seen := map[Kind][]token.Pos{}, map[any]bool{}
	for _, x := range xs {
		l.any = l.any || x.Loc.any
		for _, o := range x.Loc.objects {
			if !seen[o.ID] {
				seen[o.ID] = true
				l.objects = append(l.objects, o)
			}
		}
		if x.Kind != Read {
			at[Write] = append(at[Write], x.At...)
		}
		if x.Kind != Write {
			at[Read] = append(at[Read], x.At...)
		}
	}
	return t.wholes(t.intern(l), at)
}

func (t *tasker) wholes(l *Location, at map[Kind][]token.Pos) []*Access {
	var out []*Access
	for _, k := range []Kind{Read, Write} {
		if len(at[k]) > 0 {
			slices.Sort(at[k])
			out = append(out, &Access{Kind: k, Loc: l, At: slices.Compact(at[k])})
		}
	}
	return out
}
