package bench

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/rehearse-go/rehearse"
)

// Subjects lists all subjects, in the order of testdata/golden.json.
func Subjects() ([]Subject, error) {
	content, err := fs.ReadFile(rehearse.Subjects(), "testdata/golden.json")
	if err != nil {
		return nil, err
	}
	var list []Subject
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, fmt.Errorf("testdata/golden.json: %w", err)
	}
	return slices.DeleteFunc(list, func(s Subject) bool { return s.Name == "" }), nil
}

// known is the number of inequivalent executions under a model, nil if it is not known.
func (s *Subject) known(model string) *int {
	if model == "go" {
		return s.Traces
	}
	if n, ok := s.Models[model]; ok {
		return &n
	}
	return nil
}

// subjects lists those that are measured.
func (c *Config) subjects() ([]Subject, error) {
	match, err := regexp.Compile(c.Subject)
	if err != nil {
		return nil, fmt.Errorf("-subject: %v", err)
	}
	all, err := Subjects()
	if err != nil {
		return nil, err
	}
	var list []Subject
	long := 0
	for _, s := range all {
		switch {
		case !match.MatchString(s.Name):
		case s.Long && !c.Long:
			long++
		default:
			list = append(list, s)
		}
	}
	return list, nothing(c.Subject, len(list), long)
}

// nothing says what to do when no subject is left.
func nothing(pattern string, left, long int) error {
	switch {
	case left > 0:
		return nil
	case long > 0:
		return fmt.Errorf("-subject %s matches long subjects only: add -long", pattern)
	}
	return fmt.Errorf("-subject %s matches no subject; 'rehearse bench -list' has them", pattern)
}

// write puts the subjects into a module of their own below dir. It has the name of this one, for
// they import each other.
func write(dir string) error {
	if err := os.CopyFS(dir, rehearse.Subjects()); err != nil {
		return err
	}
	gomod := []byte("module " + rehearse.Module + "\n\ngo 1.26\n")
	return os.WriteFile(filepath.Join(dir, "go.mod"), gomod, 0o666)
}

// patterns name the packages of the jobs that a binary is for, each once.
func patterns(jobs []job, b binary) []string {
	var list []string
	for _, j := range jobs {
		if p := "./testdata/" + j.subject.Dir; j.variant.binary() == b &&
			!slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// base is a package's directory below testdata.
func base(importPath string) string { return path.Base(importPath) }
