package facts

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"reflect"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var inventory = Inventory{
	Actors: []Actor{{
		Name: "Server.loop", Package: "example.org/p", Root: "(*Server).loop",
		Pos:   Pos{"p.go", 9, 18},
		Loop:  Pos{"p.go", 10, 2},
		Shape: Select,
		Launches: []Launch{
			{Pos: Pos{"p.go", 5, 2}, In: "New", Calls: []Pos{{"m.go", 2, 3}, {"m.go", 4, 3}}},
			{Pos: Pos{"p.go", 7, 3}, In: "Many", Loop: true, Via: "(*sync.WaitGroup).Go"},
		},
		Family: true,
		Mailboxes: []Mailbox{
			{Name: "Server.in", Kind: Data, Elem: "msg", Capacity: "0",
				Makes: []Pos{{"p.go", 4, 9}, {"q.go", 1, 1}}, Nilable: true,
				Pos: Pos{"p.go", 12, 13},
				Senders: []Sender{
					{Pos: Pos{"c.go", 3, 4}, In: "Ask", Kinds: []string{"*get"}, From: []From{{}}},
					{Pos: Pos{"c.go", 5, 4}, In: "Ask", Kinds: []string{"*get"},
						From: []From{{}, {Actor: "example.org/p.Server.loop",
							Handler: "Server.in::*get"}}},
					{Pos: Pos{"c.go", 9, 4}, In: "Ask.func1",
						From: []From{{Actor: "example.org/p.Server.loop", Spawned: true}}},
				}},
			{Name: "Server.quit", Kind: Control, Elem: "struct{}", Capacity: "unknown",
				Pos: Pos{"p.go", 20, 8},
				Senders: []Sender{{Pos: Pos{"c.go", 12, 4}, In: "Stop", Close: true,
					From: []From{{}}}}},
		},
		Handlers: []Handler{
			{Mailbox: "Server.in", Case: Select, By: ByType, Kind: "*get", Reply: "m.reply",
				Effects: Effects{Sends: []string{"m.reply", "log"}, Spawns: 1},
				Pos:     Pos{"p.go", 14, 3}},
			{Mailbox: "Server.quit", Case: Select, Effects: Effects{Stops: true},
				Pos: Pos{"p.go", 20, 3}},
		},
		State: []State{{Name: "Server.total", Where: Field, Access: "rw", Pos: Pos{"p.go", 3, 2}}},
	}},
	Rejected: []Rejected{{Name: "worker", Pos: Pos{"w.go", 3, 1}, Reason: "worker pool"}},
}

func TestJSONRoundTrip(t *testing.T) {
	text, err := json.Marshal(inventory)
	if err != nil {
		t.Fatal(err)
	}
	var got Inventory
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, inventory) {
		t.Errorf("got %+v", got)
	}
}

func TestWrite(t *testing.T) { testGolden(t, Write, "testdata/inventory.golden") }

func TestWriteDOT(t *testing.T) { testGolden(t, WriteDOT, "testdata/inventory.dot") }

func testGolden(t *testing.T, write func(io.Writer, Inventory) error, golden string) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, inventory); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s", b.String())
	}
}

func TestPos(t *testing.T) {
	tests := []struct {
		text string
		want Pos
		ok   bool
	}{
		{"a.go:3:14", Pos{"a.go", 3, 14}, true},
		{`C:\x\a.go:3:14`, Pos{`C:\x\a.go`, 3, 14}, true},
		{"", Pos{}, true},
		{"a.go", Pos{}, false},
		{"a.go:3", Pos{}, false},
	}
	for _, tt := range tests {
		var got Pos
		err := got.UnmarshalText([]byte(tt.text))
		if (err == nil) != tt.ok || got != tt.want {
			t.Errorf("%q: %+v, %v", tt.text, got, err)
		}
		if text, err := got.MarshalText(); tt.ok && (err != nil || string(text) != tt.text) {
			t.Errorf("%q comes back as %q, %v", tt.text, text, err)
		}
	}
	if s := (Pos{}).String(); s != "-" {
		t.Errorf("no position is %q", s)
	}
}
