package record

import (
	"strings"
	"testing"
)

// whole is a record of two packages, the first of which two binaries have explored.
const whole = `{"Record":1,"Package":"p","Dir":"/p","Values":true}
{"Action":"finding","Package":"p","Test":"TestA","Number":1,"Kind":"fail","Message":"m"}
{"Action":"trace","Test":"TestA","Finding":1,"Role":"failing","Parting":2}
{"Action":"trace","Test":"TestA","Finding":1,"Role":"passing","Parting":2}
{"Action":"trace","Test":"TestA","Outcome":1,"Role":"example","Parting":-1}
{"Action":"result","Test":"TestA","Verdict":"fail","Complete":true,"Executions":6,"Later":"unknown"}
{"Action":"unknown","Test":7.5e3}
{"Record":1,"Package":"p","Dir":"/p","Values":true}
{"Action":"result","Test":"TestB","Verdict":"pass"}
{"Action":"package","Package":"p","Verdict":"fail","Seconds":1.5,"Unbegun":2}
{"Record":1,"Package":"q"}
{"Action":"result","Test":"TestC","Verdict":"pass"}
`

func TestRead(t *testing.T) {
	packages, err := Read(strings.NewReader(strings.Replace(whole, `"Test":7.5e3`, `"Test":"x"`,
		1)))
	if err != nil || len(packages) != 2 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	p, q := packages[0], packages[1]
	if p.Dir != "/p" || p.Verdict != "fail" || p.Seconds != 1.5 || p.Unbegun != 2 ||
		len(p.Tests) != 2 || q.Verdict != "" || len(q.Tests) != 1 {
		t.Errorf("%+v, %+v", p, q)
	}
	a := p.Tests[0]
	if a.Name != "TestA" || a.Executions != 6 || len(a.Found) != 1 || len(a.Examples) != 1 ||
		a.Examples[0].Outcome != 1 {
		t.Fatalf("%+v", a)
	}
	if f := a.Found[0]; f.Failing == nil || f.Passing == nil || f.Failing.Parting != 2 {
		t.Errorf("%+v", f)
	}
}

// TestTold: a test without a result has what was told of it, until the result comes, or another
// binary begins.
func TestTold(t *testing.T) {
	var r Reader
	add := func(lines ...string) []*Package {
		for _, l := range lines {
			if err := r.Add([]byte(l)); err != nil {
				t.Fatal(err)
			}
		}
		return r.Packages()
	}
	early := add(`{"Record":1,"Package":"p"}`, `{"Action":"run","Test":"TestA"}`,
		`{"Action":"run","Test":"TestB"}`,
		`{"Action":"found","Test":"TestA","Kind":"fail","Traces":[{"Role":"passing"},{"Cut":2}]}`,
		`{"Action":"progress","Test":"TestB","Executions":7,"Summary":"7 explored"}`)
	late := add(`{"Action":"finding","Test":"TestA","Number":1,"Kind":"fail"}`,
		`{"Action":"result","Test":"TestA","Verdict":"fail"}`)
	a, b := early[0].Tests[0], early[0].Tests[1]
	if len(a.Found) != 1 || a.Found[0].Failing.Cut != 2 || a.Found[0].Passing == nil ||
		a.Verdict != Exploring || b.Summary != "7 explored" || b.Executions != 7 {
		t.Errorf("%+v, %+v", a, b)
	}
	if l := late[0].Tests; len(l) != 2 || l[0].Verdict != "fail" || len(l[0].Found) != 1 ||
		l[1].Name != "TestB" || len(early[0].Tests) != 2 {
		t.Errorf("%+v", l)
	}
	if l := add(`{"Record":1,"Package":"p"}`)[0].Tests; len(l) != 1 {
		t.Errorf("%+v", l)
	}
}

// TestCut: a record that ends anywhere is read up to there.
func TestCut(t *testing.T) {
	text := strings.Replace(whole, `"Test":7.5e3`, `"Test":"x"`, 1)
	for n := range len(text) {
		if _, err := Read(strings.NewReader(text[:n])); err != nil {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
}

func TestReadWrong(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n":                           "line 1: it is not a record of rehearse",
		"no JSON\n":                      "line 1: it is not a record of rehearse",
		"{\"Record\":1}\n{\"Action\":\n": "line 2: it is not a record of rehearse",
		"{\"Record\":2}\n":               "line 1: the record is of version 2, and this command reads up to 1: install a newer one",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
