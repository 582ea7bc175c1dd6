// Formats numbers and untrusted text for the terminal.

import { spellCode } from '../../lib/spell-code.ts'

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
const COUNT_UNITS = ['', 'k', 'M', 'G', 'T', 'P']

/** 1234567 -> "1,234,567". Not Intl, which is ten times slower and depends on the locale. */
export function groupDigits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  return Math.trunc(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
}

/** The grouped number, or a short form ("12.3M") if it is longer than `room` characters. */
export function compactCount(value: number, room: number): string {
  const full = groupDigits(value)
  return full.length <= room ? full : scaleToUnit(value, 1000, COUNT_UNITS).replace(' ', '')
}

/** Powers of 1024, as in settings: a page limit of 10 MB is shown as 10.0 MB. */
export function formatBytes(value: number): string {
  return scaleToUnit(value, 1024, BYTE_UNITS)
}

/** Three significant digits and a unit, rounded down so that 999,999 never reads as 1000k. */
function scaleToUnit(value: number, step: number, units: readonly string[]): string {
  if (!Number.isFinite(value)) return '-'
  let rest = value
  let power = 0
  while (rest >= step && power < units.length - 1) {
    rest /= step
    power += 1
  }
  const digits = power === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2
  const floored = Math.floor(rest * 10 ** digits) / 10 ** digits
  return `${floored.toFixed(digits)} ${units[power] ?? ''}`.trimEnd()
}

export function formatRate(perSecond: number): string {
  if (!Number.isFinite(perSecond) || perSecond <= 0) return '0'
  return perSecond < 9.95 ? perSecond.toFixed(1) : groupDigits(Math.round(perSecond))
}

/** Two units at most: "12s", "3m 04s", "2h 05m", "3d 04h". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => value.toString().padStart(2, '0')
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}h ${two(minutes % 60)}m`
  return `${groupDigits(Math.floor(hours / 24))}d ${two(hours % 24)}h`
}

/** Deliberately coarse, to avoid false precision in estimates: "~25s", "~7m", "~3h". */
export function formatRoughDuration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 60) return `~${Math.max(5, Math.ceil(seconds / 5) * 5)}s`
  if (seconds < 100 * 60) return `~${Math.ceil(seconds / 60)}m`
  if (seconds < 48 * 3600) return `~${Math.ceil(seconds / 3600)}h`
  return `~${Math.ceil(seconds / 86_400)}d`
}

export function pluralize(value: number, noun: string): string {
  return `${groupDigits(value)} ${noun}${value === 1 ? '' : 's'}`
}

/**
 * Makes untrusted text safe to print. Line breaks and tabs become a space, other control characters (C0, DEL, C1) and
 * lone surrogates U+FFFD; invisible format characters such as bidi overrides are removed, stacked accents limited to two.
 */
export function sanitizeText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  return text
    .replace(/[\t\n\r\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .replace(/\p{Cf}/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
}

/** A state or reason as text for the terminal. */
export function readableCode(code: string): string {
  return spellCode(sanitizeText(code))
}

/** Like `sanitizeText`, for ASCII-only terminals. */
export function sanitizeAscii(text: string): string {
  return sanitizeText(text).replace(/[^ -~]/gu, '?')
}

// East Asian Wide and Fullwidth, by block. Mixed blocks count as wide, because overestimating never wraps a line.
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d37f}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
// U+FE0F turns the character before it into an emoji two columns wide, so it counts as the second column.
const ZERO_WIDTH = /[[\p{Mn}\p{Me}]--\ufe0f]/v

function charWidth(char: string): number {
  if (char <= '~') return 1
  if (ZERO_WIDTH.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}

/** Upper bound of the terminal columns that sanitized text occupies. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** Truncates sanitized text to `width` columns, with an ellipsis. */
export function truncate(text: string, width: number, ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text
  const mark = ellipsis.slice(0, Math.max(0, width))
  const room = width - mark.length
  let used = 0
  let result = ''
  for (const char of text) {
    used += charWidth(char)
    if (used > room) break
    result += char
  }
  return result + mark
}

/** Truncates a URL in its middle: URLs of a site differ at their ends. */
export function truncateUrl(url: string, width: number): string {
  if (url.length <= width || url.length !== displayWidth(url)) return truncate(url, width)
  const head = truncate(url, Math.ceil(width / 3))
  return head + url.slice(url.length - width + head.length)
}
