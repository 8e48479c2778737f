package exec

import (
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// builder is one request at work. Each subject has a type of its own, and knows the workspace and
// those subjects that it names.
type builder struct {
	*workspace
	*coverage
	*inputs
	*policy
	*standard
	*statics
	*targets
	refusing
	*rewriting
}

func newBuilder(r *request, c cache.Dir, t *toolchain.Toolchain) *builder {
	w := &workspace{request: r, cache: c, tools: t}
	b := &builder{workspace: w, coverage: &coverage{workspace: w}, inputs: &inputs{workspace: w},
		policy: &policy{workspace: w}, targets: &targets{workspace: w}}
	b.standard = &standard{policy: b.policy}
	b.statics = &statics{inputs: b.inputs}
	b.rewriting = &rewriting{workspace: w, coverage: b.coverage, policy: b.policy,
		standard: b.standard, statics: b.statics}
	b.refusing = refusing{workspace: w, rewriting: b.rewriting, targets: b.targets}
	return b
}
