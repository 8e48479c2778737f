package maytest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/internal/refining"
)

// TestMemory: the memory of a side does not grow with the number of scripts. The bound on receives,
// which a cell has none of, makes each script a new question to the same processes.
func TestMemory(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the peak of a process is read from /proc")
	}
	b := buildGroups(t, "go")
	o := *b.o
	o.Seed = uint64(time.Now().UnixNano()) // answers of an earlier run are kept
	var sides [2]*refining.Side
	for i := range sides {
		var err error
		if sides[i], err = refining.NewSide(b.pkg(), o.Encode(), 1); err != nil {
			t.Fatal(err)
		}
		defer sides[i].Close()
	}
	const warm = 3 // after so many rounds the collector's heap has its size
	scripts, executions, first := 0, 0, 0
	for k := 1; k <= 8*warm; k++ {
		c := &refine.Comparison{Old: sides[0], New: sides[1], N: 3, K: k, Client: "go",
			Names: [2]string{"RefineCellClosures", "RefineCellLock"}}
		r, err := c.Run()
		if err != nil {
			t.Fatal(err)
		}
		scripts, executions = scripts+r.Scripts, executions+r.Executions[0]+r.Executions[1]
		switch peak := peakOfChildren(t); k {
		case warm:
			first = peak
			fallthrough
		case 8 * warm:
			t.Logf("%d scripts, %d executions: at most %d kB", scripts, executions, peak)
			// beside other tests the collector comes late: a fifth more was seen
			if peak == 0 || peak > first*140/100 {
				t.Errorf("the first %d kB have become %d", first, peak)
			}
		}
	}
}

// peakOfChildren is the largest peak of memory of this process's children, in kB.
func peakOfChildren(t *testing.T) (most int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			continue // it has ended
		}
		parent, peak := 0, 0
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fmt.Sscanf(lines.Text(), "PPid: %d", &parent)
			fmt.Sscanf(lines.Text(), "VmHWM: %d", &peak)
		}
		f.Close()
		if parent == os.Getpid() {
			most = max(most, peak)
		}
	}
	return most
}
