package refine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// step writes one step of the path.
func (w *writer) step(i int, s Step) {
	w.b.WriteString("\n")
	w.line("// %d  %s %s", i+1, s.Kind.Word(),
		strings.ReplaceAll(s.Text(w.d.Script, w.of), "\n", " "))
	switch {
	case s.in < 0:
		w.output(i, s)
	case s.Kind == Receive:
		w.begin(s)
	case s.Kind == Answer:
		w.answer(s)
	default:
		w.operation(s)
	}
}

// begin lets a receive begin.
func (w *writer) begin(s Step) {
	if !w.async {
		w.receiver(s.Port, w.expression(s.Port))
		w.line("%s <- true", variable("begin", s.Port))
	}
}

// answer answers a call of a callback.
func (w *writer) answer(s Step) {
	o := s.after[0]
	p := w.of.callback(w.d.Script, o.Port)
	if p == nil {
		w.fail("it answers a call of an unknown function")
		return
	}
	args := w.d.Script.AnswersOf(o.Port)[o.Seq]
	var values []string
	for j := range p.Args {
		values = append(values,
			w.argument(*p, j, args[j], p.Out[j], fmt.Sprintf("^%s.%d.%d", o.Port, o.Seq, j)))
	}
	w.line("%s.answer <- []any{%s}", w.seen[o]+"_call", strings.Join(values, ", "))
}

// operation begins an operation: a call has a process of its own, the sends of a channel have one.
func (w *writer) operation(s Step) {
	op := w.d.Script.Ops[s.Op-1]
	p := w.of.portIn(w.d.Script, op)
	if op.Kind == Cancel {
		w.line("cancel_%s()", w.expression(op.On))
		return
	}
	if p == nil && op.Kind != Close {
		w.fail("it uses %s, whose type it does not know", op.On)
		return
	}
	on := w.expression(op.On) + op.Name
	var args []string
	for j, a := range op.Args {
		typ := p.In[0]
		if op.Kind == Call {
			typ = p.In[j]
		}
		args = append(args, w.argument(*p, j, a, typ, own(s.Op-1, j)))
	}
	if op.Kind == Call {
		w.call(s, p, on, args)
		return
	}
	ended, queue := fmt.Sprintf("r%d", s.Op), variable("queue", s.Port)
	if !w.begun[queue] {
		w.begun[queue] = true
		w.line("%s := make(chan func(), 64)", queue)
		w.line("go func() {")
		w.line("	for send := range %s {", queue)
		w.line("		send()")
		w.line("	}")
		w.line("}()")
	}
	w.line("%s := make(chan []any, 1)", ended)
	do := fmt.Sprintf("%s <- %s", on, strings.Join(args, ", "))
	if op.Kind == Close {
		do = fmt.Sprintf("close(%s)", on)
	}
	w.line("%s <- func() { %s; %s <- nil }", queue, do, ended)
}

// call has a process call the function at port p; the process tells of its end in a channel.
func (w *writer) call(s Step, p *Port, on string, args []string) {
	ended := fmt.Sprintf("r%d", s.Op)
	if p.Rest {
		args[len(args)-1] += "..."
	}
	w.line("%s := make(chan []any, 1)", ended)
	w.line("go func() {")
	if w.d.Path[len(w.d.Path)-1].Kind != Panic {
		w.line("	defer func() { recover() }() // a call that panics does not return")
	}
	if len(p.Out) == 0 {
		w.line("	%s(%s)", on, strings.Join(args, ", "))
		w.line("	%s <- nil", ended)
	} else {
		var results []string
		for j := range p.Out {
			results = append(results, fmt.Sprintf("v%d", j))
		}
		list := strings.Join(results, ", ")
		w.line("	%s := %s(%s)", list, on, strings.Join(args, ", "))
		w.line("	%s <- []any{%s}", ended, list)
	}
	w.line("}()")
	if !slices.ContainsFunc(w.d.Path, func(t Step) bool {
		return (t.Kind == Return || t.Kind == Waits) && t.Port == ended
	}) {
		w.line("_ = %s", ended)
	}
}

// output waits for an output, and compares it.
func (w *writer) output(i int, s Step) {
	v := fmt.Sprintf("o%d", i+1)
	w.seen[Outcome{s.Port, s.seq}] = v
	switch {
	case s.Kind == Panic, s.Kind == Sent && w.d.Script.Ops[s.Op-1].Kind == Cancel:
		return // a test waits for the first at its end, and for the second where it cancels
	case s.Kind == Waits:
		w.line("select {")
		w.line("case <-%s:", s.Port)
		w.line("	return")
		w.line("case <-patience:")
		w.line("}")
		return
	case s.Kind == Callback:
		w.line("var %s_call call", v)
		w.wait(v+"_call = <-"+variable("calls", s.Port), "")
		w.line("_ = %s_call", v)
		if w.compares(s.out) {
			w.line("%s := %s_call.args", v, v)
		}
	case w.d.Script.Bags && !w.d.Script.Pairs && s.Kind == Received:
		w.bag(v, variable("got", s.Port), s)
	case s.Kind == Closed:
		w.line("open := true")
		w.wait("_, open = <-"+variable("got", s.Port), "open")
	case s.Kind == Received:
		w.line("%s := []any(nil)", v)
		w.wait(v+" = <-"+variable("got", s.Port), v+" == nil")
	case w.compares(s.out):
		w.line("var %s []any", v)
		w.wait(v+" = <-"+s.Port, "")
	default:
		w.wait("<-"+s.Port, "")
	}
	if w.d.Other && i == len(w.d.Path)-1 {
		w.other(v)
		return
	}
	w.compare(v, s.out)
}

// other leaves if a value is one that the other side has, too.
func (w *writer) other(v string) {
	for _, value := range w.d.Instead {
		var equal []string
		for i, plain := range value.Plain {
			equal = append(equal, shows(fmt.Sprintf("%s[%d]", v, i), "==", plain))
		}
		w.line("if %s {", strings.Join(equal, " && "))
		w.line("	return")
		w.line("}")
	}
}

// wait waits for a communication, and leaves if it does not come, or something is so after it.
func (w *writer) wait(communication, leave string) {
	w.line("select {")
	w.line("case %s:", communication)
	w.line("case <-patience:")
	w.line("	return")
	w.line("}")
	if leave != "" {
		w.line("if %s {", leave)
		w.line("	return")
		w.line("}")
	}
}

// compares reports whether there is something to compare in a value.
func (w *writer) compares(out Value) bool {
	return slices.ContainsFunc(out.Plain, func(p string) bool { return p != "" }) ||
		slices.ContainsFunc(out.Names, func(n Name) bool { return !strings.Contains(n.Path, ".") })
}

// bag looks for a value among those that have come, which are in no order.
func (w *writer) bag(v, from string, s Step) {
	have := variable("have", s.Port)
	if !w.begun[have] {
		w.begun[have] = true
		w.line("var %s [][]any", have)
	}
	w.line("var %s []any", v)
	w.line("for %s == nil {", v)
	w.line("	for i, one := range %s {", have)
	if plain := s.out.Plain; len(plain) == 1 && plain[0] != "" {
		w.line("		if %s {", shows("one[0]", "==", plain[0]))
	} else {
		w.line("		{")
	}
	w.line("			%s, %s = one, append(%s[:i:i], %s[i+1:]...)", v, have, have, have)
	w.line("			break")
	w.line("		}")
	w.line("	}")
	w.line("	if %s != nil {", v)
	w.line("		break")
	w.line("	}")
	w.line("	select {")
	w.line("	case one := <-%s:", from)
	w.line("		%s = append(%s, one)", have, have)
	w.line("	case <-patience:")
	w.line("		return")
	w.line("	}")
	w.line("}")
	w.compare(v, s.out)
}

// shows compares an expression with the plain text of a value.
func shows(expression, by, plain string) string {
	f := "show"
	if strings.HasPrefix(plain, Typed) {
		f = "typed"
	}
	return fmt.Sprintf("%s(%s) %s %s", f, expression, by, strconv.Quote(plain))
}

// compare compares the values of an output: data by text, names by identity.
func (w *writer) compare(v string, out Value) {
	for i, plain := range out.Plain {
		if plain != "" {
			w.line("if %s {", shows(fmt.Sprintf("%s[%d]", v, i), "!=", plain))
			w.line("	return")
			w.line("}")
		}
	}
	for _, n := range out.Names {
		parts := strings.Split(n.Path, ".")
		if len(parts) > 1 || n.Copy {
			continue // names within data are told apart by what is done with them
		}
		at := fmt.Sprintf("%s[%s]", v, parts[0])
		switch known := w.names[n.ID]; {
		case n.Own != "":
			w.line("if !same(%s, %s) {", at, w.expression(n.Own))
		case known != "":
			w.line("if !same(%s, %s) {", at, known)
		default:
			var old []string
			for id := 1; id <= 64; id++ {
				if w.names[id] != "" {
					old = append(old, fmt.Sprintf("same(%s, %s)", at, w.names[id]))
				}
			}
			w.names[n.ID] = at
			w.line("if %s {", strings.Join(append([]string{at + " == nil"}, old...), " || "))
		}
		w.line("	return")
		w.line("}")
	}
}
