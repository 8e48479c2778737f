package refine

import (
	"fmt"
	"strings"
)

// parameter writes what the harness takes, and returns the expression for it.
func (w *writer) parameter(p Param) string {
	switch {
	case p.Test:
		return "t"
	case len(p.Fields) > 0:
		var fields []string
		for _, f := range p.Fields {
			fields = append(fields, f+": "+w.operand(p.Name+"."+f, w.portsOn(p.Name+"."+f)))
		}
		return strings.Replace(p.Type, "*", "&", 1) + "{" + strings.Join(fields, ", ") + "}"
	}
	return w.operand(p.Name, w.portsOn(p.Name))
}

func (w *writer) portsOn(on string) (list []Port) {
	for _, p := range w.of.Ports {
		if p.On == on {
			list = append(list, p)
		}
	}
	return list
}

// operand writes a channel, function or interface of the environment's, with these ports.
func (w *writer) operand(on string, ports []Port) string {
	v := variable("our", on)
	w.vars[on] = v
	if len(ports) == 0 {
		return "nil"
	}
	switch p := ports[0]; {
	case p.Kind == Cancel:
		w.line("%s, cancel_%s := context.WithCancel(context.Background())", v, v)
		w.line("_ = cancel_%s", v)
	case p.Kind == Receive, p.Kind == Send:
		w.line("%s := make(chan %s)", v, p.In[0])
		if p.Kind == Receive && w.async {
			w.receiver(on, v)
		}
	case p.Kind == Callback && p.Name == "":
		w.line("%s := %s", v, w.callback(on, p))
	case p.Kind == Callback:
		w.implementation(on, v, ports)
	}
	return v
}

// callback writes a function of the environment's.
func (w *writer) callback(port string, p Port) string {
	calls := variable("calls", port)
	w.line("%s := make(chan call, 64)", calls)
	params, args := parameters(p)
	var results []string
	var b strings.Builder
	fmt.Fprintf(&b, "func(%s) (%s) {\n\t\tc := call{[]any{%s}, make(chan []any, 1)}\n\t\t%s <- c\n",
		strings.Join(params, ", "), strings.Join(p.Out, ", "), strings.Join(args, ", "), calls)
	if len(p.Out) == 0 {
		return b.String() + "\t\t<-c.answer\n\t}"
	}
	fmt.Fprintf(&b, "\t\tout := <-c.answer\n")
	for i, t := range p.Out {
		fmt.Fprintf(&b, "\t\tr%d, _ := out[%d].(%s)\n", i, i, t)
		results = append(results, fmt.Sprintf("r%d", i))
	}
	return b.String() + "\t\treturn " + strings.Join(results, ", ") + "\n\t}"
}

// parameters writes the parameters of a function, and their names.
func parameters(p Port) (list, names []string) {
	for i, t := range p.In {
		if p.Rest && i == len(p.In)-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		name := fmt.Sprintf("a%d", i)
		list, names = append(list, name+" "+t), append(names, name)
	}
	return list, names
}

// implementation writes an interface of the environment's: a struct of functions.
func (w *writer) implementation(on, v string, ports []Port) {
	name := variable("refine", on) + "_HASH"
	fmt.Fprintf(&w.types, "\ntype %s struct {\n", name)
	for _, p := range ports {
		params, _ := parameters(p)
		fmt.Fprintf(&w.types, "\t%s func(%s) (%s)\n", strings.ToLower(p.Name[1:2])+p.Name[2:],
			strings.Join(params, ", "), strings.Join(p.Out, ", "))
	}
	fmt.Fprintln(&w.types, "}")
	var fields []string
	for _, p := range ports {
		field := strings.ToLower(p.Name[1:2]) + p.Name[2:]
		params, args := parameters(p)
		if p.Rest {
			args[len(args)-1] += "..."
		}
		ret := "return "
		if len(p.Out) == 0 {
			ret = ""
		}
		fmt.Fprintf(&w.types, "\nfunc (x %s) %s(%s) (%s) { %sx.%s(%s) }\n", name, p.Name[1:],
			strings.Join(params, ", "), strings.Join(p.Out, ", "), ret, field,
			strings.Join(args, ", "))
		fields = append(fields, w.callback(on+p.Name, p))
	}
	w.line("%s := %s{%s}", v, name, strings.Join(fields, ", "))
}

// receiver starts a process that receives from a channel: when it is told to, or, for asynchronous
// clients, always.
func (w *writer) receiver(port, ch string) {
	if w.begun[port] {
		return
	}
	w.begun[port] = true
	got, begin := variable("got", port), variable("begin", port)
	w.line("%s, %s := make(chan []any, 64), make(chan bool, 64)", got, begin)
	w.line("go func() {")
	if w.async {
		w.line("	for v := range %s {", ch)
		w.line("		%s <- []any{v}", got)
		w.line("	}")
	} else {
		w.line("	for range %s {", begin)
		w.line("		v, ok := <-%s", ch)
		w.line("		if !ok {")
		w.line("			break")
		w.line("		}")
		w.line("		%s <- []any{v}", got)
		w.line("	}")
	}
	w.line("	close(%s)", got)
	w.line("}()")
	if w.async {
		w.line("_ = %s", begin)
	}
}
