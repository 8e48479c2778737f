package machine

// share notes that code that is not seen may hold v.
func (m *Machine) share(v Value) {
	switch v := v.(type) {
	case nil, Nil, int64, bool, string, *Sym, *Cond:
	case Iface:
		m.share(v.V)
	default:
		m.Shared = append(m.Shared, v)
	}
}

// Reach is what can be reached from some values: objects, by their numbers.
type Reach struct {
	m    *Machine
	objs map[int32]bool
	seen map[any]bool
}

// NewReach reaches nothing.
func (m *Machine) NewReach() *Reach {
	return &Reach{m: m, objs: map[int32]bool{}, seen: map[any]bool{}}
}

// Has reports whether an object can be reached.
func (r *Reach) Has(o *Object) bool { return r.objs[o.ID] }

// FromShared adds what code that is not seen can reach: what it was given, and what is in the
// variables of packages and in foreign variables.
func (r *Reach) FromShared() {
	for _, v := range r.m.Shared {
		r.value(v)
	}
	for _, c := range r.m.globalOrder {
		r.cell(c)
	}
}

// FromProc adds what p can reach.
func (r *Reach) FromProc(p *Proc) {
	r.object(p.uses)
	for _, f := range p.stack {
		for _, v := range f.regs {
			r.value(v)
		}
		for _, d := range f.defers {
			r.value(d.fn)
			for _, v := range d.args {
				r.value(v)
			}
		}
	}
	r.value(p.value)
	for _, v := range p.values {
		r.value(v)
	}
}

func (r *Reach) first(key any) bool {
	if r.seen[key] {
		return false
	}
	r.seen[key] = true
	return true
}

func (r *Reach) value(v Value) {
	switch v := v.(type) {
	case *Cell:
		r.cell(v)
	case *Object:
		r.object(v)
	case Struct:
		r.all(v)
	case Tuple:
		r.all(v)
	case Iface:
		r.value(v.V)
	case *Closure:
		if r.first(v) {
			r.all(v.Free)
		}
	case *Map:
		if r.first(v) {
			r.all(v.Keys)
			r.all(v.Vals)
		}
	case SliceOf:
		r.cell(v.Array)
	case *Context:
		r.context(v)
	case ReadLocker:
		r.cell(v.Of)
	case *iter:
		r.value(v.over)
	case *Sym:
		r.symbol(v)
	}
}

func (r *Reach) all(list []Value) {
	for _, v := range list {
		r.value(v)
	}
}

func (r *Reach) object(o *Object) {
	if o == nil || !r.first(o) {
		return
	}
	r.objs[o.ID] = true
	r.all(o.Buf)
}

func (r *Reach) cell(c *Cell) {
	if c == nil || !r.first(c) {
		return
	}
	r.object(c.obj)
	r.value(c.val)
	for _, k := range c.kids {
		r.cell(k)
	}
}

func (r *Reach) symbol(s *Sym) {
	if !r.first(s) {
		return
	}
	r.cell(s.cell)
	r.object(s.obj)
	if s.ctx != nil {
		r.context(s.ctx)
	}
	for _, c := range s.elems {
		r.cell(c)
	}
}

func (r *Reach) context(c *Context) {
	if !r.first(c) {
		return
	}
	if c.done != nil {
		r.object(c.done)
	}
	if c.parent != nil {
		r.context(c.parent)
	}
}
