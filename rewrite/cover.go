package rewrite

import (
	"fmt"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// mark puts the marks of -cover into a file, the i-th of its package. They are edits, and not part
// of the analysed source, so the exploration is the same with them. They are added first, and so
// stand behind the text of other edits that close at their places.
func (f *file) mark(i int) {
	c := f.In.Cover[f.Path]
	if c == nil || f.IsCgo() {
		return
	}
	marks := fmt.Sprintf("%sRan%d", f.Hook, i)
	var text string
	for k, in := range c.Insertions {
		if in.Block >= 0 {
			text += fmt.Sprintf("%s%s, %d);", f.Hooked("Ran"), marks, in.Block)
		}
		text += in.Text
		if k+1 == len(c.Insertions) || c.Insertions[k+1].Offset != in.Offset {
			f.Edits.Close(in.Offset, edit.Text(text))
			text = ""
		}
	}
	f.AtEnd(fmt.Sprintf("; var %s = %s%q, %d)", marks, f.Hooked("Covered"), c.Name, c.Blocks))
}
