package cover

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const source = `package p

func F(x int) int {
	if x > 0 {
		return 1
	} else if x < -5 {
		x++
	}
	g := func() { x-- }
	g()
	for range 3 { x += 2 }
	switch x {
	case 1:
		return 2
	default:
	}
	return x
}

func empty() {}
`

func tool(t *testing.T) string {
	name, err := Tool(func(args ...string) ([]byte, error) {
		return exec.Command("go", args...).Output()
	})
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFind puts the insertions into the file: that must be what the tool has made of it, but for
// the words that mark a block.
func TestFind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	write(t, file, source)
	blocks, insertions, err := Find(tool(t), file, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	at := 0
	marked := make([]int, len(blocks))
	for _, in := range insertions {
		got.WriteString(source[at:in.Offset])
		at = in.Offset
		if in.Block < 0 {
			got.WriteString(in.Text)
			continue
		}
		marked[in.Block]++
		got.WriteString(counter + ".Count[" + strconv.Itoa(in.Block) + "] = 1;")
	}
	got.WriteString(source[at:])
	out, err := exec.Command(tool(t), "-mode=set", "-var="+counter, file).Output()
	if err != nil {
		t.Fatal(err)
	}
	if _, want, _ := strings.Cut(string(out), "\n"); !strings.HasPrefix(want, got.String()) {
		t.Errorf("got\n%s\nthe tool made\n%s", got.String(), want)
	}
	for i, n := range marked {
		if n != 1 {
			t.Errorf("block %d of %d is marked %d times", i, len(blocks), n)
		}
	}
	if len(blocks) < 8 {
		t.Errorf("%d blocks", len(blocks))
	}
}

// TestChanged: a file that has changed since it was read is an error, and gives no blocks at other
// places.
func TestChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	write(t, file, source)
	for _, text := range []string{"", source[:40], source + "\nvar x int\n",
		strings.Replace(source, "x > 0", "x > 1", 1)} {
		if _, _, err := Find(tool(t), file, []byte(text)); err == nil ||
			!strings.Contains(err.Error(), "has changed while it was read") {
			t.Errorf("read as\n%s\nthe error is %v", text, err)
		}
	}
	write(t, file, "package p\n\nfunc {")
	if _, _, err := Find(tool(t), file, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "-cover: "+file) {
		t.Errorf("of a file that is no Go: %v", err)
	}
}

// TestProfile reads marks, of which one file has fewer than blocks and one none.
func TestProfile(t *testing.T) {
	dir := t.TempDir()
	files := []File{
		{"m/p/a.go", []Block{{5, 2, 6, 3, 2}, {3, 1, 4, 9, 3}, {7, 1, 7, 2, 1}}},
		{"m/p/b.go", []Block{{1, 1, 2, 2, 4}}},
	}
	write(t, filepath.Join(dir, "m%p%a.go"), "\x01\x00")
	if ran, all := Share(files, dir); ran != 2 || all != 10 {
		t.Errorf("%d of %d statements", ran, all)
	}
	want := "m/p/a.go:3.1,4.9 3 0\nm/p/a.go:5.2,6.3 2 1\nm/p/a.go:7.1,7.2 1 0\n" +
		"m/p/b.go:1.1,2.2 4 0\n"
	if got := string(Profile(files, dir)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ran, all := Share(nil, dir); ran != 0 || all != 0 {
		t.Errorf("of no files %d of %d", ran, all)
	}
}
