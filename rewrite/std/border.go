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

// Announces reports whether all accesses in a package of the border are announced. In other ones
// only those functions announce theirs that do nothing but a critical section. So sections commute
// if their accesses do:
//
//	the lock of an httptest.Server   taken whenever one of its connections is active or idle again,
//	                                 for an entry of its own in a map
//	Server.trackConn of net/http     likewise whenever a connection begins or ends
//
// Announcing all of net/http makes an execution take four times as long, and shows nothing more.
func Announces(path string) bool { return path == "net/http/httptest" }
