package std

import (
	"fmt"
	"go/ast"
	"strings"
)

// gateDir is where the overlay puts package gate, below GOROOT/src. Its other files are the
// caller's to add.
const gateDir = "rehearse/runtime/gate"

// A hook begins with the condition under which the program is the one that is tested.
const (
	isHere  = "if gate.Here() "
	isTimed = "if gate.Timed() "
)

// hook is a statement to insert at the entry of a function.
type hook struct {
	recv     string // receiver's type name, "" for a function
	name     string
	code     string   // $r is the receiver, $1 ... the parameters
	imports  []string // what the code needs beside gate
	optional bool     // younger than the oldest Go that is supported
}

// apply inserts the hooks into the functions of p.
func (p *pkg) apply(hooks []hook) error {
	for _, h := range hooks {
		fn, file := p.method(h.recv, h.name)
		if fn == nil && h.optional {
			continue
		}
		if fn == nil {
			return fmt.Errorf("package %s has no %s with a body", p.path, h.target())
		}
		code, err := h.instance(fn)
		if err != nil {
			return fmt.Errorf("%s: %w", p.at(fn.Pos()), err)
		}
		file.insert(fn.Body.Lbrace+1, " "+code+";")
		file.use(h.imports...)
		if strings.Contains(code, "gate.") {
			file.use(gateDir)
		}
	}
	return nil
}

// hookFile inserts the hooks into the files of package path that contain the text marker.
func hookFile(goroot, path, marker string, hooks []hook, out map[string][]byte) error {
	p, err := load(goroot, path, marker)
	if err != nil {
		return err
	}
	if err := p.apply(hooks); err != nil {
		return err
	}
	p.write(out)
	return nil
}

// target names the function as error messages do.
func (h *hook) target() string {
	if h.recv == "" {
		return "function " + h.name
	}
	return fmt.Sprintf("method (*%s).%s", h.recv, h.name)
}

// instance returns the hook's code with the names that fn gives to its receiver and parameters.
func (h *hook) instance(fn *ast.FuncDecl) (string, error) {
	names := append(receiverNames(fn), nameList(fn.Type.Params)...)
	var oldnew []string
	for i, name := range names {
		v := "$r"
		if i > 0 {
			v = fmt.Sprintf("$%d", i)
		}
		if name == "_" && strings.Contains(h.code, v) {
			return "", fmt.Errorf("%s does not name %s", h.target(), v)
		}
		oldnew = append(oldnew, v, name)
	}
	code := strings.NewReplacer(oldnew...).Replace(h.code)
	if strings.Contains(code, "$") {
		return "", fmt.Errorf("%s has %d parameters, too few", h.target(), len(names)-1)
	}
	return code, nil
}

func receiverNames(fn *ast.FuncDecl) []string {
	if fn.Recv == nil {
		return []string{"_"}
	}
	return nameList(fn.Recv)
}

// nameList returns one name per parameter, "_" for those without.
func nameList(list *ast.FieldList) []string {
	var names []string
	for _, field := range list.List {
		if len(field.Names) == 0 {
			names = append(names, "_")
		}
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
	}
	return names
}
