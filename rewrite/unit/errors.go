package unit

import (
	"errors"
	"fmt"
	"go/token"
	"strings"
)

// Error is one operation that cannot be rewritten.
type Error struct {
	Pos token.Position
	Msg string
}

// Error returns the position and what is wrong there.
func (e Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Msg) }

// ErrorList is all that cannot be rewritten, in source order.
type ErrorList []Error

// Error returns a line per error.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// WithC returns the files that an error of Package is about, if it is only about operations in
// files that import "C": those files stay as they are.
func WithC(err error) (files []string, only bool) {
	var l ErrorList
	if !errors.As(err, &l) {
		return nil, false
	}
	for _, e := range l {
		if e.Msg != CgoRefused {
			return nil, false
		}
		files = append(files, e.Pos.Filename)
	}
	return files, true
}

// Err returns l as an error, nil if it is empty.
func (l ErrorList) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// CgoRefused says what is wrong with an operation in a file that cgo works on.
const CgoRefused = "operations on channels and goroutines cannot be controlled in a file that imports \"C\"; " +
	"move them to another file of the package"
