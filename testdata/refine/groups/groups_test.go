package groups

func RefineSinkForever() chan<- int { return sink(-1) }
func RefineSinkOnce() chan<- int    { return sink(1) }

func RefineBuffer1(out chan<- int) chan<- int { return forward(out, 1) }
func RefineBuffer2(out chan<- int) chan<- int { return forward(out, 2) }

func RefineCellRequests() Cell { return newRequestCell() }
func RefineCellClosures() Cell { return newClosureCell() }
func RefineCellLock() Cell     { return &lockCell{} }

func RefineOpenFresh() Opener          { return &freshOpener{} }
func RefineOpenFreshValues() (v []int) { return []int{1} }
func RefineOpenTurns() Opener          { return &turnOpener{all: [2]*Echo{newEcho(), newEcho()}} }
func RefineOpenTurnsValues() (v []int) { return []int{1} }

func RefineHubLoop() *Hub    { return newHub(inLoop) }
func RefineHubQueue() *Hub   { return newHub(byQueue) }
func RefineHubMessage() *Hub { return newHub(byMessage) }

func RefineCacheLoose(load func(string) string) Cache {
	return &looseCache{kept: map[string]string{}, load: load}
}
func RefineCacheLooseValues() (key []string) { return []string{"k"} }
func RefineCacheFlight(load func(string) string) Cache {
	return &surely{flightCache{flights: map[string]*flight{}, load: func(key string) (string, error) { return load(key), nil }}}
}
func RefineCacheFlightValues() (key []string) { return []string{"k"} }

//rehearse:refine n=2
func RefineErrCacheLoose(load func(string) (string, error)) ErrCache {
	return &errLooseCache{kept: map[string]string{}, load: load}
}
func RefineErrCacheLooseValues() (key, _ []string) { return []string{"k"}, []string{"a", "b"} }

//rehearse:refine n=2
func RefineErrCacheFlight(load func(string) (string, error)) ErrCache {
	return &errFlightCache{flightCache{flights: map[string]*flight{}, load: load}}
}
func RefineErrCacheFlightValues() (key, _ []string) { return []string{"k"}, []string{"a", "b"} }

func RefineAnswersInOrder(ask <-chan int, answers chan<- int) { answering(ask, answers, false) }
func RefineAnswersEach(ask <-chan int, answers chan<- int)    { answering(ask, answers, true) }

func RefineIDCounter() *Named { return &Named{} }
func RefineIDRandom() *Named  { return &Named{ids{random: true}} }

func RefineNumberCounter() *Numbered { return &Numbered{} }
func RefineNumberRandom() *Numbered  { return &Numbered{ids{random: true}} }

func RefineSlotsLooks() *Slots   { return &Slots{make(chan bool, 1), true} }
func RefineSlotsSelects() *Slots { return &Slots{make(chan bool, 1), false} }

func RefineCloseError() Door { return &Closer{} }
func RefineClosePanic() Door { return &Closer{panics: true} }

//rehearse:refine once=Close
func RefineCloseOnceError() Door { return &Closer{} }

//rehearse:refine once=Close
func RefineCloseOncePanic() Door { return &Closer{panics: true} }

//rehearse:refine once=Close
func RefineAddError() *Closer { return &Closer{} }

//rehearse:refine once=Close
func RefineAddPanic() *Closer { return &Closer{panics: true} }

//rehearse:refine once=Close last=Close
func RefineAddLastError() *Closer { return &Closer{} }

//rehearse:refine once=Close last=Close
func RefineAddLastPanic() *Closer { return &Closer{panics: true} }
