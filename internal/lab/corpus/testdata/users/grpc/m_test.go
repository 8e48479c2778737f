package m

import (
	"context"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/test/bufconn"
)

// hall sells seats: whoever checks has one.
type hall struct {
	health.UnimplementedHealthServer
	mu   sync.Mutex
	free int
	late bool
}

func (h *hall) Check(ctx context.Context, r *health.HealthCheckRequest) (*health.HealthCheckResponse, error) {
	h.mu.Lock()
	free := h.free > 0
	if h.late {
		h.mu.Unlock()
		h.mu.Lock()
	}
	if free {
		h.free--
	}
	h.mu.Unlock()
	status := health.HealthCheckResponse_NOT_SERVING
	if free {
		status = health.HealthCheckResponse_SERVING
	}
	return &health.HealthCheckResponse{Status: status}, nil
}

func sell(t *testing.T, clients int, h *hall, ln net.Listener, target string, opts ...grpc.DialOption) {
	srv := grpc.NewServer()
	health.RegisterHealthServer(srv, h)
	var serving sync.WaitGroup
	serving.Go(func() { srv.Serve(ln) })
	defer serving.Wait()
	defer srv.Stop()
	conn, err := grpc.NewClient(target, append(opts, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			if _, err := health.NewHealthClient(conn).Check(context.Background(), &health.HealthCheckRequest{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if h.free < 0 {
		t.Error("the last seat was sold twice")
	}
}

func overBuf(t *testing.T, clients int, late bool) {
	ln := bufconn.Listen(1 << 16)
	sell(t, clients, &hall{free: 1, late: late}, ln, "passthrough:///x", grpc.WithContextDialer(
		func(ctx context.Context, s string) (net.Conn, error) { return ln.DialContext(ctx) }))
}

func overLoopback(t *testing.T, clients int, late bool) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	sell(t, clients, &hall{free: 1, late: late}, ln, ln.Addr().String())
}

func TestBufOne(t *testing.T)       { overBuf(t, 1, false) }
func TestBufBad(t *testing.T)       { overBuf(t, 2, true) }
func TestBufGood(t *testing.T)      { overBuf(t, 2, false) }
func TestLoopbackOne(t *testing.T)  { overLoopback(t, 1, false) }
func TestLoopbackBad(t *testing.T)  { overLoopback(t, 2, true) }
func TestLoopbackGood(t *testing.T) { overLoopback(t, 2, false) }
