package shards

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/journal"
)

func sectionOf(path string) Section {
	part := explore.Part{Keys: [][]string{{"pass"}}}
	part.Executions, part.Outcomes = 3, []explore.Outcome{{Verdict: "pass", Count: 3}}
	return Section{
		Key: journal.Key{Binary: "b1", Options: "-independence=none", Go: "go1.26",
			Package: path},
		Flags: []string{"-independence=none"},
		Tests: []Test{{Name: "TestX", Plan: []byte{1}, Part: part}, {Name: "TestY", Whole: "few"}},
	}
}

// TestTorn cuts a part file off at every byte, and changes every byte: it is read as it was
// written, or not at all.
func TestTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "1.part")
	h := Header{Shard: Shard{1, 2}, Packages: []string{"example.org/p", "example.org/q"}}
	if err := Create(path, h); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"example.org/q", "example.org/p", "example.org/q"} {
		if err := Add(path, h, sectionOf(p)); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := decode(whole)
	if err != nil || len(want.Sections) != 2 || want.Sections[0].Key.Package != "example.org/p" {
		t.Fatalf("%v, %v", want, err)
	}
	for n := range whole {
		if _, err := decode(whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a part file", n, len(whole))
		}
		changed := append([]byte(nil), whole...)
		changed[n] ^= 0x40
		if f, err := decode(changed); err == nil && !reflect.DeepEqual(f, want) {
			t.Fatalf("byte %d changed: %v", n, f)
		}
	}
}

// TestEnded: the file of a run that was killed between two packages is refused.
func TestEnded(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	for i, path := range []string{one, two} {
		h := Header{Shard: Shard{i + 1, 2}, Packages: []string{"example.org/p", "example.org/q"}}
		if err := Add(path, h, sectionOf("example.org/p")); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := Add(path, h, sectionOf("example.org/q")); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := "part 2/2 has not come to its end, example.org/q is not in it"
	if _, err := Merge([]string{one, two}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestUnlike: parts that do not fit together are refused, with what differs.
func TestUnlike(t *testing.T) {
	for want, change := range map[string]func(*Section){
		"": func(*Section) {},
		"the Go version of example.org/p: go1.26 and go1.27": func(s *Section) {
			s.Key.Go = "go1.27"
		},
		"the options of example.org/p: -independence=none and none": func(s *Section) {
			s.Key.Options = ""
		},
		"differ in the test binary of example.org/p: explore all": func(s *Section) {
			s.Key.Binary = "b2"
		},
		"the tests of example.org/p":                 func(s *Section) { s.Tests = s.Tests[1:] },
		"different plans for TestX of example.org/p": func(s *Section) { s.Tests[0].Plan[0]++ },
		"their packages, example.org/p and example.org/q": func(s *Section) {
			s.Key.Package = "example.org/q"
		},
	} {
		dir := t.TempDir()
		var paths []string
		for i := range 3 {
			s := sectionOf("example.org/p")
			if i == 2 {
				change(&s)
			}
			path := filepath.Join(dir, string(rune('a'+i)))
			if err := Add(path, Header{Shard: Shard{i + 1, 3}}, s); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		_, err := Merge(paths)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// FuzzDecode: a file of any bytes, and one of sealed records with any payloads, is read or refused,
// and so is the plan in it.
func FuzzDecode(f *testing.F) {
	path := filepath.Join(f.TempDir(), "part")
	if err := Add(path, Header{Shard: Shard{1, 1}}, sectionOf("example.org/p")); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, []byte{}, []byte{})
	_, head, rest, _ := journal.Next(text[len(magic):])
	_, one, _, _ := journal.Next(rest)
	f.Add([]byte(magic), head, one)
	f.Fuzz(func(t *testing.T, text, head, one []byte) {
		sealed := append([]byte(magic), journal.Seal(header, head)...)
		sealed = append(sealed, journal.Seal(section, one)...)
		for _, text := range [][]byte{text, sealed} {
			part, err := decode(text)
			if err != nil {
				continue
			}
			for i, s := range part.Sections {
				unlike(part, part, i)
				Rest(s.Tests)
			}
		}
	})
}
