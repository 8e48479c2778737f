package library

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() {
	gate.BubbleWait = bubbleWait
	gate.InBubble = func() bool {
		p := world.W.Current()
		return p != nil && p.Bubble != nil
	}
}

func bubbleWait() {
	p := world.W.Enter()
	world.W.Groups.Wait(p, world.W.Clock.Object())
	p.Leave()
}
