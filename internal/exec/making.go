package exec

import (
	"errors"
	"slices"
	"strings"
)

// Making is a request whose binaries are being made.
type Making struct {
	list   []*making
	over   chan struct{} // closed when all are ready, and the request is remembered
	failed error         // the request could not be remembered
	stop   func()        // ends the go commands; nil: there are none
}

// making is one package of it.
type making struct {
	path   string
	ready  chan struct{} // closed when the others are known
	result Package
	err    error
}

func newMaking(path string) *making { return &making{path: path, ready: make(chan struct{})} }

func (m *making) set(p Package, err error) {
	m.result, m.err = p, err
	close(m.ready)
}

// made is a request all packages of which are ready.
func made(packages []Package) *Making {
	m := &Making{over: make(chan struct{})}
	for _, p := range packages {
		m.insert(p)
	}
	close(m.over)
	return m
}

// insert adds a package that is ready.
func (m *Making) insert(p Package) {
	one := newMaking(p.Path)
	one.set(p, nil)
	i, _ := slices.BinarySearchFunc(m.list, p.Path, func(o *making, path string) int {
		return strings.Compare(o.path, path)
	})
	m.list = slices.Insert(m.list, i, one)
}

// Len is the number of packages, which are ordered by import path.
func (m *Making) Len() int { return len(m.list) }

// Path is the import path of a package.
func (m *Making) Path(i int) string { return m.list[i].path }

// Broken is the import path of the first package that does not compile; empty if there is none.
func (m *Making) Broken() string {
	for i := range m.list {
		if m.Ready(i) && m.list[i].result.Broken {
			return m.list[i].path
		}
	}
	return ""
}

// Ready reports whether a package can be had without waiting.
func (m *Making) Ready(i int) bool {
	select {
	case <-m.list[i].ready:
		return true
	default:
		return false
	}
}

// Wait returns a package when its binary is there, or says why there is none.
func (m *Making) Wait(i int) (Package, error) {
	<-m.list[i].ready
	return m.list[i].result, m.list[i].err
}

// All returns all packages, once all are ready.
func (m *Making) All() (packages []Package, err error) {
	var errs []error
	for i := range m.list {
		p, err := m.Wait(i)
		packages, errs = append(packages, p), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return packages, m.End()
}

// Stop ends the work on what is not ready.
func (m *Making) Stop() {
	if m.stop != nil {
		m.stop()
	}
}

// End waits until the request is remembered.
func (m *Making) End() error {
	<-m.over
	return m.failed
}
