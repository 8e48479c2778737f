package trace

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxChoices bounds the length of a schedule, so that a damaged repeat count cannot exhaust the
// memory.
const MaxChoices = 1 << 21

// ParseSchedule reads what Format wrote. Its errors name the line and say what to do; the caller
// adds the file name.
func ParseSchedule(data []byte) (*Schedule, error) {
	// a checkout may have changed line ends
	p := parser{rest: bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))}
	p.all = p.rest
	if err := p.version(); err != nil {
		return nil, err
	}
	if err := p.header(); err != nil {
		return nil, err
	}
	if err := p.choices(); err != nil {
		return nil, err
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	return &p.s, nil
}

// parser takes the file apart line by line.
type parser struct {
	all, rest []byte
	line      int // number of the line that next returned last
	start     int // offset of that line
	want      int // choices that the header announces
	s         Schedule
}

// next returns the next whole line; ok is false at the end and before a last line that lacks its
// newline.
func (p *parser) next() (text string, ok bool) {
	i := bytes.IndexByte(p.rest, '\n')
	if i < 0 {
		return "", false
	}
	p.start = len(p.all) - len(p.rest)
	p.line++
	text, p.rest = string(p.rest[:i]), p.rest[i+1:]
	return text, true
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", p.line, fmt.Errorf(format, args...))
}

func (p *parser) version() error {
	if len(p.all) == 0 {
		return errors.New("the file is empty; " + saveAnew)
	}
	first, ok := p.next()
	v, isOurs := strings.CutPrefix(first, "rehearse schedule v")
	switch {
	case !ok && strings.HasPrefix(fmt.Sprintf("rehearse schedule v%d", ScheduleVersion),
		string(p.all)):
		return errors.New("file ends in its first line: it was cut off; " + saveAnew)
	case !isOurs:
		return fmt.Errorf("not a schedule: its first line is not %q",
			fmt.Sprintf("rehearse schedule v%d", ScheduleVersion))
	case v != strconv.Itoa(ScheduleVersion):
		return fmt.Errorf(
			"version %s of the schedule format, and this rehearse reads version %d only; %s", v,
			ScheduleVersion, saveAnew)
	}
	return nil
}

const saveAnew = "run rehearse test again to save it anew"

// header reads up to and with the empty line.
func (p *parser) header() error {
	p.want = -1
	seen := map[string]bool{}
	for {
		line, ok := p.next()
		switch {
		case !ok:
			return errors.New("file ends within its header: it was cut off; " + saveAnew)
		case line == "" && p.want < 0:
			return p.errorf("the header has no line %q", "choices N")
		case line == "":
			return nil
		}
		name, text, _ := strings.Cut(line, " ")
		if seen[name] {
			return p.errorf("a second line %q", name)
		}
		seen[name] = true
		if err := p.field(name, strings.TrimSpace(text)); err != nil {
			return p.errorf("%w", err)
		}
	}
}

func (p *parser) field(name, text string) (err error) {
	if name == "choices" {
		if p.want, err = number(text); err == nil && p.want > MaxChoices {
			err = fmt.Errorf("%d choices are more than the %d that a schedule may have", p.want,
				MaxChoices)
		}
		return err
	}
	for _, f := range p.s.fields() {
		if f.name == name {
			return f.set(text)
		}
	}
	return fmt.Errorf("unknown header %q", name)
}

func (p *parser) choices() error {
	for {
		line, ok := p.next()
		if !ok {
			return fmt.Errorf("file ends after %d of %d choices: it was cut off; %s",
				len(p.s.Choices),
				p.want, saveAnew)
		}
		if strings.HasPrefix(line, endMark) {
			break
		}
		if err := p.choice(line); err != nil {
			return p.errorf("%w", err)
		}
	}
	if len(p.s.Choices) != p.want {
		return p.errorf("%d choices where the header says %d; %s", len(p.s.Choices), p.want,
			saveAnew)
	}
	return nil
}

func (p *parser) choice(line string) error {
	text, n, err := cutRepeat(line)
	if err != nil {
		return err
	}
	c, err := ParseChoice(text)
	if err != nil {
		return err
	}
	if len(p.s.Choices)+n > p.want {
		return fmt.Errorf("more choices than the %d that the header says", p.want)
	}
	for range n {
		p.s.Choices = append(p.s.Choices, c)
	}
	return nil
}

// cutRepeat takes the suffix " xN" off.
func cutRepeat(line string) (text string, n int, err error) {
	i := strings.LastIndex(line, " x")
	if i < 0 {
		return line, 1, nil
	}
	if n, err = number(line[i+2:]); err != nil || n < 2 {
		return "", 0, fmt.Errorf("%q is not a repeat count", line[i+1:])
	}
	return line[:i], n, nil
}

// ParseChoice is the inverse of Choice.String.
func ParseChoice(text string) (c Choice, err error) {
	text, message, taken := strings.Cut(text, " < ")
	if taken {
		if c.Sender, c.Number, err = parseMessage(message); err != nil {
			return c, err
		}
	}
	who, partner, met := strings.Cut(text, " > ")
	if c.Proc, c.Kind, c.Case, err = parseParty(who); err != nil || !met {
		return c, err
	}
	c.Partner, c.PartnerKind, c.PartnerCase, err = parseParty(partner)
	return c, err
}

// parseMessage reads a sender and a number.
func parseMessage(text string) (sender string, nth int32, err error) {
	sender, which, _ := strings.Cut(text, " ")
	n, err := number(which)
	if err == nil && (n == 0 || !isPath(sender)) {
		err = fmt.Errorf("%q is not a message, such as 0.2 1", text)
	}
	return sender, int32(n), err
}

// parseParty is the inverse of party.
func parseParty(text string) (path string, k Kind, selected int32, err error) {
	path, op, _ := strings.Cut(text, " ")
	if !isPath(path) {
		return "", 0, 0, fmt.Errorf("%q is not the path of a process, such as 0.2", path)
	}
	op, which, hasCase := strings.Cut(op, " ")
	k, ok := KindOf(op)
	switch {
	case !ok || k == None:
		return "", 0, 0, fmt.Errorf("%q is not an operation", op)
	case hasCase != k.branches():
		return "", 0, 0, fmt.Errorf("%q: a select, a draw or a pick, and nothing else, has a case",
			text)
	case which == "default" && k == Select:
		return path, k, -1, nil
	case hasCase:
		n, err := number(which)
		return path, k, int32(n), err
	}
	return path, k, 0, nil
}

// isPath reports whether s is numbers with dots between them.
func isPath(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if _, err := number(part); err != nil {
			return false
		}
	}
	return true
}

// number reads a decimal number in its one canonical form.
func number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > math.MaxInt32 || strconv.Itoa(n) != s {
		return 0, fmt.Errorf("%q is not a number between 0 and %d", s, math.MaxInt32)
	}
	return n, nil
}

// end checks the end line, which has been read, and that nothing follows it.
func (p *parser) end() error {
	hash := strings.TrimPrefix(string(p.all[p.start:len(p.all)-len(p.rest)-1]), endMark)
	switch {
	case hash != hashOf(p.all[:p.start]):
		return p.errorf(
			"the content does not match this hash: it was changed by hand or damaged; %s",
			saveAnew)
	case len(p.rest) > 0:
		return fmt.Errorf("line %d: text after the end line", p.line+1)
	}
	return nil
}
