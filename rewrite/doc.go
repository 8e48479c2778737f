// Package rewrite turns the channel operations, atomic operations, go statements and process exits
// of a type-checked package into calls of package hook. It is pure: syntax and types in, source
// text out.
//
// Rewriting is type-preserving: channels keep their types and pass in and out of code that is not
// rewritten. Only operations change, into these shapes (the import's real name is one that the
// package does not use yet):
//
//	make(chan T, n)              _rehearse.Made(make(chan T, n))
//	ch <- v                      _rehearse.Send(ch).V(v)
//	<-ch                         _rehearse.Recv(ch)
//	v, ok := <-ch                v, ok := _rehearse.Recv2(ch)
//	<-ch, _ = <-ch               _rehearse.Recv(ch, _rehearse.Drops)   and likewise in for range
//	close(ch), len(ch)           _rehearse.Close(ch), _rehearse.Len(ch)
//	for v := range ch {          for _c := ch; ; { v, _ok := _rehearse.Next(_c); if !_ok { break }; {
//	for k, v := range m {        for _i, k, v := _rehearse.RangeKV(m); _i.Next(); { k, v = _i.K, _i.V;   a map
//	select {                     switch _r0, _s1 := _rehearse.R(a), _rehearse.S(b).Case(x);
//	                                 _rehearse.Select(true, _r0, _s1) {
//	case v, ok := <-a:           case 0: v, ok := _r0.V, _r0.OK;
//	case b <- x:                 case 1:
//	default:                     default:
//	for range n { go f() }       _rehearse.Twins(); for range n { _rehearse.Twin(0); _rehearse.Go("f", f) }   if wanted: see twins
//	for !x.Load() {              for _rehearse.Polls(); !_rehearse.AtBool(&x).Load(); { _rehearse.Round();   if it only looks: see rounds
//	go f(x, 1)                   { _a0 := x; _rehearse.Go("f", func() { f(_a0, 1) }) }
//	runtime.Gosched, os.Exit     _rehearse.Gosched, _rehearse.Exit
//	maps.Keys(m)                 _rehearse.MapKeys(m)
//	runtime.NumGoroutine         _rehearse.NumGoroutine; at the end: func init() { _rehearse.CountsGoroutines() }
//	req.RemoteAddr               _rehearse.Peer(req).RemoteAddr, for a *http.Request; else at the end: func init() { _rehearse.NamesPeers() }
//	runtime.Stack                it stays; at the end: func init() { _rehearse.ShowsCreators() }
//	var v = x                    var v = x; func init() { _rehearse.Keep("v:1", &v) }   if an execution may change it
//	atomic.AddInt32(&n, 1)       _rehearse.AddInt32(&n, 1)
//	x.n, x.n = 1                 (*_rehearse.Read(&x.n, "x.n at f.go:7")), (*_rehearse.Write(...)) = 1   if shared: see accesses
//	x.Load()                     _rehearse.AtInt32(&x).Load()         (x is an atomic.Int32; also without a call)
//	(*atomic.Int32).Load         (func(p *atomic.Int32) int32 { return _rehearse.AtInt32(p).Load() })
//
// Vocabulary: the hook is package runtime/hook, under any import path. An operation is syntax for
// which the hook has a function. A temporary is a variable that only the rewritten text has.
//
// Guarantees:
//   - The result type-checks if the input did.
//   - Without a controlled run, the result behaves like the input. Operands are evaluated once,
//     when and where the language says. Loop variables are per iteration or per loop, as the file's
//     language version says.
//   - Every line stays on its line, and a line directive at the package clause names the user's
//     file, so positions, stacks and coverage are the user's.
//   - A file without operations and without variables that may change is not part of the output.
//
// LIMITS: operations made through package reflect, or inside code that was not given, stay as they
// are. cap(ch) stays, because it never changes. Variables in files that cgo reads or writes are not
// kept. Refused, with a position: operations in files that cgo reads or writes; len of a type
// parameter that may be a channel or something else; types that must be written down but cannot be
// named where they are needed. A call of a method of sync/atomic through an interface or a type
// parameter is no operation: a guard ends an execution that comes there (met.go). Package accesses
// has the limits of announced accesses. Comments inside the operands of a select statement are
// lost.
package rewrite
