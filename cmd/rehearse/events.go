package main

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// events passes on what a test binary prints with -json. Package initialisation and TestMain may
// print, too: that becomes output of the package, as under go test -json.
type events struct {
	to   io.Writer
	of   string // the package
	rest []byte // a line that has not ended
}

// Write implements io.Writer.
func (e *events) Write(b []byte) (int, error) {
	e.rest = append(e.rest, b...)
	for {
		end := bytes.IndexByte(e.rest, '\n') + 1
		if end == 0 {
			return len(b), nil
		}
		if err := e.line(e.rest[:end]); err != nil {
			return 0, err
		}
		e.rest = e.rest[end:]
	}
}

// end passes on a last line that does not end.
func (e *events) end() {
	if len(e.rest) > 0 {
		e.line(e.rest)
		e.rest = nil
	}
}

// line passes a line on. An event may follow a text without a line break.
func (e *events) line(l []byte) error {
	text := l
	if i := bytes.Index(l, []byte(`{"Action":"`)); i >= 0 && json.Valid(l[i:]) {
		text, l = l[:i], l[i:]
	} else {
		l = nil
	}
	if len(text) > 0 {
		output, err := json.Marshal(struct{ Action, Package, Time, Output string }{
			"output", e.of, time.Now().Format(time.RFC3339Nano), string(text)})
		if err != nil {
			return err
		}
		l = append(append(output, '\n'), l...)
	}
	_, err := e.to.Write(l)
	return err
}
