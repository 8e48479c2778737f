package exec

import (
	"io"
	"os"
)

// Install copies a binary out of the cache. A copy and not a link: the cache is trimmed by time of
// use.
func Install(binary, output string) error {
	src, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		return err
	}
	return dst.Close()
}
