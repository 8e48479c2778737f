package serversimple

import "testing"

func TestServerSimple(t *testing.T) {
	first, second := Session()
	t.Log(first, second)
}
