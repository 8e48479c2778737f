package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	osexec "os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/view"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// viewing is one rehearse view at work.
type viewing struct {
	options        *options.Options
	stdout, stderr io.Writer
	server         *view.Server
	record         string // a file
}

// runView serves the page of a record, of a schedule, or of packages that are explored meanwhile.
func runView(args []string, stdout, stderr io.Writer) int {
	o := options.Default()
	fs := flag.NewFlagSet("view", flag.ContinueOnError)
	o.Register(fs)
	address := fs.String("http", "127.0.0.1:0", "")
	rest, err := parse(fs, args, stderr)
	if err != nil {
		return exitError
	}
	if err := o.Check(); err != nil {
		return complain(stderr, fmt.Errorf("%w; run 'rehearse help view'", err))
	}
	v := &viewing{options: o, stdout: stdout, stderr: stderr}
	load, err := v.source(rest)
	if err != nil {
		return complain(stderr, err)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return complain(stderr, fmt.Errorf("view: -http %s: %w", *address, err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return v.serve(ctx, listener, load)
}

// serve serves until the user interrupts. Meanwhile it runs load, whose executions appear on the
// pages.
func (v *viewing) serve(ctx context.Context, listener net.Listener, load func() error) int {
	v.server = view.New(listener.Addr())
	v.server.Tool, v.server.Start = version(), v.explorer
	defer v.server.Close()
	server := &http.Server{Handler: v.server, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(v.stdout, "%s\n", v.server.URL())
	go func() {
		if err := load(); err != nil {
			failed <- err
		}
	}()
	select {
	case <-ctx.Done():
		server.Close()
		return exitClean
	case err := <-failed:
		return complain(v.stderr, err)
	}
}

// source finds out what the arguments name: a record, a schedule, or packages.
func (v *viewing) source(args []string) (load func() error, err error) {
	one := ""
	if len(args) == 1 {
		one = args[0]
	}
	switch filepath.Ext(one) {
	case ".record":
		if _, err := os.Stat(one); err != nil {
			return nil, fmt.Errorf("%w; rehearse test -record FILE writes one", err)
		}
		v.record = one
		return v.show, nil
	case ".sched":
		if _, err := exec.FindSchedule(one, nil); err != nil {
			return nil, err
		}
		return func() error {
			return v.explore(func(o *options.Options) int { return v.replay(one, o) })
		}, nil
	}
	return func() error {
		return v.explore(func(o *options.Options) int { return v.test(args, o) })
	}, nil
}

// show reads the record and shows it.
func (v *viewing) show() error {
	file, err := os.Open(v.record)
	if err != nil {
		return err
	}
	defer file.Close()
	packages, err := record.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", v.record, err)
	}
	v.server.Show(packages)
	v.server.Renew()
	return nil
}

// explore runs binaries, which write a record, and shows that whenever a package has been explored.
func (v *viewing) explore(run func(*options.Options) int) error {
	dir, remove, err := process.TempDir("rehearse-view-")
	if err != nil {
		return err
	}
	defer remove()
	v.record = filepath.Join(dir, "view.record")
	o := *v.options
	o.Record, o.JSON = v.record, true
	if code := run(&o); code == process.Failure {
		if _, err := os.Stat(v.record); err != nil {
			return errors.New("view: there is nothing to be seen")
		}
	}
	out := &outputs{options: v.options, record: v.record, files: []rendering{{flag: "record"}}}
	if err := out.addFacts(); err != nil {
		return err
	}
	return v.show()
}

func (v *viewing) test(patterns []string, o *options.Options) int {
	t := &testRun{options: o, patterns: patterns, anew: true, stdout: v.listener(),
		stderr:   v.stderr,
		coverage: &coverage{options: o}}
	return t.run()
}

func (v *viewing) replay(file string, o *options.Options) int {
	schedule, err := exec.FindSchedule(file, nil)
	if err != nil {
		return complain(v.stderr, err)
	}
	p, err := v.build(schedule, o)
	if err != nil {
		return complain(v.stderr, err)
	}
	o.Replay = schedule.File
	code, _ := testPackage(p, o, nil, v.listener(), v.stderr)
	return code
}

// listener passes on what a binary prints with -json: progress to the pages, and a package's end.
func (v *viewing) listener() io.Writer {
	r, w := io.Pipe()
	go func() {
		for lines := bufio.NewReader(r); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			switch {
			case bytes.HasPrefix(line, []byte(`{"Action":"progress"`)),
				bytes.HasPrefix(line, []byte(`{"Action":"run"`)):
				v.server.Tell(line)
			case bytes.HasPrefix(line, []byte(`{"Action":"package"`)):
				v.show() // what cannot be read now is read at the end
			}
		}
	}()
	return w
}

// build makes the binary that a schedule belongs to.
func (v *viewing) build(schedule *exec.Schedule, o *options.Options) (exec.Package, error) {
	if o.Model == options.Default().Model {
		o.Model = schedule.Model
	}
	o.Control.Set(schedule.Control)
	packages, err := exec.BuildAdded(schedule.Dir, o, schedule.Patterns, schedule.Added)
	if err == nil && (len(packages) != 1 || packages[0].Binary == "") {
		err = fmt.Errorf("no tests in %s, or several packages",
			strings.Join(schedule.Patterns, " "))
	}
	if err != nil {
		return exec.Package{}, err
	}
	return packages[0], nil
}

// explorer says how to run what answers questions about a schedule: the binary of its package.
func (v *viewing) explorer(text string) (*osexec.Cmd, error) {
	s, err := trace.ParseSchedule([]byte(text))
	if err != nil {
		return nil, err
	}
	dir := v.server.Dir(s.Package)
	if dir == "" {
		return nil, fmt.Errorf("package %s is not one of those that are shown", s.Package)
	}
	o := *v.options
	p, err := v.build(&exec.Schedule{Dir: dir, Patterns: []string{"."}, Model: s.Model,
		Control: s.Control}, &o)
	if err != nil {
		return nil, err
	}
	o.Explorer, o.JSON, o.Record, o.Timeout = true, false, "", 0
	cmd := osexec.Command(p.Binary, binaryArgs(&o, nil)...)
	exec.StartIn(cmd, p.Dir)
	return cmd, nil
}
