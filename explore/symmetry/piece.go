package symmetry

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Piece is a part of a search that several processes divide among them, and in which twins begin
// one after the other. The parts together are a search of P', see above.
type Piece struct {
	Chained
	drew bool // a twin was given random numbers, so there are none
}

// NewPiece makes s a part of a search in which twins begin one after the other.
func NewPiece(s explore.Strategy) *Piece { return &Piece{Chained: Chained{Strategy: s}} }

// End implements explore.Strategy.
func (p *Piece) End(x *trace.Execution) {
	p.Chained.End(x)
	p.drew = p.drew || differ(x.Procs)
}

// Drew reports whether twins were found to differ, so that the search has to begin again.
func (p *Piece) Drew() bool { return p.drew }

// Summary implements explore.Strategy.
func (p *Piece) Summary() explore.Summary {
	s := p.Strategy.Summary()
	s.Twins, s.Drew = p.families, p.drew
	return s
}
