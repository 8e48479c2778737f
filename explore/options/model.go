package options

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// relaxed are the strategies that work under every delivery model. Random ones need no dependence; of the others, those
// whose reduction has been compared with exhaustive search under the models actor and pairs.
var relaxed = []string{"auto", "exhaustive", "dpor", "transdpor", "optimal", "random"}

// checkModel refuses a strategy that is not known to be right under the delivery model.
func (o *Options) checkModel() error {
	if o.Strategy == "transdpor" && o.Model == "go" {
		return errors.New("-strategy transdpor does not know -model go, under which the order of messages is decided when they " +
			"are sent: add -model actor or -model pairs, or use -strategy dpor")
	}
	if o.Model == "go" || slices.Contains(relaxed, o.Strategy) {
		return nil
	}
	return fmt.Errorf("-strategy %s does not know -model %s: use %s", o.Strategy, o.Model, strings.Join(relaxed, ", "))
}
