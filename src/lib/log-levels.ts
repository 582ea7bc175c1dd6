// Separate from log.ts, which the web app must not load.

/** Levels from the most to the least detailed. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
