package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// cache is the command's own directory. Everything in it can be made again; every file is written
// under another name and then renamed, so that parallel commands see whole files only.
//
//	text/<hash>.go        the contents of overlay files, under the hash of the content: byte-stable names and bytes,
//	                      so that go's build cache recognises what it has compiled
//	overlay/<hash>.json   what -overlay is given
//	bin/<key>.test        finished test binaries, under the hash of all that they are made from
//	manifest/<key>.json   what a finished request was made from, see manifest
//	result/<key>.json     what the run of a package printed that was complete, see Result
//	mod/<module-version>  copies of modules that must be rewritten but sit in go's read-only module cache
//	trimmed               when that was done last, see trim
type cache struct{ dir string }

// openCache makes the cache directory when it does not exist, and trims it now and then.
func openCache() (cache, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return cache{}, fmt.Errorf("no cache directory: %w; set XDG_CACHE_HOME or HOME", err)
	}
	c := cache{filepath.Join(base, "rehearse")}
	for _, sub := range []string{"text", "overlay", "bin", "manifest", "result", "mod"} {
		if err := os.MkdirAll(filepath.Join(c.dir, sub), 0o777); err != nil {
			return cache{}, fmt.Errorf("cache directory: %w", err)
		}
	}
	c.trim(time.Now(), sizeLimit)
	return c, nil
}

// text stores the content of one overlay file and returns its path.
func (c cache) text(content []byte) (string, error) {
	file := filepath.Join(c.dir, "text", digest(content)+".go")
	return file, keep(file, content)
}

// overlay stores the map from a file's place to its content's place, and returns what -overlay
// wants.
func (c cache) overlay(replace map[string]string) (string, error) {
	content, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	file := filepath.Join(c.dir, "overlay", digest(content)+".json")
	return file, keep(file, content)
}

// binary is where the test binary with this key is, or will be.
func (c cache) binary(key string) string { return filepath.Join(c.dir, "bin", key+".test") }

// has reports whether a file of the cache exists, and marks it as used.
func (c cache) has(file string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	touch(file, info)
	return true
}

// keep writes a content-addressed file unless it is there.
func keep(file string, content []byte) error {
	if info, err := os.Stat(file); err == nil && info.Size() == int64(len(content)) {
		touch(file, info)
		return nil
	}
	return writeFile(file, content)
}

// touch marks a file, or a directory, as used; now and then is enough.
func touch(file string, info fs.FileInfo) {
	if now := time.Now(); now.Sub(info.ModTime()) > touchEvery {
		os.Chtimes(file, now, now) // best effort: the worst is that it goes early
	}
}

// writeFile writes content under another name and renames.
func writeFile(file string, content []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// digest is the name of a content. Sixteen bytes are plenty: nobody attacks his own cache.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}
