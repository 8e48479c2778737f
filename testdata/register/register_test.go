package register

import (
	"strings"
	"testing"
)

func TestRegister(t *testing.T) { t.Log(strings.Join(Register(), " ")) }
