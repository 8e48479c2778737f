package options

import "testing"

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "100": 100, "8GB": 8 << 30, "500mb": 500 << 20,
		"3G": 3 << 30, "2GiB": 2 << 30, "1 kB": 1 << 10} {
		if got, err := parseBytes(text); got != want || err != nil {
			t.Errorf("parseBytes(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "8X", "-1GB", "1.5GB", "99999999TB"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("parseBytes(%q) = %d, want an error", text, got)
		}
	}
	for n, want := range map[int64]string{8 << 30: "8GB", 500 << 20: "500MB", 25197092864: "23GB",
		100: "100"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
