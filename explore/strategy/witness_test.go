package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// witnesses lists the findings of a complete search by s: what is reported of each.
func witnesses(m *micro.Machine, s explore.Strategy) (list []string, complete bool) {
	r := explore.Run(m, s, explore.Limits{MaxExecutions: *largest}, nil)
	for _, f := range r.Findings {
		f.Choices = explore.Normal(explore.Bound(m, nil), &f)
		normal := f.Choices
		f = explore.Minimise(m, f, nil)
		x := m.Execute(&explore.Script{Alts: f.Choices}, false)
		p, _ := explore.Showing(x, f.Problem)
		list = append(list, fmt.Sprintf("%s: %v\n  normal %v\n  least %v: %s", f.Identity, f.Rank,
			normal, f.Choices, p.Message))
	}
	slices.Sort(list)
	return list, r.Complete
}

// TestWitnesses: a finding of a complete search is reported by the same execution, whatever order
// the search met the executions in, and whatever work pieces of the search had.
func TestWitnesses(t *testing.T) {
	compared, findings, crashes := 0, 0, 0
	for i, random := range []func(*rand.Rand) string{micro.Random, micro.RandomCrashes,
		micro.RandomStreams, mail("bag"), mail("pairs")} {
		for n := range uint64(90) {
			text := random(rand.New(rand.NewPCG(n, uint64(211+i))))
			m := micro.New(micro.Parse(text))
			want, complete := witnesses(m, optimal.New())
			if !complete || len(want) == 0 {
				continue
			}
			compared, findings = compared+1, findings+len(want)
			if slices.ContainsFunc(want, func(f string) bool {
				return strings.HasPrefix(f, string(explore.Panic))
			}) {
				crashes++
			}
			for name, s := range map[string]explore.Strategy{
				"dpor": dpor.New(true), "exhaustive": exhaustive.New(),
				"pieces": newInPieces(n), "other pieces": newInPieces(n + 1),
			} {
				if got, complete := witnesses(m, s); complete && !slices.Equal(got, want) {
					t.Errorf("kind %d, program %d, %s:\n%s\nwant\n%s\n%s", i, n, name,
						strings.Join(got, "\n"), strings.Join(want, "\n"), text)
				}
			}
		}
	}
	t.Logf("%d programs with %d findings, %d of them can crash", compared, findings, crashes)
	if findings < 100 || crashes < 10 {
		t.Error("too few findings tell anything")
	}
}
