package depend_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestMayJoin: where values have no numbers, receives in a row of what two others send may be
// joint; where they have, those of equal values are, unless the senders give them an order.
func TestMayJoin(t *testing.T) {
	for _, c := range []struct {
		text        string
		may, joined bool
	}{
		{"chan a 2\nT: <-a; <-a\nP: a<-1\nQ: a<-1", true, true},
		{"chan a\nT: <-a; <-a\nP: a<-1\nQ: a<-1", true, true},
		{"chan a 2\nT: <-a; <-a\nP: a<-1\nQ: a<-2", true, false},
		{"chan a\nT: <-a; <-a\nP: a<-1\nQ: a<-2", true, false},
		{"chan a 2\nT: <-a; <-a\nP: a<-1; a<-1", false, false},
		{"chan a\nT: <-a; <-a\nP: a<-1; a<-1", false, false},
		{"chan a 2\nT: <-a; yield; <-a\nP: a<-1\nQ: a<-1", false, false},
		{"chan a 2\nT: <-a\nU: <-a\nP: a<-1\nQ: a<-1", false, false},
		{"chan a 2\nchan b 2\nT: <-a; <-b\nP: a<-1\nQ: b<-1", false, false},
		{"chan a 2\nT: select <-a; <-a\nP: a<-1\nQ: a<-1", false, false},
		{"chan a 2\nchan b\nT: <-a; <-a\nP: a<-1; b<-1\nQ: <-b; a<-1", true, false},
	} {
		m := micro.New(micro.Parse(c.text))
		x := m.Execute(first{}, false)
		if may := depend.MayJoin(x); may != c.may {
			t.Errorf("%q: MayJoin is %v", c.text, may)
		}
		var o depend.Order
		if joined := o.Joined(x); joined != c.joined {
			t.Errorf("%q: Joined is %v", c.text, joined)
		}
	}
}
