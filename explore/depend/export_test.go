package depend

import "fmt"

// Undecided lists the pairs of effects on one object that no rule names.
func Undecided() (list []string) {
	for _, family := range families {
		for i, a := range family {
			for _, b := range family[i:] {
				if why[a][b] == "nothing says that they commute" {
					list = append(list, fmt.Sprintf("effects %d and %d", a, b))
				}
			}
		}
	}
	return list
}
