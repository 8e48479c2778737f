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
	"slices"
	"time"
)

// cache is the command's own directory. Everything in it can be made again; every file is written under another name
// and then renamed, so that parallel commands see whole files only.
//
//	text/<hash>.go        the contents of overlay files, under the hash of the content: byte-stable names and bytes,
//	                      so that go's build cache recognises what it has compiled
//	overlay/<hash>.json   what -overlay is given
//	bin/<key>.test        finished test binaries, under the hash of all that they are made from
//	manifest/<key>.json   what a finished request was made from, see manifest
//	mod/<module@version>  copies of modules that must be rewritten but sit in go's read-only module cache
type cache struct{ dir string }

const (
	unusedFor  = 5 * 24 * time.Hour // files that nobody has used for so long are pruned
	pruneEvery = 24 * time.Hour
	sizeLimit  = 2 << 30 // bytes of test binaries that are kept, the most recently used ones
)

// openCache makes the cache directory when it does not exist, and prunes it once a day.
func openCache() (cache, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return cache{}, fmt.Errorf("no cache directory: %w; set XDG_CACHE_HOME or HOME", err)
	}
	c := cache{filepath.Join(base, "rehearse")}
	for _, sub := range []string{"text", "overlay", "bin", "manifest", "mod"} {
		if err := os.MkdirAll(filepath.Join(c.dir, sub), 0o777); err != nil {
			return cache{}, fmt.Errorf("cache directory: %w", err)
		}
	}
	c.prune(time.Now())
	return c, nil
}

// text stores the content of one overlay file and returns its path.
func (c cache) text(content []byte) (string, error) {
	file := filepath.Join(c.dir, "text", digest(content)+".go")
	return file, keep(file, content)
}

// overlay stores the map from a file's place to its content's place, and returns what -overlay wants.
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

// touch marks a file as used; once an hour is enough.
func touch(file string, info fs.FileInfo) {
	if now := time.Now(); now.Sub(info.ModTime()) > time.Hour {
		os.Chtimes(file, now, now) // best effort: the worst is an early pruning
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

// prune removes what has not been used for long, once a day. Errors do not matter: the next prune tries again.
func (c cache) prune(now time.Time) {
	stamp := filepath.Join(c.dir, "pruned")
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < pruneEvery {
		return
	}
	os.WriteFile(stamp, nil, 0o666)
	os.Chtimes(stamp, now, now)
	for _, sub := range []string{"text", "overlay", "manifest", "bin"} {
		pruneDir(filepath.Join(c.dir, sub), now)
	}
}

// pruneDir keeps, of the files used recently, the newest ones up to the size limit.
func pruneDir(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var infos []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	total := int64(0)
	for _, info := range infos {
		total += info.Size()
		if now.Sub(info.ModTime()) > unusedFor || total > sizeLimit {
			os.Remove(filepath.Join(dir, info.Name()))
		}
	}
}

// digest is the name of a content. Sixteen bytes are plenty: nobody attacks his own cache.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}
