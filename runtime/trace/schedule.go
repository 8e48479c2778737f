package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ScheduleVersion is the version of the format that Format writes and ParseSchedule reads.
const ScheduleVersion = 1

// Schedule is one execution as a list of choices, in a form that is kept in files.
//
// A file is a header, a line per choice (equal neighbours share one), and an end line with a hash
// of all before it:
//
//	rehearse schedule v1
//	package  example.org/inventory
//	test     TestInventory
//	model    go
//	finding  fail
//	message  first read 0, second read 1
//	choices  5
//
//	0 send > 0.0 recv
//	0.0 send x2
//	0.1 select 1 > 0 recv
//	0.1 select default
//	0.1 draw 3
//	0.1 recv < 0.2 4
//	end bf9f88ae
//
// Nothing in it is a line number or an address, so it survives edits that leave the processes and
// their operations as they are.
type Schedule struct {
	Package  string // import path
	Test     string
	Model    string // delivery model: go, actor or pairs
	Finding  string // the kind of finding that it showed; may be empty
	Message  string // what was found; one line
	MaxSteps int    // the bound on steps that it ran into; 0 if none
	Seed     string // of the program's random numbers, a decimal number; empty for the usual one
	Clock    string // when timers may fire; empty for the usual rule
	// the kinds of hidden choices that are choices of the schedule, a comma list; empty for none
	Hidden string
	// the packages of the library each of whose operations is a choice: see IsFine
	Fine string
	// the dependencies that were taken under control for it, a comma list; empty for none
	Control string
	// of -run and -skip, if they name subtests; otherwise empty
	Run, Skip string
	// the accesses that are steps, "x.n at f.go:7", a semicolon list; empty for none
	Points string
	// which files are one object, as files.Classes has them; empty: each is one of its own
	Files   string
	Choices []Choice
}

// Choice names one alternative by words that hold across executions and edits.
type Choice struct {
	Proc        string // path of the process
	Kind        Kind   // what it had declared
	Case        int32  // of a Select: the case taken, -1 for default; of a hidden choice: as in Alt
	Partner     string // a rendezvous: path of the receiving process, otherwise empty
	PartnerKind Kind   // Recv or Select
	PartnerCase int32  // of a Select: the case taken
	// a receive from a mailbox: path of the process that sent the message; empty if none is taken
	Sender string
	Number int32 // likewise: see Message
}

// ChoiceOf names the alternative that event e took among processes procs.
func ChoiceOf(e *Event, procs []Proc) Choice {
	c := Choice{Proc: procs[e.Proc].Path, Kind: e.Op.Kind, Case: e.Case}
	if e.Partner >= 0 {
		c.Partner, c.PartnerKind, c.PartnerCase = procs[e.Partner].Path, e.PartnerOp.Kind,
			e.PartnerCase
	}
	if e.Takes.Number > 0 {
		c.Sender, c.Number = procs[e.Takes.Sender].Path, e.Takes.Number
	}
	return c.normal()
}

// normal clears what has no meaning, so that equal choices compare equal.
func (c Choice) normal() Choice {
	if !c.Kind.branches() {
		c.Case = 0
	}
	if c.Partner == "" {
		c.PartnerKind, c.PartnerCase = None, 0
	}
	if c.PartnerKind != Select {
		c.PartnerCase = 0
	}
	return c
}

// Choices names every step of x.
func (x *Execution) Choices() []Choice {
	cs := make([]Choice, len(x.Events))
	for i := range x.Events {
		cs[i] = ChoiceOf(&x.Events[i], x.Procs)
	}
	return cs
}

// String is the choice as its line in a file.
func (c Choice) String() string {
	s := party(c.Proc, c.Kind, c.Case)
	if c.Partner != "" {
		s += " > " + party(c.Partner, c.PartnerKind, c.PartnerCase)
	}
	if c.Sender != "" {
		s += " < " + c.Sender + " " + strconv.Itoa(int(c.Number))
	}
	return s
}

func party(path string, k Kind, selected int32) string {
	s := path + " " + k.String()
	switch {
	case !k.branches():
		return s
	case selected < 0:
		return s + " default"
	}
	return s + " " + strconv.Itoa(int(selected))
}

// Hash names the schedule: eight hexadecimal digits over its content.
func (s *Schedule) Hash() string { return hashOf(s.body()) }

// Format returns the schedule as the content of a file.
func (s *Schedule) Format() []byte {
	b := s.body()
	return fmt.Appendf(b, "%s%s\n", endMark, hashOf(b))
}

const endMark = "end "

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:4])
}

func (s *Schedule) body() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "rehearse schedule v%d\n", ScheduleVersion)
	for _, f := range s.fields() {
		if text := f.get(); text != "" {
			fmt.Fprintf(&b, "%-8s %s\n", f.name, text)
		}
	}
	fmt.Fprintf(&b, "%-8s %d\n\n", "choices", len(s.Choices))
	for i := 0; i < len(s.Choices); {
		n := runLength(s.Choices[i:])
		b.WriteString(s.Choices[i].normal().String())
		if n > 1 {
			fmt.Fprintf(&b, " x%d", n)
		}
		b.WriteByte('\n')
		i += n
	}
	return b.Bytes()
}

// runLength counts the leading choices of cs that are equal.
func runLength(cs []Choice) int {
	n := 1
	for n < len(cs) && cs[n].normal() == cs[0].normal() {
		n++
	}
	return n
}

// headerField is one line of the header, in both directions.
type headerField struct {
	name string
	get  func() string // empty: the line is left out
	set  func(string) error
}

func (s *Schedule) fields() []headerField {
	return []headerField{
		textField("package", &s.Package),
		textField("test", &s.Test),
		textField("model", &s.Model),
		textField("finding", &s.Finding),
		textField("message", &s.Message),
		numberField("maxsteps", &s.MaxSteps),
		seedField("seed", &s.Seed),
		textField("clock", &s.Clock),
		hiddenField("hidden", &s.Hidden),
		textField("fine", &s.Fine),
		textField("control", &s.Control),
		textField("run", &s.Run),
		textField("skip", &s.Skip),
		textField("points", &s.Points),
		textField("files", &s.Files),
	}
}

func textField(name string, p *string) headerField {
	return headerField{
		name: name,
		// one line, even if the text has several
		get: func() string { return strings.Join(strings.Fields(*p), " ") },
		set: func(text string) error { *p = text; return nil },
	}
}

func numberField(name string, p *int) headerField {
	return headerField{
		name: name,
		get: func() string {
			if *p == 0 {
				return ""
			}
			return strconv.Itoa(*p)
		},
		set: func(text string) (err error) {
			if *p, err = number(text); err == nil && *p == 0 {
				err = fmt.Errorf("%s must be positive", name)
			}
			return err
		},
	}
}

// HiddenChoices are the words of the kinds of hidden choices. Those from Faults on are faults; net
// is all whose word begins so.
var HiddenChoices = append([]string{"rand", "maps", "net"}, Faults...)

// Faults are the words of the kinds of faults, in the order of gate.FaultSignal and what follows.
var Faults = []string{"signal", "net.reset", "net.cut", "net.refuse", "net.short", "net.drop"}

func hiddenField(name string, p *string) headerField {
	f := textField(name, p)
	f.set = func(text string) error {
		*p = text
		for kind := range strings.SplitSeq(text, ",") {
			if !slices.Contains(HiddenChoices, kind) {
				return fmt.Errorf("%q is no kind of hidden choices, which are %s", kind,
					strings.Join(HiddenChoices, ", "))
			}
		}
		return nil
	}
	return f
}

func seedField(name string, p *string) headerField {
	f := textField(name, p)
	f.set = func(text string) error {
		*p = text
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			return fmt.Errorf("%q is not a seed", text)
		}
		return nil
	}
	return f
}
