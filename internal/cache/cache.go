// Package cache is the command's own directory, which has binaries, overlays and results. It says
// what is there, and removes what has not been used for long.
//
// Guarantees: everything in the cache can be made again; parallel commands see whole files only.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Dir is the command's own directory. Everything in it can be made again; every file is written
// under another name and then renamed, so that parallel commands see whole files only.
//
//	text/<hash>.go        the contents of overlay files, under the hash of the content: byte-stable names and bytes,
//	                      so that go's build cache recognises what it has compiled
//	overlay/<hash>.json   what -overlay is given
//	standard/<key>.json   what of that is the same for all packages, and where the go command has
//	                      what it compiled of the standard library, see Standard
//	bin/<key>.test        finished test binaries, under the hash of all that they are made from
//	manifest/<key>.json   what a finished request was made from, see manifest
//	result/<key>.json     what the run of a package printed that was complete, see Result
//	inventory/<key>.json  what the analyses know of the actors of some packages, see Inventory
//	journal/<key>.journal what searches have come to that were ended early, see package journal
//	mod/<module-version>  copies of modules that must be rewritten but sit in go's read-only module cache
//	go/<toolchain>        links to toolchains that sit there
//	trimmed               when that was done last, see trim
type Dir struct{ Path string }

// Open makes the cache directory when it does not exist, and trims it now and then.
func Open() (Dir, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return Dir{}, fmt.Errorf("no cache directory: %w; set XDG_CACHE_HOME or HOME", err)
	}
	c := Dir{filepath.Join(base, "rehearse")}
	for _, k := range keeps {
		if err := os.MkdirAll(filepath.Join(c.Path, k.sub), 0o777); err != nil {
			return Dir{}, fmt.Errorf("cache directory: %w", err)
		}
	}
	c.trim(time.Now(), sizeLimit)
	return c, nil
}

// Text stores the content of one overlay file and returns its path.
func (c Dir) Text(content []byte) (string, error) {
	file := filepath.Join(c.Path, "text", Digest(content)+".go")
	return file, Keep(file, content)
}

// Overlay stores the map from a file's place to its content's place, and returns what -overlay
// wants.
func (c Dir) Overlay(replace map[string]string) (string, error) {
	content, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	file := filepath.Join(c.Path, "overlay", Digest(content)+".json")
	return file, Keep(file, content)
}

// Standard returns the names of files that KeepStandard was given under a key; nil if one of the
// files is not there any more.
func (c Dir) Standard(key string) (replace map[string]string) {
	file := c.standard(key)
	content, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(content, &replace) != nil {
		return nil
	}
	for _, text := range replace {
		if !c.Has(text) {
			return nil
		}
	}
	c.Has(file)
	return replace
}

// KeepStandard keeps names of files: the part of an overlay that is the same for all packages, or
// the export data of the standard library.
func (c Dir) KeepStandard(key string, replace map[string]string) error {
	content, err := json.Marshal(replace)
	if err != nil {
		return err
	}
	return Write(c.standard(key), content)
}

func (c Dir) standard(key string) string { return filepath.Join(c.Path, "standard", key+".json") }

// Binary is where the test binary with this key is, or will be.
func (c Dir) Binary(key string) string { return filepath.Join(c.Path, "bin", key+".test") }

// Inventory is the file for what the analyses know of the actors in the code of these binaries.
func (c Dir) Inventory(keys []string) string {
	return filepath.Join(c.Path, "inventory", Digest([]byte(strings.Join(keys, " ")))+".json")
}

// Has reports whether a file of the cache exists, and marks it as used.
func (c Dir) Has(file string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	touch(file, info)
	return true
}

// Keep writes a content-addressed file unless it is there.
func Keep(file string, content []byte) error {
	if info, err := os.Stat(file); err == nil && info.Size() == int64(len(content)) {
		touch(file, info)
		return nil
	}
	return Write(file, content)
}

// Unpack fills a directory of the cache, unless it is there.
func (c Dir) Unpack(to string, fill func(tmp string) error) error {
	if info, err := os.Stat(to); err == nil {
		touch(to, info)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(to), ".tmp-*")
	if err != nil {
		return err
	}
	if err := fill(tmp); err != nil {
		os.RemoveAll(tmp)
		return err
	}
	return os.Rename(tmp, to)
}

// touch marks a file, or a directory, as used; now and then is enough.
func touch(file string, info fs.FileInfo) {
	if now := time.Now(); now.Sub(info.ModTime()) > touchEvery {
		os.Chtimes(file, now, now) // best effort: the worst is that it goes early
	}
}

// Write makes a file of the content.
func Write(file string, content []byte) error {
	return Make(file, func(tmp string) error { return os.WriteFile(tmp, content, 0o600) })
}

// Make makes a file under another name, which nobody else has, and renames it. The file is empty
// when fill begins.
func Make(file string, fill func(tmp string) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(f.Close(), fill(f.Name())); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// Digest is the name of a content. Sixteen bytes are plenty: nobody attacks his own cache.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}
