package trace

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// sample has every shape that a choice can take.
var sample = &Schedule{
	Package: "example.org/inventory", Test: "TestInventory", Model: "go", Finding: "fail",
	Message: "first read 0,\n second read 1",
	Choices: []Choice{
		{Proc: "0", Kind: Send, Partner: "0.0", PartnerKind: Recv},
		{Proc: "0.0", Kind: Send},
		{Proc: "0.0", Kind: Send},
		{Proc: "0.1", Kind: Select, Case: 1, Partner: "0", PartnerKind: Select},
		{Proc: "0.1", Kind: Select, Case: -1},
	},
}

const sampleText = `rehearse schedule v1
package  example.org/inventory
test     TestInventory
model    go
finding  fail
message  first read 0, second read 1
choices  5

0 send > 0.0 recv
0.0 send x2
0.1 select 1 > 0 select 0
0.1 select default
end bf9f88ae
`

func TestFormat(t *testing.T) {
	if got := string(sample.Format()); got != sampleText {
		t.Errorf("Format:\n%s\nwant:\n%s", got, sampleText)
	}
	if !strings.HasSuffix(sampleText, "end "+sample.Hash()+"\n") {
		t.Errorf("Hash = %s is not the one of the end line", sample.Hash())
	}
}

func TestParseIsTheInverseOfFormat(t *testing.T) {
	for _, text := range []string{sampleText, strings.ReplaceAll(sampleText, "\n", "\r\n")} {
		s, err := ParseSchedule([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := *sample
		want.Message = "first read 0, second read 1" // a file keeps one line
		if !reflect.DeepEqual(s, &want) {
			t.Errorf("got %+v\nwant %+v", s, &want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	cut := func(after string) string {
		return sampleText[:strings.Index(sampleText, after)+len(after)]
	}
	swap := func(old, new string) string { return strings.Replace(sampleText, old, new, 1) }
	tests := []struct{ name, text, want string }{
		{"empty", "", "the file is empty; run rehearse test again to save it anew"},
		{"cut in the first line", "rehearse sch", "file ends in its first line: it was cut off"},
		{"cut in the header", cut("TestInv"), "file ends within its header: it was cut off"},
		{"cut between choices", cut("send x2\n"),
			"file ends after 3 of 5 choices: it was cut off; run rehearse test again to save it anew"},
		{"cut in a choice", cut("0.0 sen"), "file ends after 1 of 5 choices: it was cut off"},
		{"cut in the end line", cut("\nend bf"), "file ends after 5 of 5 choices: it was cut off"},
		{"garbage", "\x7fELF\x02\x01\n",
			`not a schedule: its first line is not "rehearse schedule v1"`},
		{"Go source", "package p\n", `not a schedule`},
		{"later version", swap("v1", "v7"),
			"version 7 of the schedule format, and this rehearse reads version 1 only"},
		{"unknown header", swap("model ", "modle "), `line 4: unknown header "modle"`},
		{"header twice", swap("model ", "test  "), `line 4: a second line "test"`},
		{"no count", swap("choices  5\n", ""), `line 7: the header has no line "choices N"`},
		{"bad count", swap("choices  5", "choices  five"), `line 7: "five" is not a number`},
		{"huge count", swap("choices  5", "choices  99999999"),
			"line 7: 99999999 choices are more than"},
		{"a choice too few", swap("0.1 select default\n", ""),
			"line 12: 4 choices where the header says 5"},
		{"a choice too many", swap("x2", "x3"),
			"line 12: more choices than the 5 that the header says"},
		{"bad path", swap("0.0 send", "0..0 send"),
			`line 10: "0..0" is not the path of a process, such as 0.2`},
		{"bad operation", swap("0.0 send", "0.0 sends"), `line 10: "sends" is not an operation`},
		{"no operation", swap("0.0 send", "0.0"), `line 10: "" is not an operation`},
		{"no case", swap("select default", "select"),
			`line 12: "0.1 select": a select, a draw or a pick, and nothing else, has a case`},
		{"draw without a value", swap("select default", "draw"),
			`line 12: "0.1 draw": a select, a draw or a pick, and nothing else, has a case`},
		{"default of a draw", swap("select default", "draw default"),
			`line 12: "default" is not a number`},
		{"hidden choices", swap("choices  5", "hidden   rand,cards\nchoices  5"),
			`line 7: "cards" is no kind of hidden choices`},
		{"bad case", swap("select default", "select -1"), `line 12: "-1" is not a number`},
		{"bad repeat", swap("x2", "x1"), `line 10: "x1" is not a repeat count`},
		{"changed", swap("0.0 recv", "0.1 recv"), "line 13: the content does not match this hash"},
		{"text after the end", sampleText + "more\n", "line 14: text after the end line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := ParseSchedule([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, %v\nwant an error with %s", s, err, tt.want)
			}
		})
	}
}

func TestEveryProperPrefixIsAnError(t *testing.T) {
	for i := range sampleText {
		if s, err := ParseSchedule([]byte(sampleText[:i])); err == nil {
			t.Errorf("first %d bytes parse as %+v", i, s)
		}
	}
}

func TestChoicesNamesPaths(t *testing.T) {
	x := &Execution{
		Procs: []Proc{{Path: "0"}, {Path: "0.0"}},
		Events: []Event{
			{Alt: Alt{Proc: 1, Partner: 0, Case: 2}, Op: Op{Kind: Select},
				PartnerOp: Op{Kind: Recv},
				Kind:      Send},
			{Alt: Alt{Proc: 0, Partner: -1}, Op: Op{Kind: Log}, Kind: Log},
		},
	}
	var got []string
	for _, c := range x.Choices() {
		got = append(got, c.String())
	}
	if want := []string{"0.0 select 2 > 0 recv", "0 log"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHiddenChoices: the value that was drawn and the key that came next are a part of the
// schedule.
func TestHiddenChoices(t *testing.T) {
	s := &Schedule{Package: "p", Test: "T", Model: "go", Hidden: "rand,maps", Choices: []Choice{
		{Proc: "0", Kind: Draw, Case: 5}, {Proc: "0", Kind: Draw, Case: 5},
		{Proc: "0.0", Kind: Pick},
	}}
	text := string(s.Format())
	if want := "hidden   rand,maps\nchoices  3\n\n0 draw 5 x2\n0.0 pick 0\n"; !strings.Contains(
		text,
		want) {
		t.Errorf("Format:\n%s\nwant\n%s", text, want)
	}
	if got, err := ParseSchedule([]byte(text)); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, s)
	}
}

// TestMessages: which message a receive from a mailbox took is a part of the schedule.
func TestMessages(t *testing.T) {
	x := &Execution{
		Procs: []Proc{{Path: "0"}, {Path: "0.0"}, {Path: "0.1"}},
		Events: []Event{
			{Alt: Alt{Proc: 1, Partner: -1}, Op: Op{Kind: Send, Cap: Bag}, Kind: Send, Cap: Bag,
				Seq: 3},
			{Alt: Alt{Proc: 2, Partner: -1, Takes: Message{1, 3}}, Op: Op{Kind: Recv, Cap: Bag},
				Kind: Recv,
				Cap:  Bag, Seq: 3},
			{Alt: Alt{Proc: 2, Partner: -1, Case: 1, Takes: Message{1, 4}}, Op: Op{Kind: Select},
				Kind: Recv,
				Cap:  Pairs, Seq: 4},
			{Alt: Alt{Proc: 2, Partner: -1}, Op: Op{Kind: Recv, Cap: Bag}, Kind: Recv, Cap: Bag,
				Closed: true},
		},
	}
	for i, want := range []Message{{1, 3}, {1, 3}, {1, 4}, {}} {
		if got := x.Events[i].Message(); got != want {
			t.Errorf("event %d is about message %v, want %v", i, got, want)
		}
	}
	s := &Schedule{Package: "p", Test: "T", Model: "actor", Choices: x.Choices()}
	text := string(s.Format())
	want := "choices  4\n\n0.0 send\n0.1 recv < 0.0 3\n0.1 select 1 < 0.0 4\n0.1 recv\n"
	if !strings.Contains(text, want) {
		t.Errorf("Format:\n%s\nwant\n%s", text, want)
	}
	if got, err := ParseSchedule([]byte(text)); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, s)
	}
	for _, bad := range []string{"0.0 0", "0.0", "x 1", "0.0 -1"} {
		if _, err := ParseSchedule([]byte(strings.Replace(text, "0.0 3", bad, 1))); err == nil ||
			!strings.HasPrefix(err.Error(), "line 8: ") {
			t.Errorf("message %q: %v", bad, err)
		}
	}
}

// FuzzParseSchedule: no input makes the parser panic, and what it accepts survives a round trip.
func FuzzParseSchedule(f *testing.F) {
	f.Add([]byte(sampleText))
	f.Add([]byte(sampleText[:len(sampleText)/2]))
	f.Add([]byte(sampleText[:strings.Index(sampleText, "end ")]))
	f.Add((&Schedule{}).Format())
	f.Add((&Schedule{Choices: []Choice{{Proc: "0", Kind: Recv, Sender: "0.1",
		Number: 2}}}).Format())
	f.Add((&Schedule{MaxSteps: 7, Choices: []Choice{{Proc: "0", Kind: Yield}}}).Format())
	f.Add((&Schedule{Seed: "18446744073709551615",
		Choices: []Choice{{Proc: "0", Kind: Yield}}}).Format())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSchedule(data)
		if err != nil { // once more with the right end line, which the fuzzer will not guess
			s, err = ParseSchedule(fmt.Appendf(data, "end %s\n",
				hashOf(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))))
		}
		if err != nil {
			return
		}
		once := s.Format()
		again, err := ParseSchedule(once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if !bytes.Equal(again.Format(), once) || !reflect.DeepEqual(again.Choices, s.Choices) {
			t.Errorf("%s\nbecame\n%s", once, again.Format())
		}
	})
}
