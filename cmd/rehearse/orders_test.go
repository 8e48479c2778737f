package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exec"
	"github.com/rehearse-go/rehearse/explore/options"
)

// TestPaperOrders has the executions that dpor, transdpor and race need for the papers' programs, as Go programs, with the orders fifo,
// eca and lca. They are those of explore/strategy's TestTable, which counts deliveries of the same programs in a small
// language: what else the Go programs do, they do within a delivery, but that the test itself waits for one more message. After a
// plus are executions that were cut off.
func TestPaperOrders(t *testing.T) {
	o := options.Default()
	o.Model = "actor"
	packages, err := exec.Build(copyOfTestdata(t), o, []string{"./testdata/register", "./testdata/registry", "./testdata/fib", "./testdata/pi"})
	if err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string]map[string]string{
		"-strategy=dpor": {"TestRegister": "24 27 6", "TestFib3": "8 18 4", "TestFib4": "40 327 16", "TestPi3": "6 27 6",
			"TestPi5": "120 19845 120"},
		"-strategy=transdpor": {"TestRegister": "13 15 6", "TestFib3": "8 18 4", "TestFib4": "40 327 16", "TestPi3": "6 15 6",
			"TestPi5": "120 945 120"},
		"-strategy=dpor -sleep": {"TestRegister": "6+1 6+1 6", "TestFib3": "4 4 4", "TestFib4": "16 16 16", "TestPi3": "6 6+1 6",
			"TestPi5": "120 120+68 120"},
		"-strategy=transdpor -sleep": {"TestRegister": "6 6 6", "TestFib3": "4 4 4", "TestFib4": "16 16 16", "TestPi3": "6 6 6",
			"TestPi5": "120 120 120"},
		"-strategy=race": {"TestRegister": "6 6 6", "TestRegistryOrder": "6 6 6", "TestFib3": "5 5 4", "TestFib4": "17 21 16", "TestPi3": "6 6 6",
			"TestPi5": "120 120 120"},
	} {
		got := map[string]string{}
		for _, order := range []string{"fifo", "eca", "lca"} {
			for _, p := range packages {
				args := append(strings.Fields(flags), "-model=actor", "-order="+order, "-run=Regist|Fib[34]$|Pi[35]$")
				for test, r := range exploreAll(t, p.Binary, args...) {
					got[test] += fmt.Sprintf(" %d", r.Executions)
					if r.Blocked > 0 {
						got[test] += fmt.Sprintf("+%d", r.Blocked)
					}
				}
			}
		}
		for test, executions := range want {
			if got[test] != " "+executions {
				t.Errorf("%s, %s: %s, want %s", test, flags, got[test], executions)
			}
		}
	}
}
