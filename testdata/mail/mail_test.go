package mail

import "testing"

func TestMail1x2(t *testing.T) { t.Log(Run(1, 2)) }
func TestMail2x1(t *testing.T) { t.Log(Run(2, 1)) }
func TestMail2x2(t *testing.T) { t.Log(Run(2, 2)) }
func TestMail2x3(t *testing.T) { t.Log(Run(2, 3)) }
