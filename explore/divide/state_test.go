package divide_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// BenchmarkWrite writes down a search with as many outcomes as are listed, as is done every 10 s.
func BenchmarkWrite(b *testing.B) {
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
	w := journal.NewWriter(filepath.Join(b.TempDir(), "j"), journal.Key{})
	for b.Loop() {
		s := divide.State{Keeper: k.Save(), Parts: []explore.Part{p}}
		if err := w.Write(&s); err != nil {
			b.Fatal(err)
		}
	}
}
