// Detects what a terminal can display.

export interface TerminalCapabilities {
  /** Frames can be redrawn in place. */
  live: boolean
  color: boolean
  unicode: boolean
}

export function detectCapabilities(
  stream: { isTTY?: boolean },
  env: Record<string, string | undefined>,
): TerminalCapabilities {
  const live = stream.isTTY === true && env['TERM'] !== 'dumb'
  const noColor = (env['NO_COLOR'] ?? '') !== ''
  // The Linux console lacks the sparkline glyphs. An unset locale usually means a container with a modern terminal.
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8'
  return { live, color: live && !noColor, unicode: env['TERM'] !== 'linux' && /utf-?8/i.test(locale) }
}
