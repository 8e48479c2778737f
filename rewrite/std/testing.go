package std

import (
	"errors"
	"os"
	"path/filepath"
)

const isDetached = "if $r.rehearse != nil "

// testingHooks lead the methods of a detached *testing.T to the explorer. Those that are not hooked
// (Log, Errorf, Fatal, Skip, Setenv, Chdir ...) end in those that are.
var testingHooks = []hook{
	{recv: "common", name: "log", code: isDetached + "{ $r.rehearse.Log($1); return }"},
	{recv: "common", name: "Fail", code: isDetached + "{ $r.rehearse.Fail(); return }"},
	{recv: "common", name: "Failed", code: isDetached + "{ return $r.rehearse.Failed() }"},
	{recv: "common", name: "FailNow", code: isDetached + "{ $r.rehearse.FailNow(); return }"},
	{recv: "common", name: "SkipNow", code: isDetached + "{ $r.rehearse.SkipNow(); return }"},
	{recv: "common", name: "Skipped", code: isDetached + "{ return $r.rehearse.Skipped() }"},
	{recv: "common", name: "Helper", code: isDetached + "{ $r.rehearse.Helper(); return }"},
	{recv: "common", name: "Cleanup", code: isDetached + "{ $r.rehearse.Cleanup($1); return }"},
	{recv: "common", name: "Context", code: isDetached + "{ return $r.rehearseContext() }"},
	{recv: "common", name: "Name", code: isDetached + "{ return $r.rehearse.FullName() }"},
	{recv: "common", name: "TempDir", code: isDetached + "{ return $r.rehearseTempDir() }"},
	{recv: "common", name: "ArtifactDir", code: isDetached + "{ return $r.rehearseArtifactDir() }",
		optional: true},
	{recv: "common", name: "Output", code: isDetached + "{ return $r.rehearseOutput() }",
		optional: true},
	{recv: "common", name: "Attr", code: isDetached + "{ return }", optional: true},
	{recv: "T", name: "Run", code: isDetached + "{ return $r.rehearseRun($1, $2) }"},
	{recv: "T", name: "Parallel", code: isDetached + "{ $r.rehearseParallel(); return }"},
	{recv: "T", name: "Deadline", code: isDetached + "{ return $r.rehearseDeadline() }"},
	// since Go 1.25
	{name: "testingSynctestTest", code: "if $1.rehearse != nil { return $1.rehearseBubble($2) }",
		optional: true},
	{recv: "M", name: "Run", code: "if gate.Main != nil { return $r.rehearseMain() }"},
}

// fuzzHooks lead fuzz targets to their seeds.
var fuzzHooks = []hook{{recv: "F", name: "Fuzz",
	code: isDetached + "{ $r.rehearseFuzz($1); return }"}}

// synctestHooks lead from package testing/synctest, where there is one.
var synctestHooks = []hook{
	{name: "Test", code: isHere + "{ if !testingSynctestTest($1, $2) { $1.FailNow() }; return }",
		optional: true},
	{name: "Wait", code: isHere + "{ gate.BubbleWait(); return }", optional: true},
}

func hookSynctest(goroot string, out map[string][]byte) error {
	if _, err := os.Stat(filepath.Join(goroot, "src", "testing", "synctest")); err != nil {
		return nil // before Go 1.24
	}
	return hookFile(goroot, "testing/synctest", "func Wait(", synctestHooks, out)
}

func hookTesting(goroot string, out map[string][]byte) error {
	p, err := load(goroot, "testing", "common) ")
	if err != nil {
		return err
	}
	if err := errors.Join(p.apply(testingHooks),
		p.addField("common", "rehearse *detached")); err != nil {
		return err
	}
	p.write(out)
	return hookFile(goroot, "testing", "func (f *F) Fuzz(", fuzzHooks, out)
}

// addField adds a field at the start of a struct type.
func (p *pkg) addField(structName, field string) error {
	st, f := p.structType(structName)
	if st == nil {
		return errors.New("package " + p.path + " has no struct type " + structName)
	}
	f.insert(st.Fields.Opening+1, " "+field+";")
	return nil
}
