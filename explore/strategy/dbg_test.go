package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

type dbg struct{ explore.Strategy }

func (d *dbg) End(x *trace.Execution) {
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	fmt.Print("EXEC ", x.End, " hash ", o.Hash()%10000, ": ")
	for i := range x.Events {
		e := &x.Events[i]
		fmt.Printf("%d.%v/%d", e.Proc, e.Kind, e.Case)
		if e.Partner >= 0 {
			fmt.Printf(">%d/%d", e.Partner, e.PartnerCase)
		}
		fmt.Printf("@%d ", e.Obj)
	}
	fmt.Println()
	d.Strategy.End(x)
	strategy.Dump(d.Strategy)
}

func TestDbg(t *testing.T) {
	if n, err := strconv.Atoi(os.Getenv("CH")); err == nil {
		procs := randomChances(rand.New(rand.NewPCG(uint64(n), 9)))
		exploreChances(procs, &dbg{strategy.NewOptimal()})
	}
	if n, err := strconv.Atoi(os.Getenv("MI")); err == nil {
		seed := uint64(1)
		if os.Getenv("SEED") != "" {
			seed = 2
		}
		text := micro.Random(rand.New(rand.NewPCG(uint64(n), seed)))
		fmt.Println(text)
		run(micro.New(micro.Parse(text)), &dbg{strategy.NewOptimal()}, 1000)
	}
}
