// Package journal keeps the state of a search in a file, so that another run goes on with it.
//
// Vocabulary: a journal is a header, states of the search, of which the last one counts, and
// entries, the additions to that state since. The key of a state names the runs for which it holds:
// those of the same binary with the same options.
//
// Guarantees: a state is read as it was written, or not at all: each record has a checksum. A
// record that is torn at the end, as by a kill or a full disk, is cut off, and the state before
// counts. The file is replaced by a shorter one now and then, in one step, so a journal that is
// there stays readable.
//
// LIMITS: two runs that write one journal at the same time take turns in replacing it: the state of
// one of them counts.
package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
)

// Key says for which runs a journal holds.
type Key struct {
	Binary  string // hash of the test binary
	Options string // those that decide what is explored
	Go      string // version
	Package string
	Test    string
}

// Differs names the first thing in which two keys differ, and how; empty: they do not.
func (k Key) Differs(from Key) string {
	switch what, is, was := k.Part(from); {
	case is != was:
		return fmt.Sprintf("the %s: %s now, and %s when it was written", what, is, was)
	case what != "":
		return "the " + what + ", so the test or what it depends on was edited"
	}
	return ""
}

// Part names the first part in which two keys differ, with its value in each; for the binary these
// values are empty. All results are empty if the keys are equal.
func (k Key) Part(other Key) (what, is, others string) {
	for _, part := range []struct{ what, is, others string }{
		{"test", k.Package + " " + k.Test, other.Package + " " + other.Test},
		{"Go version", k.Go, other.Go},
		{"options", k.Options, other.Options},
	} {
		if part.is != part.others {
			return part.what, orNone(part.is), orNone(part.others)
		}
	}
	if k.Binary != other.Binary {
		return "test binary", "", ""
	}
	return "", "", ""
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// Hash is a hash of the contents of r.
func Hash(r io.Reader) string {
	h := fnv.New128a()
	io.Copy(h, r)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// magic begins the file.
const magic = "rehearse journal 1\n"

// The kinds of records.
const (
	header byte = 1
	state  byte = 2
	entry  byte = 3
)

// prefix is what comes before the payload of a record: its length, its checksum, its kind.
const prefix = 4 + 4 + 1

// longest bounds a payload, so that a damaged length cannot exhaust the memory.
const longest = 1 << 30

// most is how many states are appended before the file is replaced.
const most = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Writer writes a journal.
type Writer struct {
	path string
	key  Key
	n    int // states in the file
	// it has entries, which the next state makes superfluous
	added bool
}

// NewWriter returns a writer that replaces the file with its first state.
func NewWriter(path string, key Key) *Writer { return &Writer{path: path, key: key, n: most} }

// Write makes s the state that counts.
func (w *Writer) Write(s any) error {
	record, err := Encode(state, s)
	if err != nil {
		return err
	}
	if w.n < most && !w.added {
		err := w.append(record)
		if err == nil {
			w.n++
			return nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := w.replace(record); err != nil {
		return err
	}
	w.n, w.added = 1, false
	return nil
}

// Add appends entries to the state that counts, which has been written. When it returns, they are
// on the disk, all or, after an error, maybe some.
func (w *Writer) Add(entries []any) error {
	var text []byte
	for _, e := range entries {
		record, err := Encode(entry, e)
		if err != nil {
			return err
		}
		text = append(text, record...)
	}
	w.added = true
	return w.append(text)
}

func (w *Writer) append(record []byte) error {
	file, err := os.OpenFile(w.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(record)
	if err != nil {
		w.n = most // what is torn must not be in the way of what comes next
	}
	return errors.Join(err, file.Sync(), file.Close())
}

// replace writes a file with one state.
func (w *Writer) replace(record []byte) error {
	head, err := Encode(header, w.key)
	if err != nil {
		return err
	}
	return Replace(w.path, append(append([]byte(magic), head...), record...))
}

// Decode reads the payload of a record into v.
func Decode(payload []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(payload)).Decode(v)
}

// Replace makes the file at path have a content, in one step.
func Replace(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Encode makes a record of v, of a kind that the caller chooses.
func Encode(kind byte, v any) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, err
	}
	if b.Len() > longest {
		return nil, fmt.Errorf("a state of %d MB is too large", b.Len()>>20)
	}
	return Seal(kind, b.Bytes()), nil
}

// Seal makes a record of a payload.
func Seal(kind byte, payload []byte) []byte {
	record := append(make([]byte, prefix, prefix+len(payload)), payload...)
	record[prefix-1] = kind
	binary.LittleEndian.PutUint32(record, uint32(len(payload)))
	binary.LittleEndian.PutUint32(record[4:], crc32.Checksum(record[prefix-1:], castagnoli))
	return record
}

// Read reads the key of a journal, its last state into s, and the entries after that, for Decode to
// read. Its errors do not name the file.
func Read(path string, s any) (Key, [][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Key{}, nil, err
	}
	return decode(text, s)
}

// ErrDamaged is the error for a file that is no journal, or has no whole state.
var ErrDamaged = errors.New("it is no journal, or is damaged: remove it")

func decode(text []byte, s any) (key Key, entries [][]byte, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(magic))
	if !ok {
		return key, nil, ErrDamaged
	}
	kind, payload, rest, ok := Next(rest)
	if !ok || kind != header || Decode(payload, &key) != nil {
		return key, nil, ErrDamaged
	}
	var last []byte
	for {
		kind, payload, after, ok := Next(rest)
		if !ok {
			break // the end, or it is torn
		}
		switch kind {
		case state:
			last, entries = payload, nil
		case entry:
			entries = append(entries, payload)
		}
		rest = after
	}
	if last == nil {
		return key, nil, ErrDamaged
	}
	if err := Decode(last, s); err != nil && err != io.EOF {
		return key, nil, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return key, entries, nil
}

// Next parts the first record of a text from the rest; ok is false if it is damaged, or there is
// none. Decode reads its payload.
func Next(text []byte) (kind byte, payload, rest []byte, ok bool) {
	if len(text) < prefix {
		return 0, nil, nil, false
	}
	n, sum := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[4:])
	if n > longest || len(text)-prefix < int(n) {
		return 0, nil, nil, false
	}
	body := text[prefix-1 : prefix+int(n)]
	if crc32.Checksum(body, castagnoli) != sum {
		return 0, nil, nil, false
	}
	return body[0], body[1:], text[prefix+int(n):], true
}
