package unit

import "go/types"

// channel says whether values of a type are channels.
type channel uint8

const (
	Never     channel = iota
	Sometimes         // a type parameter that permits channels and others
	Always
)

// Channelness tells which it is for t.
func Channelness(t types.Type) channel {
	all := Terms(t)
	chans := 0
	for _, t := range all {
		if _, ok := t.Underlying().(*types.Chan); ok {
			chans++
		}
	}
	switch {
	case chans == 0:
		return Never
	case chans < len(all):
		return Sometimes
	}
	return Always
}

// IsChan reports whether all values of type t are channels.
func IsChan(t types.Type) bool { return Channelness(t) == Always }

// IsMap reports whether all values of type t are maps.
func IsMap(t types.Type) bool {
	all := Terms(t)
	for _, t := range all {
		if _, ok := t.Underlying().(*types.Map); !ok {
			return false
		}
	}
	return len(all) > 0
}

// IsTypeParam reports whether t is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// Elem returns the element type of a type whose values are all channels.
func Elem(t types.Type) types.Type { return Terms(t)[0].Underlying().(*types.Chan).Elem() }

// Terms returns the types that t stands for: those that its constraint lists, if t is a type
// parameter, or else t.
func Terms(t types.Type) []types.Type {
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
		return Terms(element)
	}
	var fewest []types.Type
	for e := range i.EmbeddedTypes() {
		if p := permitted(e); fewest == nil || p != nil && len(p) < len(fewest) {
			fewest = p
		}
	}
	return fewest
}

// permittedByUnion is permitted for a union, which lists nothing if one of its terms lists nothing.
func permittedByUnion(u *types.Union) []types.Type {
	var all []types.Type
	for term := range u.Terms() {
		p := permitted(term.Type())
		if p == nil {
			return nil
		}
		all = append(all, p...)
	}
	return all
}
