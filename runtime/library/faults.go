package library

import (
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() {
	gate.Fault = fault
	gate.Weather = weather
}

// Fault lets the caller choose what goes wrong: one of texts, from 1; 0: nothing does.
func Fault(texts ...string) int {
	states.Spoil("a fault")
	p := world.W.Enter()
	i := world.W.Faults.Choose(p, &world.Scratch(p).Fault, texts...)
	p.Leave()
	return i
}

// faultTexts say what happens to a process that does something.
var faultTexts = map[int]string{
	gate.FaultRefuse: "was refused a connection", gate.FaultShort: "got one byte to read",
	gate.FaultDrop: "lost a datagram",
}

// fault is whether a fault of a kind happens where the caller is. Short reads within the library's
// border are not tried: mistakes of net/http are not looked for.
func fault(kind int) bool {
	p := world.W.Current()
	if p == nil || world.W.Faults.Kinds&kind == 0 ||
		kind == gate.FaultShort && world.W.Inside(p) {
		return false
	}
	return Fault(faultTexts[kind]) > 0
}

// patience is the time after which Linux and Go take a silent connection for broken: keep-alive
// begins after 15s, and 9 probes follow, 15s from each other.
const patience = 150 * time.Second

// weather gives a connection the faults of the network, which may come at any time.
func weather(o unsafe.Pointer) {
	p := world.W.Current()
	if p == nil {
		return
	}
	var modes []int
	var texts []string
	if world.W.Faults.Kinds&gate.FaultReset != 0 {
		modes, texts = append(modes, gate.ShutNetReset), append(texts, "reset a connection")
	}
	if world.W.Faults.Kinds&gate.FaultCut != 0 {
		modes, texts = append(modes, gate.ShutNetCut), append(texts, "cut a connection")
	}
	if len(modes) == 0 {
		return
	}
	world.W.Outside(p, "the network", func() {
		i := Fault(texts...)
		if i == 0 {
			return
		}
		op := gate.StreamOp{Kind: gate.StreamShut, Mode: modes[i-1]}
		if doStream(o, &op) && op.Mode == gate.ShutNetCut {
			time.Sleep(patience)
			doStream(o, &gate.StreamOp{Kind: gate.StreamShut, Mode: gate.ShutNetGone})
		}
	})
}
