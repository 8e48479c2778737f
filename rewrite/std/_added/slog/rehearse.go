// The overlay adds this to package log/slog: the default logger is the same at the beginning of
// each execution.
package slog

import "rehearse/runtime/gate"

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		logger, level := defaultLogger.Load(), logLoggerLevel.val.Load()
		return func() {
			defaultLogger.Store(logger)
			logLoggerLevel.val.Store(level)
		}
	})
}
