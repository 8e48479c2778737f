package divide_test

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestCost: to write down a search with as many outcomes as are listed takes less than 1 % of the
// 10 s between two times.
func TestCost(t *testing.T) {
	k, m := items.New(), micro.New(micro.Parse(travellers))
	id, _ := k.Take()
	r := piece(m, divide.Task{Item: k.Item(id), Hungry: 9}, explore.Limits{MaxExecutions: 2})
	k.Accept(id, &r.Left)
	p := r.Part
	for n := range 1 << 14 {
		log := fmt.Sprintf("[%d 1 2 3 4 5 6 7]", n)
		p.Outcomes = append(p.Outcomes, explore.Outcome{Verdict: "pass", Log: log, Count: 1})
		p.Keys = append(p.Keys, []string{"pass", log})
	}
	w := journal.NewWriter(filepath.Join(t.TempDir(), "j"), journal.Key{})
	least := time.Hour
	for range 5 {
		before := processor(t)
		s := divide.State{Keeper: k.Save(), Parts: []explore.Part{p}}
		if err := w.Write(&s); err != nil {
			t.Fatal(err)
		}
		least = min(least, processor(t)-before)
	}
	t.Logf("%v of processor time, %.2f %%", least, 100*least.Seconds()/10)
	if least > 100*time.Millisecond {
		t.Error("that is more than 1 %")
	}
}

// processor is the processor time that the process has taken.
func processor(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
