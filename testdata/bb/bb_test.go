package bb

import "testing"

func TestBB1x1(t *testing.T) { t.Log(Run(1, 1)) }
func TestBB2x1(t *testing.T) { t.Log(Run(2, 1)) }
func TestBB3x1(t *testing.T) { t.Log(Run(3, 1)) }
func TestBB4x2(t *testing.T) { t.Log(Run(4, 2)) }

// TestBBNarrow: a put waits, too.
func TestBBNarrow(t *testing.T) { t.Log(run(2, 1, 1)) }
