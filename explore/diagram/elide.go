package diagram

// Elide leaves rows out in the middle, but not those near a noted one.
func Elide(rows []Row) []Row {
	n := len(rows)
	if n <= maxRows {
		return rows
	}
	const first, near = 12, 2
	keep := make([]bool, n)
	budget := maxRows
	take := func(i int) {
		if i >= 0 && i < n && !keep[i] && budget > 0 {
			keep[i] = true
			budget--
		}
	}
	for i := range rows {
		for d := -near; rows[i].IsNoted() && d <= near; d++ {
			take(i + d)
		}
	}
	for i := range first {
		take(i)
	}
	for i := n - 1; i >= 0 && budget > 0; i-- {
		take(i)
	}
	return leaveOut(rows, keep)
}

// leaveOut replaces each run of rows that are not kept by a row that counts them.
func leaveOut(rows []Row, keep []bool) []Row {
	var kept []Row
	for i := 0; i < len(rows); i++ {
		if keep[i] {
			kept = append(kept, rows[i])
			continue
		}
		start := i
		for i+1 < len(rows) && !keep[i+1] {
			i++
		}
		kept = append(kept,
			Aside("... %d steps left out; the replay shows them ...", i+1-start))
	}
	return kept
}
