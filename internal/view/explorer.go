package view

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	osexec "os/exec"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore/record"
)

// patience is for how long an explorer may think about one question.
const patience = time.Minute

// explorers are those that run, by what was started.
type explorers struct {
	mu      sync.Mutex
	running map[string]*explorer
}

// ask has the explorer answer that start names. One that has died is started again for the next
// question, and the error says so.
func (e *explorers) ask(start func(schedule string) (*osexec.Cmd, error),
	q *record.Question) (*record.Answer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := start(q.Schedule)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%q", c.Args) // tells explorers apart
	one := e.running[key]
	if one == nil {
		if one, err = run(c); err != nil {
			return nil, err
		}
		if e.running == nil {
			e.running = map[string]*explorer{}
		}
		e.running[key] = one
	}
	answer, err := one.ask(q)
	if err != nil {
		delete(e.running, key)
		why := one.end()
		return nil, fmt.Errorf("the test binary has ended (%s); the next question starts it again",
			why)
	}
	return answer, nil
}

func (e *explorers) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, one := range e.running {
		one.end()
	}
	e.running = nil
}

// explorer is a process that answers.
type explorer struct {
	cmd *osexec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func run(cmd *osexec.Cmd) (*explorer, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &explorer{cmd, in, bufio.NewReaderSize(out, 1<<20)}, cmd.Start()
}

// ask asks, and kills an explorer that thinks for too long.
func (e *explorer) ask(q *record.Question) (*record.Answer, error) {
	late := time.AfterFunc(patience, func() { e.cmd.Process.Kill() })
	defer late.Stop()
	if err := json.NewEncoder(e.in).Encode(q); err != nil {
		return nil, err
	}
	line, err := e.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	answer := &record.Answer{}
	return answer, json.Unmarshal(line, answer)
}

// end ends the process, and says how it has ended.
func (e *explorer) end() string {
	e.in.Close()
	late := time.AfterFunc(time.Second, func() { e.cmd.Process.Kill() })
	defer late.Stop()
	io.Copy(io.Discard, e.out)
	e.cmd.Wait()
	return e.cmd.ProcessState.String()
}
