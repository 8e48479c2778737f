package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/broker"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/worker"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/process"
)

// Files of a run.
const (
	serveKey = "serve.key"
	workKey  = "work.key"
	lockFile = "lock"
)

// serving is one serve at work.
type serving struct {
	listen, url, journal, keyFile, monitor, page string
	workers                                      int
	args                                         []string // of rehearse test

	dir            string // of the run
	key            *key.Server
	stdout, stderr io.Writer
	server         *broker.Server
	carrier        *broker.Carrier
	status         *status // nil: nobody wants a page
}

// serve is the command of this name.
func serve(args []string, stdout, stderr io.Writer) (code int, err error) {
	s := &serving{stdout: stdout, stderr: stderr, workers: runtime.NumCPU()}
	if err := s.parse(args); err != nil {
		return 0, err
	}
	rehearse, err := findRehearse()
	if err != nil {
		return 0, err
	}
	unlock, err := s.open()
	if err != nil {
		return 0, err
	}
	defer unlock()
	if s.status, err = openStatus(s.page); err != nil {
		return 0, err
	}
	defer s.status.close()
	if s.server, err = broker.Listen(s.listen, s.dir, s.key); err != nil {
		return 0, err
	}
	defer s.server.Stop()
	if err := s.carry(); err != nil {
		return 0, err
	}
	if url := s.status.url(); url != "" {
		s.log("status page: %s", url)
	}
	ctx, stop := context.WithCancel(context.Background())
	working := s.work(ctx)
	code, err = s.test(rehearse)
	s.carrier.Quiet()
	s.carrier.Close()
	stop()
	working.Wait()
	return code, err
}

// carry makes what is between rehearse and the workers, and the keys for these.
func (s *serving) carry() (err error) {
	if s.monitor != "" {
		if err := s.server.Monitor(s.monitor); err != nil {
			return err
		}
	}
	if s.carrier, err = broker.Carry(s.server.URL(), s.dir, s.key); err != nil {
		return err
	}
	s.carrier.Log, s.carrier.Built, s.carrier.Told = s.log, s.built, s.status.told
	return s.writeKeys("")
}

func (s *serving) log(format string, args ...any) {
	fmt.Fprintf(s.stderr, "rehearse-cluster: "+format+"\n", args...)
}

// parse takes the flags of serve out of the arguments; the rest is for rehearse test.
func (s *serving) parse(args []string) error {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.StringVar(&s.listen, "listen", "", "")
	fs.StringVar(&s.url, "url", "", "")
	fs.StringVar(&s.journal, "journal", "", "")
	fs.StringVar(&s.keyFile, "key", "", "")
	fs.StringVar(&s.monitor, "monitor", "", "")
	fs.StringVar(&s.page, "page", "127.0.0.1:0", "")
	fs.IntVar(&s.workers, "workers", s.workers, "")
	var ours []string
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		switch {
		case args[i] == "-args" || args[i] == "--args":
			s.args = append(s.args, args[i:]...)
			i = len(args)
		case !strings.HasPrefix(args[i], "-") || fs.Lookup(name) == nil:
			s.args = append(s.args, args[i])
		case valued || i+1 == len(args):
			ours = append(ours, args[i])
		default:
			ours = append(ours, args[i], args[i+1])
			i++
		}
	}
	if err := parse(fs, ours); err != nil {
		return err
	}
	if s.workers < 0 {
		return fmt.Errorf("-workers %d is negative", s.workers)
	}
	return nil
}

// findRehearse finds the rehearse command.
func findRehearse() (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "rehearse")
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath("rehearse")
	if err != nil {
		return "", errors.New("serve needs the command rehearse, beside itself or on the PATH: " +
			"go install github.com/rehearse-go/rehearse/cmd/rehearse@latest")
	}
	return path, nil
}

// open makes the directory of the run, and finds its key.
func (s *serving) open() (unlock func(), err error) {
	if s.dir, err = s.runDir(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(s.dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		lock.Close()
		return nil, fmt.Errorf("another serve is at work in %s", s.dir)
	}
	if err := s.findKey(); err != nil {
		lock.Close()
		return nil, err
	}
	return func() { lock.Close() }, nil
}

// runDir is beside the journal, or in the user's cache.
func (s *serving) runDir() (string, error) {
	if s.journal != "" {
		return filepath.Abs(s.journal + ".cluster")
	}
	home, err := key.Home()
	if err != nil {
		return "", err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Append(nil, cwd, s.args))
	return filepath.Join(home, fmt.Sprintf("%x", sum[:8])), nil
}

// findKey reads the key, or makes one. A run that goes on has the key that its workers know.
func (s *serving) findKey() error {
	if s.listen == "" {
		s.listen = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return fmt.Errorf("-listen %s: %w", s.listen, err)
	}
	secure := !broker.IsLoopback(host)
	s.key = &key.Server{}
	path := cmp.Or(s.keyFile, filepath.Join(s.dir, serveKey))
	err = key.Read(path, s.key)
	made := s.keyFile == "" && (errors.Is(err, os.ErrNotExist) || err == nil &&
		secure != (s.key.Certificate != ""))
	if made {
		s.key, err = key.New(secure)
	}
	if err != nil || s.keyFile != "" {
		return err
	}
	if port := portOf(s.key.URL); port != "" && strings.HasSuffix(s.listen, ":0") && isFree(port) {
		s.listen = net.JoinHostPort(host, port) // where workers look for it
	}
	return nil
}

func portOf(url string) string {
	_, port, err := net.SplitHostPort(url[strings.LastIndexByte(url, '/')+1:])
	if err != nil {
		return ""
	}
	return port
}

func isFree(port string) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// writeKeys writes the keys of the run, the workers' with a pin if it is known which binary they
// are to run.
func (s *serving) writeKeys(pin string) error {
	if s.keyFile != "" {
		return nil // who has made it gives it to the workers
	}
	s.key.URL = cmp.Or(s.url, s.address())
	work := s.key.Worker
	work.Pin = pin
	home, err := key.Home()
	if err != nil {
		return err
	}
	return errors.Join(key.Write(filepath.Join(s.dir, serveKey), s.key),
		key.Write(filepath.Join(s.dir, workKey), work),
		key.Write(filepath.Join(home, workKey), work))
}

// address is what workers elsewhere call this machine.
func (s *serving) address() string {
	host, _, err := net.SplitHostPort(s.listen)
	ip := net.ParseIP(host)
	if name, hostErr := os.Hostname(); err == nil && hostErr == nil &&
		(host == "" || ip != nil && ip.IsUnspecified()) {
		port := strconv.Itoa(s.server.Port())
		return "tls://" + net.JoinHostPort(name, port)
	}
	return s.server.URL()
}

// built tells the user how a worker gets there.
func (s *serving) built(m *key.Manifest) error {
	file := cmp.Or(s.keyFile, filepath.Join(s.dir, workKey))
	if s.keyFile != "" {
		s.log("workers: rehearse-cluster work -connect %s -key %s", s.key.URL, workKey)
		return nil
	}
	if err := s.writeKeys(m.Binary); err != nil {
		return err
	}
	s.log("workers: rehearse-cluster work -connect %s -key %s", s.key.URL, file)
	return nil
}

// work starts the workers of this machine.
func (s *serving) work(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	if s.workers > 0 {
		w := &worker.Worker{URL: s.server.URL(), Key: &s.key.Worker, Slots: s.workers,
			Idle: time.Minute, Log: func(string, ...any) {}}
		all.Go(func() {
			if err := w.Run(ctx); err != nil {
				s.log("no workers on this machine: %v", err)
			}
		})
	}
	return &all
}

// test runs rehearse test. This process is the carrier of its binaries.
func (s *serving) test(rehearse string) (code int, err error) {
	args := []string{"test"}
	if s.journal != "" {
		args = append(args, "-checkpoint="+s.journal)
		if _, err := os.Stat(s.journal); err == nil {
			args = append(args, "-resume")
		}
	}
	cmd := exec.Command(rehearse, slices.Concat(args, s.args)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, s.stdout, s.stderr
	cmd.Env = append(os.Environ(), divide.CarrierVariable(s.dir))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return process.Failure, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case sig := <-signals:
			process.PassOn(sig, cmd.Process)
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return process.Failure, err
			}
			if code = cmd.ProcessState.ExitCode(); code < 0 {
				return process.Failure, fmt.Errorf("rehearse test ended with %v", cmd.ProcessState)
			}
			return code, nil
		}
	}
}
