package cache

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The cache is trimmed by time of use, as go's build cache is. It is also trimmed to a size,
// because a test binary has tens of megabytes and each edit of a package makes another one. An
// entry that was used within inUse stays in any case: another command may be about to read it. So
// sizeLimit bounds the cache only of users who pause now and then.
const (
	trimEvery  = time.Hour
	unusedFor  = 5 * 24 * time.Hour // what nobody has used for so long goes
	inUse      = 2 * time.Hour      // what was used since stays
	touchEvery = time.Hour          // the times of use are right up to this; less than inUse
	// bytes that are kept besides what is in use, the most recently used ones
	sizeLimit = 2 << 30
)

// entry is a unit of removal: a file, or the copy of a module.
type entry struct {
	path string
	used time.Time
	size int64
}

// trim removes what has not been used for long, and the oldest of the rest above limit bytes, once
// an hour. Commands that trim at the same time remove the same things. Errors do not matter: the
// next trim tries again.
func (c Dir) trim(now time.Time, limit int64) {
	if !c.trimDue(now) {
		return
	}
	total := int64(0)
	for _, e := range c.entries() {
		total += e.size
		switch age := now.Sub(e.used); {
		case age > unusedFor, age > inUse && total > limit:
			e.remove()
		}
	}
}

// trimDue reports whether it is time to trim, and notes that this is being done.
func (c Dir) trimDue(now time.Time) bool {
	stamp := filepath.Join(c.Path, "trimmed")
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < trimEvery {
		return false
	}
	os.WriteFile(stamp, nil, 0o666)
	os.Chtimes(stamp, now, now)
	return true
}

// remove makes e disappear at once, also when it is a directory, so that nobody sees a half of it.
func (e entry) remove() {
	trash := filepath.Join(filepath.Dir(e.path), ".tmp-trash-"+filepath.Base(e.path))
	if os.Rename(e.path, trash) == nil {
		os.RemoveAll(trash)
	}
}

// entries lists all that can be removed, what was used last first.
func (c Dir) entries() []entry {
	var list []entry
	for _, k := range keeps {
		filepath.WalkDir(filepath.Join(c.Path, k.sub),
			func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return nil // somebody has just removed it
				}
				info, err := d.Info()
				switch {
				case err != nil || d.IsDir() && !isUnit(path, d):
				case d.IsDir():
					list = append(list, entry{path, info.ModTime(), treeSize(path)})
					return fs.SkipDir
				default:
					list = append(list, entry{path, info.ModTime(), info.Size()})
				}
				return nil
			})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return b.used.Compare(a.used) })
	return list
}

// isUnit reports whether a directory goes as a whole: the copy of a module, or what is left of
// making or removing one.
func isUnit(dir string, d fs.DirEntry) bool {
	if strings.HasPrefix(d.Name(), ".tmp-") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func treeSize(root string) (size int64) {
	filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
