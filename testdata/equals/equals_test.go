package equals

import "testing"

func TestSignals3(t *testing.T) { Signals(3) }

func TestSignals8(t *testing.T) { long(t); Signals(8) }

func TestEarly(t *testing.T) { Early(4, 2) }

func TestOvertaken(t *testing.T) { t.Log(Overtaken()) }

func TestRacy(t *testing.T) { t.Log(Racy()) }

func TestCommit2(t *testing.T) { t.Log(Commit(2)) }

func TestCommit6(t *testing.T) { long(t); t.Log(Commit(6)) }

func TestCommitNumbered2(t *testing.T) { t.Log(CommitNumbered(2)) }

func TestCommitNumbered6(t *testing.T) { long(t); t.Log(CommitNumbered(6)) }

// long leaves out what takes long without equal messages.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
}

func TestHandshakes3(t *testing.T) { Handshakes(3) }

func TestHandshakes8(t *testing.T) { long(t); Handshakes(8) }

func TestHeard(t *testing.T) { Heard() }
