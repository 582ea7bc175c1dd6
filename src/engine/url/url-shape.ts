// Recognises URLs that lead into a spider trap by their shape: links that are relative by mistake, calendars and
// filters that nest endlessly. Also recognises links that hide an e-mail address. Runs once for every new URL.

import { pathStart } from './url-key.ts'

export interface UrlShapeLimits {
  maxPathSegments: number
  maxQueryParams: number
  maxRepeats: number
}

export type UrlShapeProblem = 'path_too_deep' | 'too_many_parameters' | 'repeated_segments' | 'hidden_email'

export const DEFAULT_URL_SHAPE_LIMITS: UrlShapeLimits = { maxPathSegments: 20, maxQueryParams: 32, maxRepeats: 2 }

/** Longest run of segments checked for repeats, so that time stays linear whatever the limits. */
const MAX_RUN = 10

/** Cloudflare puts it in place of an e-mail address, which a script restores. The URL returns 404. */
const HIDDEN_EMAIL = '/cdn-cgi/l/email-protection'

const SLASH = 47
const AMPERSAND = 38

/**
 * The problem of a canonical URL, or null. The segments of `/a/b/` are a and b: the empty one at the end does not
 * count, others do. Segments are repeated if
 * - a run of one to ten of them occurs more than `maxRepeats` times in a row, as in /x/x/x or /a/b/a/b/a/b; or
 * - one of them occurs more than twice `maxRepeats` times anywhere in the path: /a/b/b/a/a/b/a/b/a.
 * Numbers never count as repeats: dates such as /2024/10/10/10 and split ids consist of them.
 */
export function findUrlShapeProblem(url: string, limits: UrlShapeLimits): UrlShapeProblem | null {
  const { maxPathSegments, maxQueryParams, maxRepeats } = limits
  const start = pathStart(url) + 1
  const queryAt = url.indexOf('?', start)
  const pathEnd = queryAt < 0 ? url.length : queryAt
  const end = pathEnd > start && url.charCodeAt(pathEnd - 1) === SLASH ? pathEnd - 1 : pathEnd
  const segments = pathEnd === start ? 0 : countCode(url, SLASH, start, end) + 1
  if (segments > maxPathSegments) return 'path_too_deep'
  if (pathEnd === start - 1 + HIDDEN_EMAIL.length && url.startsWith(HIDDEN_EMAIL, start - 1)) return 'hidden_email'
  const hasQuery = queryAt >= 0 && queryAt + 1 < url.length
  if (hasQuery && countCode(url, AMPERSAND, queryAt, url.length) + 1 > maxQueryParams) return 'too_many_parameters'
  const longestRun = Math.min(MAX_RUN, Math.floor(segments / (maxRepeats + 1)))
  for (let run = 1; run <= longestRun; run++) {
    if (isRunRepeated(url, { start, end, run, maxRepeats })) return 'repeated_segments'
  }
  const mostOfOne = 2 * maxRepeats
  return segments > mostOfOne && isWordFrequent(url.slice(start, end), mostOfOne) ? 'repeated_segments' : null
}

function countCode(text: string, code: number, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (text.charCodeAt(i) === code) count += 1
  return count
}

/** Compares each segment with the one `run` places later: `run * maxRepeats` equal pairs in a row are a trap. */
function isRunRepeated(url: string, path: { start: number; end: number; run: number; maxRepeats: number }): boolean {
  const { start, end, run, maxRepeats } = path
  let back = start
  let front = start
  for (let i = 0; i < run; i++) front = nextSegment(url, front, end)
  let equal = 0
  let hasWord = false
  while (front <= end) {
    const next = nextSegment(url, front, end)
    if (isSameSegment(url, back, front, next - front)) {
      equal += 1
      hasWord ||= !isNumber(url, front, next - 1)
      if (hasWord && equal >= run * maxRepeats) return true
    } else {
      equal = 0
      hasWord = false
    }
    back = nextSegment(url, back, end)
    front = next
  }
  return false
}

function isWordFrequent(path: string, most: number): boolean {
  const counts = new Map<string, number>()
  for (const segment of path.split('/')) {
    if (isNumber(segment, 0, segment.length)) continue
    const count = (counts.get(segment) ?? 0) + 1
    if (count > most) return true
    counts.set(segment, count)
  }
  return false
}

/** Start of the segment after the one at `from`; end + 1 after the last. */
function nextSegment(url: string, from: number, end: number): number {
  while (from < end && url.charCodeAt(from) !== SLASH) from += 1
  return from + 1
}

/**
 * `length` is the length of the segment at `b` including its slash, which the last segment may lack; `a` comes before
 * `b`.
 */
function isSameSegment(url: string, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length - 1; i++) if (url.charCodeAt(a + i) !== url.charCodeAt(b + i)) return false
  return url.charCodeAt(a + length - 1) === SLASH
}

function isNumber(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return end > start
}
