package exec

import (
	"go/token"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/mailboxes"
)

// relaxes reports whether the binaries have mailboxes: a delivery model other than Go's was asked
// for.
func (r *request) relaxes() bool { return r.options.Model != "go" }

// findMailboxes finds the channels that the delivery model makes mailboxes.
func (st *statics) findMailboxes() (err error) {
	if st.relaxes() {
		st.mailboxes, err = mailboxes.Find(st.loaded)
	}
	return err
}

// isMailbox returns a function that tells mailboxes by where their makes begin; nil if there are
// none.
func (st *statics) isMailbox() func(token.Position) bool {
	if len(st.mailboxes) == 0 {
		return nil
	}
	type place struct {
		file   string
		offset int
	}
	made := map[place]bool{}
	for _, m := range st.mailboxes {
		p := st.loaded.Fset.Position(m.Call.Pos())
		made[place{p.Filename, p.Offset}] = true
	}
	return func(p token.Position) bool { return made[place{p.Filename, p.Offset}] }
}

// relaxed describes the mailboxes of a target's program that the delivery model relaxes, for the
// user.
func (st *statics) relaxed(t *load.Target) []string {
	var list []string
	for _, m := range st.mailboxes {
		if slices.ContainsFunc(slices.Concat(t.Deps, []*load.Package{t.Package, t.XTest}),
			func(p *load.Package) bool {
				return p != nil && p.Dir == m.In
			}) {
			list = append(list, m.String())
		}
	}
	return list
}
