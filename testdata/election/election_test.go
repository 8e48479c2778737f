package election

import "testing"

func TestElection3(t *testing.T)        { t.Log(Elect(3)) }
func TestElection4(t *testing.T)        { t.Log(Elect(4)) }
func TestElectionFailing3(t *testing.T) { t.Log(ElectFailing(3)) }
