package exec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/internal/cache"
)

// Side is one of two versions that are compared: a binary that answers questions about its
// harnesses. What it has answered is kept, so that a version that has not changed is not explored
// again.
type Side struct {
	binary  string
	args    []string
	cmd     *exec.Cmd
	process atomic.Pointer[os.Process] // of cmd, for who interrupts it
	in      io.WriteCloser
	out     *bufio.Reader
	errs    *bytes.Buffer

	file string            // where answers are kept
	kept map[string][]byte // by question
	more bytes.Buffer      // answers that are not there yet
	Ran  int               // executions that were run, and not remembered
}

// NewSide returns the side of a binary, which is started when it is first asked.
func NewSide(binary string, args []string) (*Side, error) {
	s := &Side{binary: binary, args: append(args, "-refine"), kept: map[string][]byte{}}
	c, err := cache.Open()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(c.Path, "refine")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s.file = filepath.Join(dir, cache.Digest(fmt.Appendf(nil, "%s\x00%q", binary, args))+".jsonl")
	content, _ := os.ReadFile(s.file) // none: nothing is kept
	for line := range bytes.Lines(content) {
		var k keptAnswer
		if json.Unmarshal(line, &k) == nil {
			s.kept[string(k.Question)] = k.Answer
		}
	}
	return s, nil
}

type keptAnswer struct{ Question, Answer json.RawMessage }

// Ask asks one question.
func (s *Side) Ask(q refine.Question) (a refine.Explored, err error) {
	budget := q.Budget
	q.Budget = 0
	key, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	if answer, ok := s.kept[string(key)]; ok {
		return a, json.Unmarshal(answer, &a)
	}
	q.Budget = budget
	line, err := s.put(q)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return a, err
	}
	s.Ran += a.Executions
	if a.Complete && a.Failure == "" {
		s.kept[string(key)] = line
		return a, json.NewEncoder(&s.more).Encode(keptAnswer{key, line})
	}
	return a, nil
}

// put asks the binary.
func (s *Side) put(q refine.Question) (answer []byte, err error) {
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return nil, err
		}
	}
	if err := json.NewEncoder(s.in).Encode(q); err != nil {
		return nil, s.died(err)
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return nil, s.died(err)
	}
	return line, nil
}

func (s *Side) start() (err error) {
	s.cmd, s.errs = exec.Command(s.binary, s.args...), &bytes.Buffer{}
	s.cmd.Stderr = s.errs
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.process.Store(s.cmd.Process)
	return nil
}

// died says why the binary does not answer.
func (s *Side) died(err error) error {
	s.in.Close()
	s.cmd.Wait() // the error that matters is what the binary has said
	if text := strings.TrimSpace(s.errs.String()); text != "" {
		return errors.New(strings.TrimPrefix(text, "rehearse: "))
	}
	return fmt.Errorf("the test binary has ended: %w", err)
}

// Interrupt makes the binary end what it explores.
func (s *Side) Interrupt() {
	if p := s.process.Load(); p != nil {
		p.Signal(os.Interrupt)
	}
}

// Close ends the binary and keeps what it has answered.
func (s *Side) Close() error {
	if s.cmd != nil {
		s.in.Close()
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
	if s.more.Len() == 0 {
		return nil
	}
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(s.more.Bytes())
	return errors.Join(err, f.Close())
}
