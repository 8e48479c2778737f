package rehearse

import (
	"embed"
	"io/fs"
)

// The programs of testdata whose number of executions is known and that are measured, with their
// tests; and golden.json, which says what is known.
//
//go:embed testdata/golden.json
//go:embed testdata/bb testdata/bbuf testdata/chameneos testdata/dht testdata/diningphil testdata/election testdata/ex31
//go:embed testdata/fib testdata/filesystem testdata/firstof testdata/indexer testdata/lastwrite testdata/lastzero testdata/mail
//go:embed testdata/minesweeper testdata/nnr testdata/nsenders testdata/nworkers testdata/ordered testdata/phil testdata/philok
//go:embed testdata/pi testdata/pipeline testdata/psort testdata/qsort testdata/readers testdata/register testdata/registry
//go:embed testdata/registry2 testdata/regsim testdata/regsim2 testdata/leader testdata/serverreal testdata/serversimple
//go:embed testdata/shortpath testdata/spinsort testdata/twopc testdata/xchg testdata/equals testdata/sums
var subjects embed.FS

// Subjects holds the directory testdata with the subjects of `rehearse bench`, so that the command
// has them anywhere.
func Subjects() fs.FS { return subjects }
