package depend

import "fmt"

// Undecided lists the pairs of effects on one object that no rule names.
func Undecided() (list []string) {
	for _, family := range families {
		for i, a := range family {
			for _, b := range family[i:] {
				if why[a][b] == undecided {
					list = append(list, fmt.Sprintf("effects %d and %d", a, b))
				}
			}
		}
	}
	return list
}

// NoRule is what is said where no rule is known.
const NoRule = undecided
