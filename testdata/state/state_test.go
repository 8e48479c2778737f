package state

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	Log = append(Log, "prepared")
	os.Exit(m.Run())
}

func TestVisit(t *testing.T) { t.Log(Visit()) }

// TestAgain is a second test of the same binary: it, too, makes visit number 1.
func TestAgain(t *testing.T) { t.Log(Visit()) }
