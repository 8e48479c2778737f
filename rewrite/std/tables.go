package std

import "errors"

// tableHooks make steps of accesses to variables of the library that all processes share without a
// lock: settings of loggers, levels, tables of types. Variables under locks have steps already:
// those of the locks.
var tableHooks = []struct {
	path, file string
	hooks      []hook
}{
	{"log", "log.go", []hook{
		setting("Logger", "Flags", "&$r.flag", false),
		setting("Logger", "SetFlags", "&$r.flag", true),
		setting("Logger", "Prefix", "&$r.prefix", false),
		setting("Logger", "SetPrefix", "&$r.prefix", true),
		// the step comes right before the writing
		{recv: "Logger", name: "SetOutput", imports: []string{"unsafe"},
			code: isHere +
				"{ $r.outMu.Lock(); defer $r.outMu.Unlock(); gate.Table(unsafe.Pointer(&$r.isDiscard), true); " +
				"$r.out = $1; $r.isDiscard.Store($1 == io.Discard); return }"},
		setting("Logger", "output", "&$r.isDiscard", false),
	}},
	{"log/slog", "level.go", []hook{
		setting("LevelVar", "Level", "&$r.val", false),
		setting("LevelVar", "Set", "&$r.val", true),
	}},
	{"log/slog", "logger.go", []hook{
		setting("", "Default", "&defaultLogger", false),
		setting("", "SetDefault", "&defaultLogger", true),
	}},
	{"mime", "type.go", []hook{
		setting("", "TypeByExtension", "&mimeTypes", false),
		setting("", "ExtensionsByType", "&mimeTypes", false),
		{name: "AddExtensionType", imports: []string{"unsafe"},
			code: isHere +
				"{ gate.Table(unsafe.Pointer(&mimeTypes), true); rehearseKeep(); defer gate.Back(gate.Aside()) }"},
	}},
	{"encoding/gob", "decode.go",
		[]hook{setting("Decoder", "decodeInterface", "&nameToConcreteType", false)}},
	{"encoding/gob", "encode.go",
		[]hook{setting("Encoder", "encodeInterface", "&nameToConcreteType", false)}},
	{"image", "format.go", []hook{
		setting("", "RegisterFormat", "&atomicFormats", true),
		setting("", "sniff", "&atomicFormats", false),
	}},
	{"expvar", "expvar.go", []hook{
		setting("Int", "Value", "$r", false),
		setting("Int", "String", "$r", false),
		setting("Int", "Add", "$r", true),
		setting("Int", "Set", "$r", true),
		setting("Float", "Value", "$r", false),
		setting("Float", "String", "$r", false),
		setting("Float", "Add", "$r", true),
		setting("Float", "Set", "$r", true),
		setting("String", "Value", "$r", false),
		setting("String", "String", "$r", false),
		setting("String", "Set", "$r", true),
		setting("Map", "String", "$r", false),
		setting("Map", "Get", "$r", false),
		setting("Map", "Do", "$r", false),
		setting("Map", "Init", "$r", true),
		setting("Map", "Set", "$r", true),
		setting("Map", "Add", "$r", true),
		setting("Map", "AddFloat", "$r", true),
		setting("Map", "Delete", "$r", true),
	}},
	{"runtime/metrics", "sample.go",
		[]hook{{name: "Read", code: isHere + "{ defer rehearseFix($1) }"}}},
	{"flag", "flag.go", []hook{
		setting("FlagSet", "Var", "$r", true),
		{recv: "FlagSet", name: "set", imports: []string{"unsafe"},
			code: isHere + "{ gate.Table(unsafe.Pointer($r), true); rehearseKeep($r, $1) }"},
		setting("FlagSet", "Lookup", "$r", false),
		setting("FlagSet", "Visit", "$r", false),
		setting("FlagSet", "VisitAll", "$r", false),
		setting("FlagSet", "NFlag", "$r", false),
		setting("", "Lookup", "CommandLine", false),
		setting("", "Visit", "CommandLine", false),
		setting("", "VisitAll", "CommandLine", false),
		setting("", "NFlag", "CommandLine", false),
	}},
}

// setting is the hook of a function that reads or writes a variable at an address.
func setting(recv, name, at string, write bool) hook {
	h := hook{recv: recv, name: name,
		code:    isHere + "{ gate.Table(unsafe.Pointer(" + at + "), false) }",
		imports: []string{"unsafe"}}
	if write {
		h.code = isHere + "{ gate.Table(unsafe.Pointer(" + at + "), true) }"
	}
	if recv != "" {
		h.code = isHere + "{ " + notNil + h.code[len(isHere)+2:]
	}
	return h
}

func hookTables(goroot string, out map[string][]byte) error {
	var errs []error
	for _, t := range tableHooks {
		errs = append(errs, hookNamed(goroot, t.path, t.file, t.hooks, out))
	}
	return errors.Join(errs...)
}
