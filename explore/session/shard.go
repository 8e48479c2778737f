package session

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// scouted is the number of executions that the default search runs before it is divided. A search
// that ends earlier is left whole, and these executions show which refinements are at work. The
// bound is a number and not a time, so that all shards decide alike.
const scouted = 1000

// newSharding returns what o says of shards; nil if it says nothing.
func (s *suite) newSharding(o *options.Options, cwd string) (*sharding, error) {
	switch {
	case o.Merge != "":
		paths := strings.Split(o.Merge, string(os.PathListSeparator))
		m, err := shards.Merge(paths)
		if err != nil {
			return nil, err
		}
		j := m.Find(s.pkg.Path)
		if j == nil {
			return nil, fmt.Errorf("merge: the parts do not have %s", s.pkg.Path)
		}
		if differs := s.journals.Key(o, "").Differs(j.Key); differs != "" {
			return nil, fmt.Errorf("merge: the parts are from a run that differs in %s; merge "+
				"with the same code, flags and version of Go, or explore all shards again", differs)
		}
		return &sharding{merged: j}, nil
	case o.Shard == "":
		return nil, nil
	}
	shard, err := shards.Parse(o.Shard)
	h := &sharding{shard: shard, file: o.PartFile()}
	if !filepath.IsAbs(h.file) {
		h.file = filepath.Join(cwd, h.file)
	}
	return h, err
}

// few is why a small search is not divided.
const few = "it has few orders"

// divides explores what this run has to do of a test, as a shard, or takes what all shards have
// done. It reports false if the search goes on as it does without shards.
func (h *sharding) divides(s *turnSearch) (d *pieces, did bool) {
	if h == nil {
		return nil, false
	}
	e, o := s.exploration, &s.o
	one := shards.Test{Name: e.test.Name}
	if h.isOne() {
		if one.Whole = o.Whole(); one.Whole == "" && !o.IsPlain() {
			one.Whole = s.scout()
		}
		if one.Whole == "" {
			d = e.newPieces(s.apart, o, nil)
			d.ordinary = hook.OrdinarySections()
			d.shard(&one, h.shard, s.limits)
		}
		h.tests = append(h.tests, one)
		return d, true
	}
	parts := h.merged.Test(e.test.Name)
	if parts == nil {
		return nil, false
	}
	rest, err := shards.Rest(parts)
	if err != nil {
		e.note("explored once more: %v", err)
		return nil, false
	}
	e.setSections(false)
	d = e.newPieces(s.apart, o, nil)
	d.merge(parts, rest)
	e.result.Result = d.search(s.limits)
	e.setSections(false)
	return d, true
}

// scout runs the first executions of the default search, and says why the search is not divided.
func (s *turnSearch) scout() (whole string) {
	f := &shift{e: s.exploration, scouts: scouted}
	s.alone(f)
	r := &s.result.Result
	s.number(false, false)
	switch {
	case r.Complete:
		return few
	case r.Executions+r.Blocked < scouted:
		return cmp.Or(r.Reason, "it ends early")
	}
	return f.refined()
}

// shard explores the items of one shard.
func (d *pieces) shard(one *shards.Test, shard shards.Shard, lim explore.Limits) {
	d.saving, d.limits = nil, lim
	var planned []explore.Part
	one.Whole = shards.Plan(d.keeper, shard.N*shards.Each,
		func(it *dpor.Item, cut bool) dpor.Left {
			r := d.do(divide.Task{Item: it, Plan: true, Cut: cut, Most: 1, Ordinary: d.ordinary,
				Deadline: lim.Deadline, Check: true})
			one.Check = 31*one.Check + r.Check
			if r.Part.Over != "" {
				r.Left.Whole = r.Part.Over
			}
			planned = append(planned, r.Part)
			return r.Left
		})
	if one.Whole != "" {
		return
	}
	plan := d.keeper.Save()
	one.Plan = shards.Hash(&plan)
	shard.Keep(d.keeper)
	d.processes *= shard.N
	if shard.I == 1 {
		one.Begun, d.before = &plan, planned
	}
	d.search(lim)
	one.Part, one.Elapsed, one.Left = d.part, d.part.Elapsed, d.keeper.Save()
	one.Ordinary = d.ordinary
	one.Left.Open = nil
	if d.whole != "" {
		*one = shards.Test{Name: one.Name, Whole: d.whole}
	}
}

// merge makes d a search with the results, and the remaining items, of shards.
func (d *pieces) merge(parts []shards.Test, rest *items.Keeper) {
	d.saving, d.keeper, d.ordinary = nil, rest, parts[0].Ordinary
	for _, p := range parts {
		d.before = append(d.before, p.Part)
		d.elapsed = max(d.elapsed, p.Elapsed)
	}
}
