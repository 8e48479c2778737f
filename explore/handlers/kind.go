package handlers

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// narrow returns those of refs, all handlers of one receive, that a message may be for.
func (t *Table) narrow(refs []Ref, message any) []Ref {
	if len(refs) == 1 || !t.alike(refs) {
		return refs
	}
	key, sure := "", false
	h := t.handler(refs[0])
	switch h.By {
	case facts.ByType:
		// not sure: a type that no handler names may be written in another way there
		key = typeKey(h.Part, message)
	case facts.ByConstant:
		key = constantKey(h.Part, message)
		sure = true
	}
	if key == "" {
		return refs
	}
	var others []Ref // without a key: default
	for i, r := range refs {
		switch g := t.handler(r); {
		case g.Key == key:
			return refs[i : i+1]
		case g.Key == "":
			others = append(others, r)
		}
	}
	if sure && len(others) == 1 && t.handler(others[0]).Kind == "default" {
		return others
	}
	return refs
}

// alike reports whether refs are handlers of one mailbox that tell messages apart in one way.
func (t *Table) alike(refs []Ref) bool {
	first := t.handler(refs[0])
	return !slices.ContainsFunc(refs, func(r Ref) bool {
		h := t.handler(r)
		return h.Mailbox != first.Mailbox || h.By != first.By || h.Part != first.Part ||
			h.Case != first.Case
	})
}

func (t *Table) handler(r Ref) *facts.Handler {
	return &t.Program.Actors[r.Actor].Handlers[r.Handler]
}

// typeKey returns the dynamic type of a part of the message, as Handler.Key has it; "" if its name
// cannot be relied upon.
func typeKey(part string, message any) string {
	v, ok := facts.Operand{Path: part}.In(message)
	if !ok {
		return ""
	}
	typ, stars := v.Type(), ""
	if typ.Name() == "" && typ.Kind() == reflect.Pointer {
		typ, stars = typ.Elem(), "*"
	}
	switch {
	case typ.Name() == "", strings.Contains(typ.Name(), "["):
		return ""
	case typ.PkgPath() == "":
		return stars + typ.Name()
	}
	return stars + typ.PkgPath() + "." + typ.Name()
}

// constantKey returns a part of the message as the constant that Handler.Key has.
func constantKey(part string, message any) string {
	v, ok := facts.Operand{Path: part}.In(message)
	if !ok {
		return ""
	}
	switch {
	case v.Kind() == reflect.String:
		return "String " + strconv.Quote(v.String())
	case v.Kind() == reflect.Bool:
		return fmt.Sprintf("Bool %t", v.Bool())
	case v.CanInt():
		return fmt.Sprintf("Int %d", v.Int())
	case v.CanUint():
		return fmt.Sprintf("Int %d", v.Uint())
	}
	return ""
}
