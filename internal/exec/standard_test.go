package exec

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// TestStandardKey: the standard library is made anew for what decides about its files only.
func TestStandardKey(t *testing.T) {
	key := func(name, value string) string {
		t.Helper()
		t.Setenv(name, value)
		r, err := newRequest(".", options.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return newBuilder(r, cache.Dir{}, &toolchain.Toolchain{GOROOT: "go"}).standardKey()
	}
	flags, others := key("GOFLAGS", "-tags=a"), key("GOFLAGS", "-tags=b")
	if flags != others {
		t.Error("flags have a standard library of their own")
	}
	if key("GOEXPERIMENT", "a") == others {
		t.Error("GOEXPERIMENT has no standard library of its own")
	}
}

// TestGoEnvFile: a binary depends on the file that GOENV names.
func TestGoEnvFile(t *testing.T) {
	t.Setenv("GOENV", "/x/env")
	if at := goEnvFile().Path; at != "/x/env" {
		t.Error(at)
	}
	t.Setenv("GOENV", "")
	t.Setenv("XDG_CONFIG_HOME", "/config")
	if at := goEnvFile().Path; at != "/config/go/env" {
		t.Error(at)
	}
}
