package broker

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"

	"github.com/rehearse-go/rehearse/explore/divide"
)

// Pack makes a message small.
func Pack(text []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		panic("broker: " + err.Error()) // there is this level
	}
	w.Write(text) // to a buffer: it cannot fail
	w.Close()
	return b.Bytes()
}

// Unpack undoes Pack, unless the message is larger than one may be.
func Unpack(packed []byte) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(packed))
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, divide.Largest+1))
	if err == nil && len(text) > divide.Largest {
		err = errors.New("a message is too large")
	}
	return text, err
}
