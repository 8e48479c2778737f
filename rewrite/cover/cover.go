// Package cover knows the blocks of statements that go test -cover counts, and reports which blocks
// some tests have run.
//
// Vocabulary: a block is a sequence of statements, as the go command's own cover tool counts them;
// an insertion is text that marks a block as run, or a brace that makes room for the mark.
//
// Guarantees: blocks, and so percentages and profiles, are those of go test -cover for the same
// file.
//
// LIMITS: files that import "C" are not measured.
package cover

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Block is some statements of a file that run one after the other.
type Block struct{ FromLine, FromCol, ToLine, ToCol, Statements int }

// File is what is measured of a file.
type File struct {
	Name   string // import path of the package, and the file's own name
	Blocks []Block
}

// Insertion is text that is put into a file at an offset. Of the texts with Block at least 0, it
// is the statement that marks that block.
type Insertion struct {
	Offset, Block int
	Text          string
}

// counter is the variable that the cover tool is told to count in.
const counter = "_rehearse_cover"

// Tool is the file of the go command's cover tool.
func Tool(run func(args ...string) ([]byte, error)) (string, error) {
	out, err := run("tool", "-n", "cover")
	return strings.TrimSpace(string(out)), err
}

// Find asks the tool what it counts in a file, whose text is given.
func Find(tool, file string, text []byte) (blocks []Block, insertions []Insertion, err error) {
	cmd := exec.Command(tool, "-mode=set", "-var="+counter, file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("-cover: %s: %s", file, strings.TrimSpace(stderr.String()))
	}
	insertions, out = compare(text, out)
	if !bytes.HasPrefix(bytes.TrimSpace(out), []byte("var "+counter)) {
		return nil, nil, fmt.Errorf("-cover: %s has changed while it was read", file)
	}
	return blocksIn(out), insertions, nil
}

// compare lists what the tool has put into a text, and returns what it has put behind it; nil if
// the text is another one.
func compare(text, covered []byte) (list []Insertion, rest []byte) {
	_, covered, _ = bytes.Cut(covered, []byte("\n")) // a //line directive
	start := []byte(counter + ".Count[")
	at := 0
	for at < len(text) || bytes.HasPrefix(covered, start) {
		switch {
		case bytes.HasPrefix(covered, start):
			number, after, _ := bytes.Cut(covered[len(start):], []byte("]"))
			_, after, ended := bytes.Cut(after, []byte(";"))
			block, err := strconv.Atoi(string(number))
			if err != nil || !ended {
				return nil, nil
			}
			list = append(list, Insertion{Offset: at, Block: block})
			covered = after
		case len(covered) == 0:
			return nil, nil
		case covered[0] == text[at]:
			at, covered = at+1, covered[1:]
		case covered[0] == '{' || covered[0] == '}' || covered[0] == ' ' || covered[0] == ';':
			list = append(list, Insertion{Offset: at, Block: -1, Text: string(covered[:1])})
			covered = covered[1:]
		default:
			return nil, nil
		}
	}
	return list, covered
}

var (
	position   = regexp.MustCompile(`(?m)^\t\t(\d+), (\d+), (0x[0-9a-f]+), // \[\d+\]$`)
	statements = regexp.MustCompile(`(?m)^\t\t(\d+), // \d+$`)
)

// blocksIn reads the tables that the tool puts behind a text.
func blocksIn(table []byte) (blocks []Block) {
	counts := statements.FindAllSubmatch(table, -1)
	for i, m := range position.FindAllSubmatch(table, -1) {
		columns := number(m[3])
		blocks = append(blocks, Block{number(m[1]), columns & 0xffff, number(m[2]), columns >> 16,
			number(counts[i][1])})
	}
	return blocks
}

func number(text []byte) int {
	n, _ := strconv.ParseInt(string(text), 0, 64) // the regular expression has numbers only
	return int(n)
}

// Variable names the directory in the environment of a test binary, in which it writes a file for
// each file of the package. It is read by runtime/hook.
const Variable = "REHEARSE_COVER"

// Ran reads which blocks of a file have run, from the directory that Variable named.
func (f File) Ran(dir string) []bool {
	ran := make([]bool, len(f.Blocks))
	// absent: nothing ran
	marks, _ := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(f.Name, "/", "%")))
	for i, m := range marks {
		if i < len(ran) {
			ran[i] = m != 0
		}
	}
	return ran
}

// Share is the part of the statements of some files that has run, and how many there are.
func Share(files []File, dir string) (ran, all int) {
	for _, f := range files {
		for i, did := range f.Ran(dir) {
			all += f.Blocks[i].Statements
			if did {
				ran += f.Blocks[i].Statements
			}
		}
	}
	return ran, all
}

// Profile is what go test -coverprofile writes of some files, without the first line.
func Profile(files []File, dir string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		ran := f.Ran(dir)
		order := make([]int, len(f.Blocks))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			x, y := f.Blocks[i], f.Blocks[j]
			return cmp.Or(cmp.Compare(x.FromLine, y.FromLine), cmp.Compare(x.FromCol, y.FromCol))
		})
		for _, i := range order {
			k, n := f.Blocks[i], 0
			if ran[i] {
				n = 1
			}
			fmt.Fprintf(&b, "%s:%d.%d,%d.%d %d %d\n", f.Name, k.FromLine, k.FromCol, k.ToLine,
				k.ToCol,
				k.Statements, n)
		}
	}
	return b.Bytes()
}
