package trace

// Recovered is a panic of the program that the library has recovered, and that it tells nobody in
// the program.
type Recovered struct {
	By   string // the package that has recovered it, "net/http"
	Text string // as Crash.Text
	Site string // as Crash.Site
}
