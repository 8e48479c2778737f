package fix

// f has a directive on a line of its own.
func f() {
	// want +1 "this comment silences nothing"
	//rehearse:ignore loud alone
	print()
	/* want "this comment silences nothing" */ //rehearse:ignore loud after another comment
	print()
	print( /* want "this comment silences nothing" */ ) //rehearse:ignore loud at the end
}
