package heap

// Reach is what can be reached from some values: objects, by their numbers.
type Reach struct {
	h    *Heap
	objs map[int32]bool
	seen map[any]bool
}

// NewReach reaches nothing.
func (h *Heap) NewReach() *Reach {
	return &Reach{h: h, objs: map[int32]bool{}, seen: map[any]bool{}}
}

// Has reports whether an object can be reached.
func (r *Reach) Has(o *Object) bool { return r.objs[o.ID] }

// FromShared adds all that unseen code can reach: the values that it was given, and those in the
// variables of packages and in foreign variables.
func (r *Reach) FromShared() {
	for _, v := range r.h.shared {
		r.Value(v)
	}
	for _, c := range r.h.globalOrder {
		r.cell(c)
	}
}

func (r *Reach) first(key any) bool {
	if r.seen[key] {
		return false
	}
	r.seen[key] = true
	return true
}

// Value adds what v leads to.
func (r *Reach) Value(v Value) {
	switch v := v.(type) {
	case *Cell:
		r.cell(v)
	case *Object:
		r.Object(v)
	case Struct:
		r.All(v)
	case Tuple:
		r.All(v)
	case Iface:
		r.Value(v.V)
	case *Closure:
		switch {
		case !r.first(v):
		case v.Ends != nil:
			r.ends(v.Ends)
		default:
			r.All(v.Free)
		}
	case *Map:
		if r.first(v) {
			r.All(v.Keys)
			r.All(v.Vals)
		}
	case SliceOf:
		r.cell(v.Array)
	case ReadLocker:
		r.cell(v.Of)
	case *Iter:
		r.Value(v.over)
	case *Sym:
		r.symbol(v)
	}
}

// All adds what each of some values leads to.
func (r *Reach) All(list []Value) {
	for _, v := range list {
		r.Value(v)
	}
}

// Object adds an object, and what is in its buffer.
func (r *Reach) Object(o *Object) {
	if o == nil || !r.first(o) {
		return
	}
	r.objs[o.ID] = true
	r.All(o.Buf)
}

func (r *Reach) cell(c *Cell) {
	if c == nil || !r.first(c) {
		return
	}
	r.Object(c.Sync)
	r.Value(c.Val)
	for _, k := range c.kids {
		r.cell(k)
	}
}

func (r *Reach) symbol(s *Sym) {
	if !r.first(s) {
		return
	}
	r.cell(s.cell)
	r.Object(s.obj)
	for _, c := range s.elems {
		r.cell(c)
	}
}

// ends adds a context that somebody can end, and the contexts that end with it. A context by itself
// leads to nothing: who has it can only wait for its end.
func (r *Reach) ends(c *Context) {
	if !r.first(c) {
		return
	}
	r.Object(c.Done)
	for _, k := range c.Kids {
		r.ends(k)
	}
}
