package m

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/test/bufconn"
)

// watcher streams two states, and ends.
type watcher struct {
	health.UnimplementedHealthServer
	mu      sync.Mutex
	streams int
	bad     bool
}

func (h *watcher) Watch(r *health.HealthCheckRequest, s grpc.ServerStreamingServer[health.HealthCheckResponse]) error {
	if h.bad {
		h.streams++
	} else {
		h.mu.Lock()
		h.streams++
		h.mu.Unlock()
	}
	for range 2 {
		if err := s.Send(&health.HealthCheckResponse{Status: health.HealthCheckResponse_SERVING}); err != nil {
			return err
		}
	}
	return nil
}

func watch(t *testing.T, ctx context.Context, conn *grpc.ClientConn) (n int) {
	s, err := health.NewHealthClient(conn).Watch(ctx, &health.HealthCheckRequest{})
	if err != nil {
		t.Error(err)
		return
	}
	for {
		_, err := s.Recv()
		if err == io.EOF {
			return n
		}
		if err != nil {
			t.Error(err)
			return n
		}
		n++
	}
}

func streaming(t *testing.T, clients int, bad bool) {
	ln := bufconn.Listen(1 << 16)
	srv := grpc.NewServer()
	health.RegisterHealthServer(srv, &watcher{bad: bad})
	var serving sync.WaitGroup
	serving.Go(func() { srv.Serve(ln) })
	defer serving.Wait()
	defer srv.Stop()
	conn, err := grpc.NewClient("passthrough:///x", grpc.WithContextDialer(
		func(ctx context.Context, s string) (net.Conn, error) { return ln.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			if n := watch(t, t.Context(), conn); n != 2 {
				t.Error(n)
			}
		})
	}
	wg.Wait()
}

func TestStream(t *testing.T)     { streaming(t, 1, false) }
func TestStreamsBad(t *testing.T) { streaming(t, 2, true) }

// TestGraceful stops while a call is under way: the call ends well.
func TestGraceful(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer()
	in, out := make(chan bool), make(chan bool)
	health.RegisterHealthServer(srv, &slow{in: in, out: out})
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := srv.Serve(ln); err != nil {
			t.Error(err)
		}
	})
	conn, err := grpc.NewClient(ln.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := health.NewHealthClient(conn).Check(context.Background(), &health.HealthCheckRequest{}); err != nil {
			t.Error(err)
		}
	})
	<-in
	wg.Go(srv.GracefulStop)
	close(out)
	wg.Wait()
	serving.Wait()
}

type slow struct {
	health.UnimplementedHealthServer
	in, out chan bool
}

func (h *slow) Check(ctx context.Context, r *health.HealthCheckRequest) (*health.HealthCheckResponse, error) {
	h.in <- true
	<-h.out
	return &health.HealthCheckResponse{}, nil
}
