package actorprog

// Registry is the paper's Fig. 3: a registry (process 1) gets p from the main block, and m and t
// from two workers (2 and 3) when they get q and h. The task of p touches the number f only, those
// of m and t the number g.
func Registry() *Program {
	const f, g = 1, 2
	forward := func(kind string) Handler {
		return Handler{Run: func(a *Self, m Msg) {
			a.Send(m.Ref, Msg{Kind: kind, Ref: None})
		}, Sends: true}
	}
	return &Program{
		Classes: map[string]map[string]Handler{
			"Reg": {
				"p": {Run: func(a *Self, _ Msg) { a.N[0]++ }, Reads: f, Writes: f},
				"m": {Run: func(a *Self, _ Msg) { a.N[1] *= 2 }, Reads: g, Writes: g},
				"t": {Run: func(a *Self, _ Msg) { a.N[1]++ }, Reads: g, Writes: g},
			},
			"Worker1": {"q": forward("m")},
			"Worker2": {"h": forward("t")},
		},
		Main: func(a *Self) {
			rg, wk1, wk2 := a.New("Reg"), a.New("Worker1"), a.New("Worker2")
			a.Send(rg, Msg{Kind: "p", Ref: None})
			a.Send(wk1, Msg{Kind: "q", Ref: rg})
			a.Send(wk2, Msg{Kind: "h", Ref: rg})
		},
		Calls: calls("Worker1::q -> Reg::m", "Worker2::h -> Reg::t"),
	}
}

// Fib is the paper's Fig. 5, which starts with fib(n).
func Fib(n int) *Program {
	const count, sum = 0, 1
	fib := func(a *Self, m Msg) {
		parent := a.R[0]
		switch {
		case m.Val > 1:
			for i := range 2 {
				child := a.New("Fib", a.ID)
				a.Send(child, Msg{Kind: "fib", Val: m.Val - 1 - i, Ref: None})
			}
		case parent != None:
			a.Send(parent, Msg{Kind: "res", Val: m.Val, Ref: None})
		}
	}
	res := func(a *Self, m Msg) {
		a.N[sum] += m.Val
		if a.N[count]++; a.N[count] == 2 && a.R[0] != None {
			a.Send(a.R[0], Msg{Kind: "res", Val: a.N[sum], Ref: None})
		}
	}
	return &Program{
		Classes: map[string]map[string]Handler{"Fib": {"fib": {Run: fib, Sends: true},
			"res": {Run: res, Reads: 3, Writes: 3, Sends: true}}},
		Main: func(a *Self) {
			a.Send(a.New("Fib"), Msg{Kind: "fib", Val: n, Ref: None})
		},
		Calls: calls("Fib::fib -> Fib::fib", "Fib::fib -> Fib::res", "Fib::res -> Fib::res"),
	}
}

// Pi has a master (process 1) and n workers, each of which sends it one number that it adds up.
func Pi(n int) *Program {
	return &Program{
		Classes: map[string]map[string]Handler{
			"Master": {"res": {Run: func(a *Self, m Msg) { a.N[0] = a.N[0]/2 + m.Val }, Reads: 1,
				Writes: 1}},
			"Worker": {"work": {Run: func(a *Self, m Msg) {
				a.Send(m.Ref, Msg{Kind: "res", Val: m.Val, Ref: None})
			}, Sends: true}},
		},
		Main: func(a *Self) {
			master := a.New("Master")
			for i := range n {
				a.Send(a.New("Worker"), Msg{Kind: "work", Val: 1 << i, Ref: master})
			}
		},
		Calls: calls("Worker::work -> Master::res"),
	}
}

// Keeper has a target (process 1), a keeper (2) and a caller (3). The keeper is told of the target
// by "keep", and on "tell" sends it a message; the caller sends "tell" to the keeper on "go".
func Keeper() *Program {
	tell := func(a *Self, _ Msg) {
		if a.R[0] != None {
			a.Send(a.R[0], Msg{Kind: "double", Ref: None})
		}
	}
	return &Program{
		Classes: map[string]map[string]Handler{
			"Target": {
				"add":    {Run: func(a *Self, _ Msg) { a.N[0]++ }, Reads: 1, Writes: 1},
				"double": {Run: func(a *Self, _ Msg) { a.N[0] *= 2 }, Reads: 1, Writes: 1},
			},
			"Keeper": {
				"keep": {Run: func(a *Self, m Msg) { a.R[0] = m.Ref }, Writes: 1},
				"tell": {Run: tell, Reads: 1, Sends: true},
			},
			"Caller": {"go": {Run: func(a *Self, _ Msg) {
				a.Send(a.R[0], Msg{Kind: "tell", Ref: None})
			}, Sends: true}},
		},
		Main: func(a *Self) {
			target, keeper := a.New("Target"), a.New("Keeper")
			a.Send(target, Msg{Kind: "add", Ref: None})
			a.Send(keeper, Msg{Kind: "keep", Ref: target})
			a.Send(a.New("Caller", keeper), Msg{Kind: "go", Ref: None})
		},
		Calls: calls("Caller::go -> Keeper::tell", "Keeper::tell -> Target::double"),
	}
}
