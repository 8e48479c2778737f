package broker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/explore/divide"
)

// Server is an embedded nats-server that the users of one run can reach.
type Server struct {
	options *server.Options
	server  *server.Server
}

// Listen starts a server that keeps what it has below dir. Without a certificate in the key, it
// listens on loopback addresses only, in clear.
func Listen(address, dir string, k *key.Server) (*Server, error) {
	host, number, err := split(address)
	if err != nil {
		return nil, fmt.Errorf("-listen %s: %w", address, err)
	}
	config, err := k.TLS()
	if err != nil {
		return nil, err
	}
	if config == nil && !IsLoopback(host) {
		return nil, fmt.Errorf("-listen %s: other machines can reach this, so it needs TLS: "+
			"let serve make its key anew, or make one with rehearse-cluster key", address)
	}
	users, err := usersOf(k)
	if err != nil {
		return nil, err
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	s := &Server{options: &server.Options{
		ServerName: key.Name, Host: host, Port: number, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: filepath.Join(dir, "store"),
		MaxPayload: divide.Largest + 1<<16, MaxPending: 4 * divide.Largest,
		Nkeys: users, TLSConfig: config, TLSTimeout: 5, AuthTimeout: 5,
	}}
	return s, s.Start()
}

func split(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	return host, port, err
}

// Monitor makes a server that listens next say at another address, by HTTP, how many orders wait.
func (s *Server) Monitor(address string) error {
	host, port, err := split(address)
	if err != nil {
		return fmt.Errorf("-monitor %s: %w", address, err)
	}
	s.options.HTTPHost, s.options.HTTPPort = host, port
	s.Stop()
	return s.Start()
}

// IsLoopback reports whether only this machine reaches a host.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Start starts the server, again if it has been stopped.
func (s *Server) Start() (err error) {
	s.server, err = server.NewServer(s.options)
	if err != nil {
		return err
	}
	s.server.Start()
	const patience = 20 * time.Second
	if !s.server.ReadyForConnections(patience) {
		s.server.Shutdown()
		return fmt.Errorf("the broker cannot listen on %s:%d: is another program there?",
			s.options.Host, s.options.Port)
	}
	if !s.server.JetStreamEnabled() {
		return errors.New("the broker cannot keep anything in " + s.options.StoreDir)
	}
	if a, ok := s.server.Addr().(*net.TCPAddr); ok {
		s.options.Port = a.Port // the same one if it starts again
	}
	return nil
}

// Stop stops it.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// Port is where it listens.
func (s *Server) Port() int { return s.options.Port }

// URL is the address for users on this machine.
func (s *Server) URL() string {
	host := s.options.Host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return Scheme(s.options.TLSConfig) + "://" + net.JoinHostPort(host, strconv.Itoa(s.Port()))
}

// Scheme begins the URLs of a server.
func Scheme(config *tls.Config) string {
	if config == nil {
		return "nats"
	}
	return "tls"
}

// usersOf are the two users of a run: serve, and all workers.
func usersOf(k *key.Server) ([]*server.NkeyUser, error) {
	serve, err := key.Public(k.ServeSeed)
	if err != nil {
		return nil, fmt.Errorf("the key of serve is none: %w", err)
	}
	work, err := key.Public(k.Seed)
	if err != nil {
		return nil, fmt.Errorf("the key of serve is none: %w", err)
	}
	return []*server.NkeyUser{
		{Nkey: serve},
		{Nkey: work, Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: mayPublish()},
			Subscribe: &server.SubjectPermission{Allow: []string{Inbox + ".>", Over}},
		}},
	}, nil
}

// mayPublish lists the subjects that workers need: to answer, to be counted, to join, to pull and
// acknowledge orders, and to read binaries.
func mayPublish() []string {
	list := []string{Answers, Alive, Join}
	for _, api := range []string{"CONSUMER.INFO.", "CONSUMER.MSG.NEXT."} {
		list = append(list, "$JS.API."+api+Work+"."+Durable)
	}
	list = append(list, "$JS.ACK."+Work+"."+Durable+".>")
	objects := "OBJ_" + Binaries
	list = append(list, "$JS.API.STREAM.INFO."+objects, "$JS.API.STREAM.MSG.GET."+objects,
		"$JS.FC."+objects+".>")
	for _, api := range []string{"DIRECT.GET.", "CONSUMER.CREATE.", "CONSUMER.INFO.",
		"CONSUMER.DELETE.", "CONSUMER.MSG.NEXT."} {
		list = append(list, "$JS.API."+api+objects+".>")
	}
	return list
}

// Connect connects the user that the seed belongs to, and connects again whenever the broker was
// gone.
func Connect(url, seed string, config *tls.Config, more ...nats.Option) (*nats.Conn, error) {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return nil, fmt.Errorf("the key has no good seed: %w", err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	options := append([]nats.Option{
		nats.Nkey(public, pair.Sign), nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}, more...)
	if config != nil {
		options = append(options, nats.Secure(config))
	}
	c, err := nats.Connect(url, options...)
	return c, Plain(url, err)
}

// ErrDenied is the error for a worker without the key of the run.
var ErrDenied = errors.New("copy the key file of the run")

// Plain says in words why there is no connection.
func Plain(url string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrAuthorization) || strings.Contains(err.Error(), "uthorization"):
		return fmt.Errorf("%s does not know this key: %w", url, ErrDenied)
	case strings.Contains(err.Error(), "x509") || strings.Contains(err.Error(), "certificate"),
		errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s has another certificate than this key: %w", url, ErrDenied)
	}
	return fmt.Errorf("%s: %w", url, err)
}

// prepare makes the streams, and forgets the orders of an earlier keeper.
func prepare(ctx context.Context, js jetstream.JetStream) error {
	work, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: Work, Subjects: []string{orders}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.FileStorage, Duplicates: time.Second,
	})
	if err != nil {
		return err
	}
	if err := work.Purge(ctx); err != nil {
		return err
	}
	_, err = work.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: Durable, AckPolicy: jetstream.AckExplicitPolicy, AckWait: Silence,
		MaxDeliver: deliveries, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: Results, Subjects: []string{Answers}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.FileStorage, Duplicates: time.Second,
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: Binaries, Storage: jetstream.FileStorage,
	})
	return err
}
