package rewrite

import "go/types"

// channel says whether values of a type are channels.
type channel uint8

const (
	never     channel = iota
	sometimes         // a type parameter that permits channels and others
	always
)

// channelness tells which it is for t.
func channelness(t types.Type) channel {
	all := terms(t)
	chans := 0
	for _, t := range all {
		if _, ok := t.Underlying().(*types.Chan); ok {
			chans++
		}
	}
	switch {
	case chans == 0:
		return never
	case chans < len(all):
		return sometimes
	}
	return always
}

// isChan reports whether all values of type t are channels.
func isChan(t types.Type) bool { return channelness(t) == always }

// isMap reports whether all values of type t are maps.
func isMap(t types.Type) bool {
	all := terms(t)
	for _, t := range all {
		if _, ok := t.Underlying().(*types.Map); !ok {
			return false
		}
	}
	return len(all) > 0
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// elem returns the element type of a type whose values are all channels.
func elem(t types.Type) types.Type { return terms(t)[0].Underlying().(*types.Chan).Elem() }

// terms returns the types that t stands for: those that its constraint lists, if t is a type
// parameter, or else t.
func terms(t types.Type) []types.Type {
	switch t := types.Unalias(t).(type) {
	case nil:
		return nil
	case *types.TypeParam:
		return permitted(t.Constraint())
	default:
		return []types.Type{t}
	}
}

// permitted returns the types that one element of a constraint lists: a type, a union, or an
// interface. The elements of an interface intersect; the one that lists fewest types bounds the
// intersection.
func permitted(element types.Type) []types.Type {
	if u, ok := element.(*types.Union); ok {
		return permittedByUnion(u)
	}
	i, ok := element.Underlying().(*types.Interface)
	if !ok {
		return terms(element)
	}
	var fewest []types.Type
	for e := range i.EmbeddedTypes() {
		if p := permitted(e); fewest == nil || p != nil && len(p) < len(fewest) {
			fewest = p
		}
	}
	return fewest
}

func permittedByUnion(u *types.Union) []types.Type {
	var all []types.Type
	for term := range u.Terms() {
		all = append(all, permitted(term.Type())...)
	}
	return all
}
