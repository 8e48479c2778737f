package goprog

import "math/rand/v2"

// palette is what one program chooses from. Half of the programs choose from a third of each list,
// so that they do little, and do that often: sections that all overwrite one variable are rare
// among programs that do a bit of everything.
type palette struct {
	salt uint64
	part uint64 // one choice in so many is there; 1: all are
}

func newPalette(r *rand.Rand) palette { return palette{r.Uint64(), 1 + 2*uint64(r.IntN(2))} }

// pick chooses one of list.
func (p palette) pick(r *rand.Rand, list []string) string {
	var some []string
	for i, s := range list {
		if rand.New(rand.NewPCG(p.salt, uint64(len(list)<<8+i))).Uint64N(p.part) == 0 {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		some = list
	}
	return some[r.IntN(len(some))]
}
