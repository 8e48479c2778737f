package refining

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// mostOfKind bounds the values of one kind that are taken from a fuzz corpus: a script has a value
// for each place, and there are scripts with all of them.
const mostOfKind = 6

// corpusOf reads the seeds of a package's fuzz tests, the arguments of f.Add that are literals, and
// then the files below testdata/fuzz. left counts those beyond the bound.
func corpusOf(dirs ...string) (list []refine.Letter, left int, err error) {
	var all []refine.Letter
	for i, dir := range dirs {
		if slices.Contains(dirs[:i], dir) {
			continue
		}
		seeds, err := seedsIn(dir)
		if err != nil {
			return nil, 0, err
		}
		files, err := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", "*", "*"))
		if err != nil {
			return nil, 0, err
		}
		all = append(all, seeds...)
		for _, file := range files {
			more, err := corpusFile(file)
			if err != nil {
				return nil, 0, err
			}
			all = append(all, more...)
		}
	}
	kinds := map[string]int{}
	for _, l := range all {
		if slices.Contains(list, l) {
			continue
		}
		if kinds[l.Kind] == mostOfKind {
			left++
			continue
		}
		kinds[l.Kind]++
		list = append(list, l)
	}
	return list, left, nil
}

// seedsIn finds calls of Add in fuzz tests.
func seedsIn(dir string) (list []refine.Letter, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if is && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				list = append(list, addedIn(fn)...)
			}
		}
	}
	return list, nil
}

// addedIn finds the arguments of calls of Add in a fuzz test.
func addedIn(fn *ast.FuncDecl) (list []refine.Letter) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if sel, is := call.Fun.(*ast.SelectorExpr); !is || sel.Sel.Name != "Add" {
			return true
		}
		for _, arg := range call.Args {
			if l, ok := letterIn(arg); ok {
				list = append(list, l)
			}
		}
		return true
	})
	return list
}

// corpusFile reads one file of a fuzz corpus: a line for each argument, as `string("a")`.
func corpusFile(file string) (list []refine.Letter, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	const head = "go test fuzz v1\n"
	rest, is := strings.CutPrefix(string(text), head)
	if !is {
		return nil, fmt.Errorf("%s:1: a file of a fuzz corpus begins with %q", file,
			strings.TrimSpace(head))
	}
	for i, line := range strings.Split(strings.TrimSpace(rest), "\n") {
		e, err := parser.ParseExpr(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %v", file, i+2, err)
		}
		if l, ok := letterIn(e); ok {
			list = append(list, l)
		}
	}
	return list, nil
}

// letterIn is the value of a literal, or of a conversion of one.
func letterIn(e ast.Expr) (l refine.Letter, ok bool) {
	kind := ""
	if call, is := e.(*ast.CallExpr); is && len(call.Args) == 1 {
		switch f := call.Fun.(type) {
		case *ast.Ident:
			kind = map[string]string{"byte": "uint8", "rune": "int32"}[f.Name]
			if kind == "" {
				kind = f.Name
			}
		case *ast.ArrayType:
			kind = "[]byte"
		default:
			return l, false
		}
		e = call.Args[0]
	}
	sign := ""
	if u, is := e.(*ast.UnaryExpr); is && u.Op == token.SUB {
		sign, e = "-", u.X
	}
	switch x := e.(type) {
	case *ast.Ident:
		return refine.Letter{Kind: "bool", Text: x.Name}, x.Name == "true" || x.Name == "false"
	case *ast.BasicLit:
		text, of, err := sign+x.Value, "int", error(nil)
		switch x.Kind {
		case token.STRING:
			of = "string"
			text, err = strconv.Unquote(x.Value)
		case token.FLOAT:
			of = "float64"
		case token.CHAR:
			var r rune
			r, _, _, err = strconv.UnquoteChar(strings.Trim(x.Value, "'"), '\'')
			of, text = "int32", fmt.Sprint(r)
		}
		if kind == "" {
			kind = of
		}
		return refine.Letter{Kind: kind, Text: text}, err == nil
	}
	return l, false
}
