package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Read reads a record. A record that ends in the middle of a line is read up to there.
func Read(r io.Reader) ([]*Package, error) {
	b := &Reader{}
	in := bufio.NewReaderSize(r, 1<<20)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return b.packages, nil // what was begun was not ended
		}
		if err != nil {
			return nil, err
		}
		if err := b.Add(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// Reader is a record that is being read. The zero Reader has read nothing.
type Reader struct {
	packages []*Package
	now      *Package   // the package that is being read
	found    []*Finding // of the test that is being read
	examples []*Trace   // of that test
	told     told
}

// Add reads a line.
func (b *Reader) Add(line []byte) error {
	var kind struct {
		Record  int
		Action  string
		Test    string
		Package string
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return fmt.Errorf("it is not a record of rehearse: %w", err)
	}
	switch {
	case kind.Record > Version:
		return fmt.Errorf(
			"the record is of version %d, and this command reads up to %d: install a newer one",
			kind.Record,
			Version)
	case kind.Record > 0:
		return b.header(line)
	case b.now == nil:
		return fmt.Errorf("it is not a record of rehearse: it does not begin with a header")
	}
	switch kind.Action {
	case "run", "progress", "found":
		return b.told.add(kind.Action, kind.Test, line)
	case "finding":
		f := &Finding{}
		b.found = append(b.found, f)
		return json.Unmarshal(line, f)
	case "trace":
		return b.trace(line)
	case "facts":
		return b.facts(line, kind.Package)
	case "result":
		t := &Test{Name: kind.Test, Found: b.found, Examples: b.examples}
		b.found, b.examples = nil, nil
		b.told.end(kind.Test)
		b.now.Tests = append(b.now.Tests, t)
		return json.Unmarshal(line, t)
	case "package":
		return json.Unmarshal(line, &struct {
			Verdict, Reason     *string
			Seconds             *float64
			Incomplete, Unbegun *int
		}{&b.now.Verdict, &b.now.Reason, &b.now.Seconds, &b.now.Incomplete, &b.now.Unbegun})
	}
	return nil
}

// header begins a part: of the package before, if another binary of it goes on.
func (b *Reader) header(line []byte) error {
	var h Header
	if err := json.Unmarshal(line, &h); err != nil {
		return err
	}
	b.found, b.examples, b.told = nil, nil, told{}
	if b.now == nil || b.now.Package != h.Package {
		b.now = &Package{}
		b.packages = append(b.packages, b.now)
	}
	b.now.Header = h
	return nil
}

// facts come last: their package may not be the one that is being read.
func (b *Reader) facts(line []byte, of string) error {
	for _, p := range b.packages {
		if p.Package == of {
			p.Facts = &Facts{}
			return json.Unmarshal(line, p.Facts)
		}
	}
	return nil
}

func (b *Reader) trace(line []byte) error {
	t := &Trace{}
	if err := json.Unmarshal(line, t); err != nil {
		return err
	}
	switch {
	case t.Finding < 1 || t.Finding > len(b.found):
		b.examples = append(b.examples, t)
	case t.Role == Passing:
		b.found[t.Finding-1].Passing = t
	default:
		b.found[t.Finding-1].Failing = t
	}
	return nil
}

// Packages is what has been read so far, with the tests that go on. What is read later does not
// change it.
func (b *Reader) Packages() (list []*Package) {
	for _, p := range b.packages {
		now := *p
		now.Tests = slices.Clone(p.Tests)
		if p == b.now {
			now.Tests = append(now.Tests, b.told.now(p.Package)...)
		}
		list = append(list, &now)
	}
	return list
}
