package divide

import (
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
)

// State is the saved state of a search by items.
type State struct {
	Keeper   items.Saved
	Parts    []explore.Part // that count
	Ran, Cut int            // executions, and those cut off as redundant
	Elapsed  time.Duration
	Ordinary *sections.Ordinary // see Task
	Run      string             // of the orders that a carrier may still have; empty: it has none
	Sample   Sample             // of the process that has written it
}

// Add counts a part.
func (s *State) Add(p *explore.Part) {
	s.Parts = append(s.Parts, *p)
	s.Ran, s.Cut = s.Ran+p.Executions, s.Cut+p.Blocked
}

// Read reads a state, and all entries that were added to it.
func Read(path string) (*State, *items.Keeper, journal.Key, error) {
	s := &State{}
	key, entries, err := journal.Read(path, s)
	if err != nil {
		return nil, nil, key, err
	}
	k, err := s.restore(entries)
	if err != nil {
		return nil, nil, key, fmt.Errorf("%w: remove it", err)
	}
	return s, k, key, nil
}

// restore makes the keeper of s, and adds entries to both.
func (s *State) restore(entries [][]byte) (*items.Keeper, error) {
	if slices.ContainsFunc(s.Parts, func(p explore.Part) bool { return !fitsPart(&p) }) {
		return nil, journal.ErrDamaged
	}
	k, err := items.Restore(&s.Keeper)
	for i := 0; err == nil && i < len(entries); i++ {
		err = s.enter(k, entries[i])
	}
	return k, err
}

// enter accepts a result that was written down.
func (s *State) enter(k *items.Keeper, text []byte) error {
	var e Entry
	if journal.Decode(text, &e) != nil || !fitsPart(&e.Part) || !fitsLeft(&e.Left) ||
		k.IsOpen(e.ID) && !k.Fits(e.ID, &e.Left) {
		return journal.ErrDamaged
	}
	if k.Accept(e.ID, &e.Left) {
		s.Add(&e.Part)
	}
	return nil
}
