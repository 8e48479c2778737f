package words

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled when it is first needed: most processes,
// among them the many short ones of a search or of go vet, need few of them. It panics then if text
// is none.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
