package discipline

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/actors"
)

// Survey is the analyzer for rules about receivers. It surveys the package of its pass; a driver
// that knows the whole program puts a survey of that in its place.
var Survey = &analysis.Analyzer{
	Name:       "rehearsesurvey",
	Doc:        "find the goroutines of a package and what they receive",
	ResultType: reflect.TypeFor[*actors.Survey](),
	Requires:   []*analysis.Analyzer{Code},
	Run: func(pass *analysis.Pass) (any,
		error) {
		return pass.ResultOf[Code].(*Package).survey, nil
	},
}
