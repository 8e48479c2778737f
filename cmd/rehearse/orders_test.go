package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// TestPaperOrders has the executions and deliveries that dpor and transdpor need for the papers'
// programs, as Go programs, with the orders fifo, eca and lca, and the executions that race needs.
// They are those of explore/strategy's TestTable, which has the same programs in a small language:
// what else the Go programs do, they do within a delivery. In fib the test itself waits for one
// message more, so there is one delivery more for each execution. After a plus are executions that
// were cut off.
func TestPaperOrders(t *testing.T) {
	o := options.Default()
	o.Model = "actor"
	packages, err := exec.Build(copyOfTestdata(t), o,
		[]string{"./testdata/register", "./testdata/registry", "./testdata/fib", "./testdata/pi"})
	if err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string]map[string]string{
		"-strategy=dpor": {"TestRegister": "24/71 27/80 6/17", "TestFib3": "8/38 18/87 4/21",
			"TestFib4": "40/202 327/1649 16/90", "TestPi3": "6/18 27/81 6/18",
			"TestPi5": "120/330 19845/56844 120/330"},
		"-strategy=transdpor": {"TestRegister": "13/39 15/45 6/17", "TestFib3": "8/38 18/87 4/21",
			"TestFib4": "40/202 327/1649 16/90", "TestPi3": "6/18 15/46 6/18",
			"TestPi5": "120/330 945/2743 120/330"},
		"-strategy=dpor -sleep": {"TestRegister": "6+1/22 6+1/25 6/17",
			"TestFib3": "4/24 4/28 4/21",
			"TestFib4": "16/108 16/138 16/90", "TestPi3": "6/18 6+1/26 6/18",
			"TestPi5": "120/330 120+68/635 120/330"},
		"-strategy=transdpor -sleep": {"TestRegister": "6/19 6/22 6/17",
			"TestFib3": "4/24 4/28 4/21",
			"TestFib4": "16/108 16/138 16/90", "TestPi3": "6/18 6/23 6/18",
			"TestPi5": "120/330 120/414 120/330"},
		"-strategy=race": {"TestRegister": "6 6 6", "TestRegistryOrder": "6 6 6",
			"TestFib3": "5 5 4",
			"TestFib4": "17 21 16", "TestPi3": "6 6 6",
			"TestPi5": "120 120 120"},
	} {
		got := map[string]string{}
		for _, order := range []string{"fifo", "eca", "lca"} {
			for _, p := range packages {
				args := append(strings.Fields(flags), "-model=actor", "-order="+order,
					"-run=Regist|Fib[34]$|Pi[35]$")
				for test, r := range exploreAll(t, p.Binary, args...) {
					got[test] += fmt.Sprintf(" %d", r.Executions)
					if r.Blocked > 0 {
						got[test] += fmt.Sprintf("+%d", r.Blocked)
					}
					if r.Deliveries > 0 {
						got[test] += fmt.Sprintf("/%d", r.Deliveries)
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
