package refining

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// Side is one of two versions that are compared: a binary that answers questions about its
// harnesses. Several processes of it answer at the same time. Answers are kept on disk, so that a
// version that has not changed is not explored again, and memory does not grow with questions.
type Side struct {
	pkg  exec.Package
	args []string
	idle chan *asked // processes that wait for a question
	most int         // processes

	mu      sync.Mutex
	started []*asked
	ahead   map[string]chan outcome // what is asked before somebody wants to know it, by question

	file *os.File                       // where answers are kept
	kept map[[sha256.Size]byte][2]int64 // by question: where its answer begins, and how long it is
}

// outcome is an answer, or why there is none.
type outcome struct {
	line []byte
	err  error
}

// NewSide returns the side of a package's binary, of which most processes are started when they are
// needed.
func NewSide(pkg exec.Package, args []string, most int) (*Side, error) {
	s := &Side{pkg: pkg, args: append(args, "-refine"), idle: make(chan *asked, most),
		most:  most,
		ahead: map[string]chan outcome{}, kept: map[[sha256.Size]byte][2]int64{}}
	c, err := cache.Open()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(c.Path, "refine")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	name := filepath.Join(dir,
		cache.Digest(fmt.Appendf(nil, "%s\x00%q", pkg.Binary, args))+".jsonl")
	if s.file, err = os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	return s, s.index()
}

type keptAnswer struct{ Question, Answer json.RawMessage }

// index notes where the answers are. A line that is not whole has none.
func (s *Side) index() error {
	lines, at := bufio.NewReader(s.file), int64(0)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var k keptAnswer
		if json.Unmarshal(line, &k) == nil {
			s.kept[sha256.Sum256(k.Question)] = [2]int64{at, int64(len(line))}
		}
		at += int64(len(line))
	}
}

// remembered is the answer that is kept; nil if there is none.
func (s *Side) remembered(key []byte) []byte {
	at, ok := s.kept[sha256.Sum256(key)]
	if !ok {
		return nil
	}
	line := make([]byte, at[1])
	var k keptAnswer
	if _, err := s.file.ReadAt(line, at[0]); err != nil || json.Unmarshal(line, &k) != nil ||
		!bytes.Equal(k.Question, key) {
		return nil
	}
	return k.Answer
}

// keyOf is the question without its budget.
func keyOf(q refine.Question) ([]byte, error) {
	q.Budget = 0
	return json.Marshal(q)
}

// Foresee asks a question that somebody will ask soon.
func (s *Side) Foresee(q refine.Question) {
	key, err := keyOf(q)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.kept[sha256.Sum256(key)]; known || s.ahead[string(key)] != nil {
		return
	}
	answer := make(chan outcome, 1)
	s.ahead[string(key)] = answer
	go func() {
		line, err := s.put(q)
		answer <- outcome{line, err}
	}()
}

// Ask asks one question.
func (s *Side) Ask(q refine.Question) (a refine.Explored, err error) {
	key, err := keyOf(q)
	if err != nil {
		return a, err
	}
	if answer := s.remembered(key); answer != nil {
		return a, json.Unmarshal(answer, &a)
	}
	s.mu.Lock()
	answer := s.ahead[string(key)]
	delete(s.ahead, string(key))
	s.mu.Unlock()
	var got outcome
	if answer != nil {
		got = <-answer
	} else {
		got.line, got.err = s.put(q)
	}
	if got.err != nil {
		return a, got.err
	}
	if err := json.Unmarshal(got.line, &a); err != nil {
		return a, err
	}
	if !a.Complete || a.Failure != "" {
		return a, nil
	}
	line, err := json.Marshal(keptAnswer{key, got.line})
	if err != nil {
		return a, err
	}
	_, err = s.file.Write(append(line, '\n'))
	return a, err
}

// put asks a process.
func (s *Side) put(q refine.Question) (answer []byte, err error) {
	p, err := s.free()
	if err != nil {
		return nil, err
	}
	defer func() { s.idle <- p }()
	if err := json.NewEncoder(p.in).Encode(q); err != nil {
		return nil, p.died(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, p.died(err)
	}
	return line, nil
}

// free is a process that waits for a question.
func (s *Side) free() (*asked, error) {
	select {
	case p := <-s.idle:
		return p, nil
	default:
	}
	s.mu.Lock()
	if len(s.started) == s.most {
		s.mu.Unlock()
		return <-s.idle, nil
	}
	defer s.mu.Unlock()
	p, err := s.start()
	if err == nil {
		s.started = append(s.started, p)
	}
	return p, err
}

// asked is a process of the binary.
type asked struct {
	cmd  *osexec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer
	wait func() // until it has ended, and all that it has written is here
}

func (s *Side) start() (*asked, error) {
	p := &asked{cmd: osexec.Command(s.pkg.Binary, s.args...)}
	exec.StartIn(p.cmd, s.pkg.Dir)
	p.wait = sync.OnceFunc(func() { p.cmd.Wait() }) // that it was killed is known
	p.cmd.Stderr = &p.errs
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// died says why the process does not answer.
func (p *asked) died(err error) error {
	p.in.Close()
	p.wait()
	if text := strings.TrimSpace(p.errs.String()); text != "" {
		return errors.New(strings.TrimPrefix(headOf(text), "rehearse: "))
	}
	return fmt.Errorf("the test binary has ended: %w", err)
}

// frame is a line of a stack: where a function is.
var frame = regexp.MustCompile(`^\t(\S+\.go:\d+)`)

// crash is the line that says why a program has crashed, behind what it has printed before.
var crash = regexp.MustCompile(`(?m)^(panic|fatal error): `)

// headOf is the line of a crash, as of a panic while packages are initialised, else the first line
// of a text. If a stack follows, the first place in it comes before.
func headOf(text string) string {
	if i := crash.FindStringIndex(text); i != nil {
		text = text[i[0]:]
	}
	head, rest, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rest) {
		if m := frame.FindStringSubmatch(line); m != nil {
			return m[1] + ": " + head
		}
	}
	return head
}

// Interrupt makes the binary end what it explores.
func (s *Side) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.started {
		p.cmd.Process.Signal(os.Interrupt)
	}
}

// Close ends the binary.
func (s *Side) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.started {
		p.in.Close()
		p.cmd.Process.Kill()
		p.wait()
	}
	return s.file.Close()
}
