package hook

// The results of a call, which go through unchanged once what has been announced has been.
type (
	two[A, B any] struct {
		a A
		b B
	}
	three[A, B, C any] struct {
		a A
		b B
		c C
	}
	four[A, B, C, D any] struct {
		a A
		b B
		c C
		d D
	}
)

// Two holds two results.
func Two[A, B any](a A, b B) two[A, B] { return two[A, B]{a, b} }

// After returns them, after the announcements that are its arguments.
func (p two[A, B]) After(...any) (A, B) { return p.a, p.b }

// Three holds three results.
func Three[A, B, C any](a A, b B, c C) three[A, B, C] { return three[A, B, C]{a, b, c} }

// After returns them, after the announcements that are its arguments.
func (p three[A, B, C]) After(...any) (A, B, C) { return p.a, p.b, p.c }

// Four holds four results.
func Four[A, B, C, D any](a A, b B, c C, d D) four[A, B, C, D] {
	return four[A, B, C, D]{a, b, c, d}
}

// After returns them, after the announcements that are its arguments.
func (p four[A, B, C, D]) After(...any) (A, B, C, D) { return p.a, p.b, p.c, p.d }
