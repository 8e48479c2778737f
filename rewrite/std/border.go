package std

// The border is the packages of the library with hidden concurrency: users call them, and they run
// goroutines of their own, whose orders nobody wants to see. They are rewritten like the user's
// packages, and explored in whole steps: see package explore/whole.
//
//	net/http           client, server, HTTP/2
//	net/http/httptest  servers of tests
//	net/http/httputil  proxies
//	crypto/tls         connections
//	net/rpc            clients and servers
//	database/sql       pools of connections
var border = []string{
	"net/http", "net/http/httptest", "net/http/httputil", "net/http/internal", "crypto/tls",
	"net/rpc",
	"database/sql",
}

// Border lists the import paths of the border.
func Border() []string { return border }

// Announces reports whether accesses in a package of the border are announced, so that its critical
// sections commute if their accesses do. The lock of an httptest.Server is taken whenever one of
// its connections is active or idle again, for an entry of its own in a map: two clients have 46
// orders then, and 132 if these sections have an order. The others have shown no difference.
func Announces(path string) bool { return path == "net/http/httptest" }
