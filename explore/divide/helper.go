package divide

import (
	"encoding/gob"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore/isolate"
)

// env tells a helper that it is one. The helper has two more files then.
const env = "REHEARSE_HELPER"

// The helper's files.
const (
	tasks   = 3 // it reads them
	reports = 4 // it writes them
)

// helper is a process that does tasks, as the one sees it that has started it.
type helper struct {
	process *os.Process
	out     *os.File
	in      *os.File
	tasks   *gob.Encoder
	reports *gob.Decoder
	until   atomic.Int64 // when its task is to be done, in Unix nanoseconds; 0: it has none
}

// start starts a helper.
func start(as isolate.Start) (*helper, error) {
	tasksR, tasksW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	reportsR, reportsW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, tasksR.Close(), tasksW.Close())
	}
	defer tasksR.Close()
	defer reportsW.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err == nil {
		defer null.Close()
		h := &helper{out: tasksW, in: reportsR, tasks: gob.NewEncoder(tasksW),
			reports: gob.NewDecoder(reportsR)}
		h.process, err = os.StartProcess(as.Path, as.Args, &os.ProcAttr{
			Dir: as.Dir, Env: append(append([]string(nil), as.Env...), env+"=1"),
			Files: []*os.File{null, null, null, tasksR, reportsW},
		})
		if err == nil {
			return h, nil
		}
	}
	return nil, errors.Join(err, tasksW.Close(), reportsR.Close())
}

// do has a task done. It is an error if the helper is gone.
func (h *helper) do(t Task) (r Report, err error) {
	if err := h.tasks.Encode(t); err != nil {
		return r, err
	}
	err = h.reports.Decode(&r)
	return r, err
}

// leave is the time that a helper may take for its last task, and for the end of TestMain. One that
// has been waited for in vain may take less.
const (
	leave = 2 * time.Second
	rest  = 200 * time.Millisecond
)

// Helper is a helper that somebody else has than a Search: who works for a keeper elsewhere.
type Helper struct{ *helper }

// StartHelper starts one.
func StartHelper(as isolate.Start) (*Helper, error) {
	h, err := start(as)
	return &Helper{h}, err
}

// Do has a task done. It is an error if the helper is gone.
func (h *Helper) Do(t Task) (Report, error) { return h.do(t) }

// End lets the helper end.
func (h *Helper) End() { h.end(leave) }

// end lets the helper end, within some time.
func (h *helper) end(within time.Duration) {
	h.out.Close()
	late := time.AfterFunc(within, func() { h.process.Kill() })
	// its way to end makes no difference: executions that it has not reported are not counted
	h.process.Wait()
	late.Stop()
	h.in.Close()
}

// IsHelper reports whether this process is a helper.
func IsHelper() bool { return os.Getenv(env) != "" }

// Link is a helper's connection to the process that has started it.
type Link struct {
	todo    chan Task
	reports *gob.Encoder
}

// Join makes this process, a helper, one that ends when nobody wants it any more. It must be called
// once, early.
func Join() *Link {
	os.Unsetenv(env)
	for _, fd := range []int{tasks, reports} {
		syscall.CloseOnExec(fd)
	}
	in, out := os.NewFile(tasks, "tasks"), os.NewFile(reports, "reports")
	l := &Link{todo: make(chan Task, 1), reports: gob.NewEncoder(out)}
	go l.listen(gob.NewDecoder(in))
	return l
}

func (l *Link) listen(in *gob.Decoder) {
	for {
		var t Task
		if in.Decode(&t) != nil {
			break
		}
		l.todo <- t
	}
	close(l.todo)
	time.Sleep(leave)
	os.Exit(0) // a step that does not end, or TestMain, keeps it
}

// Work does tasks until there are no more.
func (l *Link) Work(do func(Task) Report) {
	for t := range l.todo {
		if l.reports.Encode(do(t)) != nil {
			return
		}
	}
}
