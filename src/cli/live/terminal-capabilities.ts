// What the other side of a stream can show, from the stream and the environment handed in.

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
  // The Linux console has no glyphs for the sparkline. An unset locale is a bare container, whose terminal is a modern one.
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8'
  return { live, color: live && !noColor, unicode: env['TERM'] !== 'linux' && /utf-?8/i.test(locale) }
}
