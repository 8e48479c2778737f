package groups

func RefineCountByOne() chan<- any { return Count(1) }
func RefineCountByTwo() chan<- any { return Count(2) }

func RefineCountByOneValues() []any { return []any{Get{}, Inc{}} }
func RefineCountByTwoValues() []any { return []any{Get{}, Inc{}} }

func RefineJobsInTurn() chan<- Job { return Work(false) }
func RefineJobsEach() chan<- Job   { return Work(true) }

func RefineJobsInTurnValues() (In []int) { return []int{1} }
func RefineJobsEachValues() (In []int)   { return []int{1} }
