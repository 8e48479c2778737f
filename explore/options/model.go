package options

import (
	"fmt"
	"slices"
	"strings"
)

// relaxed are the strategies that work under every delivery model. Random ones need no dependence; of the others, those
// whose reduction has been compared with exhaustive search under the models actor and pairs.
var relaxed = []string{"auto", "exhaustive", "dpor", "random"}

// checkModel refuses a strategy that is not known to be right under the delivery model.
func (o *Options) checkModel() error {
	if o.Model == "go" || slices.Contains(relaxed, o.Strategy) {
		return nil
	}
	return fmt.Errorf("-strategy %s does not know -model %s: use %s", o.Strategy, o.Model, strings.Join(relaxed, ", "))
}
