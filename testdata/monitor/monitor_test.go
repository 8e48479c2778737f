package monitor

import "testing"

func TestLost(*testing.T) { Lost() }

func TestHandover(t *testing.T) { t.Log(Handover()) }

func TestCount(t *testing.T) { t.Log(Count()) }

func TestPooled(t *testing.T) { t.Log(Pooled()) }

func TestRegistered(t *testing.T) { t.Log(Registered()) }
