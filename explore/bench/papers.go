package bench

// Figure is what a paper prints about a subject and a strategy.
type Figure struct {
	Subject     string
	Strategy    string
	Order       string `json:",omitempty"` // in which processes are picked; empty: the paper names one number for all orders
	Executions  int    // the paper's paths
	Transitions int    `json:",omitempty"` // 0: not printed
	Paper       string
	Cut         bool `json:",omitempty"` // it did not end, after hours: there are more
}

const (
	table1 = "TransDPOR (FMOODS/FORTE 2012), Table 1"
	table2 = "TransDPOR (FMOODS/FORTE 2012), Table 2"
	albert = "Actor- and Task-Selection Strategies (FORTE 2014), Table 1"
)

// stable is what the second paper does, without its task selection: sleep sets, and temporarily stable actors first.
const stable = "stable actors"

// papers are the figures for the subjects that are here, with the papers' own counting of transitions.
var papers = []Figure{
	{"fib(4)", "dpor", "fifo", 40, 203, table1, false},
	{"fib(4)", "dpor", "eca", 327, 1650, table1, false},
	{"fib(4)", "dpor", "lca", 16, 91, table1, false},
	{"fib(4)", "dpor+sleep", "fifo", 16, 101, table2, false},
	{"fib(4)", "dpor+sleep", "eca", 16, 139, table2, false},
	{"fib(4)", "dpor+sleep", "lca", 16, 91, table2, false},
	{"fib(4)", "transdpor", "fifo", 40, 203, table1, false},
	{"fib(4)", "transdpor", "eca", 203, 1051, table1, false},
	{"fib(4)", "transdpor", "lca", 16, 91, table1, false},
	{"fib(4)", "transdpor+sleep", "fifo", 16, 101, table2, false},
	{"fib(4)", "transdpor+sleep", "eca", 16, 139, table2, false},
	{"fib(4)", "transdpor+sleep", "lca", 16, 91, table2, false},
	{"fib(4)", stable, "", 16, 0, albert, false},
	{"pi(3)", stable, "", 6, 0, albert, false},
	{"pi(5)", "dpor", "fifo", 120, 931, table1, false},
	{"pi(5)", "dpor", "eca", 120, 931, table1, false},
	{"pi(5)", "dpor", "lca", 19845, 156070, table1, false},
	{"pi(5)", "dpor+sleep", "fifo", 120, 931, table2, false},
	{"pi(5)", "dpor+sleep", "eca", 120, 931, table2, false},
	{"pi(5)", "dpor+sleep", "lca", 120, 1236, table2, false},
	{"pi(5)", "transdpor", "fifo", 120, 931, table1, false},
	{"pi(5)", "transdpor", "eca", 120, 931, table1, false},
	{"pi(5)", "transdpor", "lca", 312, 2452, table1, false},
	{"pi(5)", "transdpor+sleep", "fifo", 120, 931, table2, false},
	{"pi(5)", "transdpor+sleep", "eca", 120, 931, table2, false},
	{"pi(5)", "transdpor+sleep", "lca", 120, 990, table2, false},
	{"pi(5)", stable, "", 120, 0, albert, false},
	{"qsort(5)", stable, "", 16, 0, albert, false},
	{"qsort(6)", "dpor", "fifo", 368, 1586, table1, false},
	{"qsort(6)", "dpor", "eca", 3822, 16766, table1, false},
	{"qsort(6)", "dpor", "lca", 32, 156, table1, false},
	{"qsort(6)", "dpor+sleep", "fifo", 32, 179, table2, false},
	{"qsort(6)", "dpor+sleep", "eca", 32, 272, table2, false},
	{"qsort(6)", "dpor+sleep", "lca", 32, 156, table2, false},
	{"qsort(6)", "transdpor", "fifo", 368, 1586, table1, false},
	{"qsort(6)", "transdpor", "eca", 1519, 6992, table1, false},
	{"qsort(6)", "transdpor", "lca", 32, 156, table1, false},
	{"qsort(6)", "transdpor+sleep", "fifo", 32, 179, table2, false},
	{"qsort(6)", "transdpor+sleep", "eca", 32, 272, table2, false},
	{"qsort(6)", "transdpor+sleep", "lca", 32, 156, table2, false},
	{"qsort(6)", stable, "", 32, 0, albert, false},
	{"regsim(6)", "dpor", "fifo", 211750, 590835, table1, true},
	{"regsim(6)", "dpor", "eca", 208034, 591454, table1, true},
	{"regsim(6)", "dpor", "lca", 720, 1962, table1, false},
	{"regsim(6)", "dpor+sleep", "fifo", 720, 3453, table2, false},
	{"regsim(6)", "dpor+sleep", "eca", 720, 4054, table2, false},
	{"regsim(6)", "dpor+sleep", "lca", 720, 1962, table2, false},
	{"regsim(6)", "transdpor", "fifo", 1320, 3607, table1, false},
	{"regsim(6)", "transdpor", "eca", 1950, 5434, table1, false},
	{"regsim(6)", "transdpor", "lca", 720, 1962, table1, false},
	{"regsim(6)", "transdpor+sleep", "fifo", 720, 2019, table2, false},
	{"regsim(6)", "transdpor+sleep", "eca", 720, 2152, table2, false},
	{"regsim(6)", "transdpor+sleep", "lca", 720, 1962, table2, false},
}

// figures are those of one subject and strategy.
func figures(subject, strategy string) []Figure {
	var list []Figure
	for _, f := range papers {
		if f.Subject == subject && f.Strategy == strategy {
			list = append(list, f)
		}
	}
	return list
}
