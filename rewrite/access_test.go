package rewrite_test

import "go/types"

// everything is shared, which makes all accesses be announced that can be.
type everything struct{}

func (everything) Var(*types.Var) bool    { return true }
func (everything) Target(types.Type) bool { return true }
func (everything) Own(*types.Var) bool    { return false }

func (everything) Element(types.Type) bool        { return true }
func (everything) Map(types.Type) bool            { return true }
func (everything) Parts(types.Type) bool          { return true }
func (everything) Keeps(*types.Var) bool          { return false }
func (everything) MayWrite(*types.Func, int) bool { return false }
