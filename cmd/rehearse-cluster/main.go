package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/worker"
	"github.com/rehearse-go/rehearse/explore/process"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command: it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	var err error
	code := process.Clean
	switch name := first(args); name {
	case "serve":
		code, err = serve(args[1:], stdout, stderr)
	case "work":
		err = work(args[1:], stderr)
	case "key":
		err = makeKeys(args[1:], stdout)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, helpText())
	default:
		err = fmt.Errorf("unknown command %q; run 'rehearse-cluster help'", name)
	}
	if err != nil {
		fmt.Fprintf(stderr, "rehearse-cluster: %v\n", err)
		return process.Failure
	}
	return code
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// parse reads flags, and says where to read about them if they are wrong.
func parse(fs *flag.FlagSet, args []string) error {
	fs.SetOutput(io.Discard)
	if err := fs.Parse(args); err != nil {
		return fmt.Errorf("%w; run 'rehearse-cluster help'", err)
	}
	return nil
}

// work is the command of this name.
func work(args []string, stderr io.Writer) error {
	fs := flag.NewFlagSet("work", flag.ContinueOnError)
	url := fs.String("connect", "", "")
	file := fs.String("key", "", "")
	slots := fs.Int("workers", runtime.NumCPU(), "")
	wait := fs.Duration("wait", 10*time.Minute, "")
	if err := parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 || *slots < 1 {
		return errors.New("work takes flags only, and at least one worker; " +
			"run 'rehearse-cluster help'")
	}
	k, err := key.Find(*file)
	if err != nil {
		return err
	}
	if *url == "" {
		*url = k.URL
	}
	if *url == "" {
		return errors.New("the key has no address of serve: name it with -connect URL")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w := &worker.Worker{URL: *url, Key: k, Slots: *slots, Idle: *wait,
		Log: func(format string, args ...any) {
			fmt.Fprintf(stderr, "rehearse-cluster: "+format+"\n", args...)
		}}
	return w.Run(ctx)
}

// makeKeys is the command key.
func makeKeys(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("key", flag.ContinueOnError)
	url := fs.String("url", "", "")
	if err := parse(fs, args); err != nil {
		return err
	}
	if *url == "" || fs.NArg() != 1 {
		return errors.New("key needs the address at which workers find serve, and a directory: " +
			"rehearse-cluster key -url tls://rehearse:7480 keys")
	}
	k, err := key.New(true)
	if err != nil {
		return err
	}
	k.URL = *url
	dir := fs.Arg(0)
	err = errors.Join(key.Write(filepath.Join(dir, serveKey), k),
		key.Write(filepath.Join(dir, workKey), k.Worker))
	if err == nil {
		fmt.Fprintf(stdout, "%s for serve, and %s for workers\n", filepath.Join(dir, serveKey),
			filepath.Join(dir, workKey))
	}
	return err
}
