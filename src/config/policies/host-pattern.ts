// Patterns of hosts, such as www.example.com, *.example.com or cdn-*.example.com. `*` stands for any text, dots included.
// A pattern without a port matches every port of the host.

const MAX_LENGTH = 260
const PATTERN = /^(?:\[[0-9a-f:.]+\]|[a-z0-9*._-]+)(?::\d{1,5})?$/
const PORT = /:\d+$/

/** Null if the pattern is valid. */
export function findHostPatternProblem(pattern: string): string | null {
  if (pattern === '') return 'Expected a host name or a pattern, such as www.example.com or *.example.com.'
  if (pattern.length > MAX_LENGTH) return `Longer than ${MAX_LENGTH} characters.`
  if (!PATTERN.test(pattern))
    return 'Not a host name or a pattern: use letters, digits, dots, hyphens and *, without http:// and without a path.'
  return null
}

function hasPort(host: string): boolean {
  return PORT.test(host)
}

export function withoutPort(host: string): string {
  return host.replace(PORT, '')
}

/**
 * If two patterns match a host, the one with more literal characters is more specific. A pattern without `*` is more
 * specific than any pattern with one.
 */
export function compareSpecificity(a: string, b: string): number {
  const stars = Number(a.includes('*')) - Number(b.includes('*'))
  return stars || literalLength(b) - literalLength(a) || (a < b ? -1 : Number(a > b))
}

function literalLength(pattern: string): number {
  return pattern.replaceAll('*', '').length
}

export function matchesHost(pattern: string, host: string): boolean {
  return matchesText(pattern, hasPort(pattern) ? host : withoutPort(host))
}

/** On a mismatch only the last `*` takes one more character, so the time is at most the product of the lengths. */
function matchesText(pattern: string, text: string): boolean {
  let p = 0
  let star = -1
  let starText = 0
  for (let t = 0; t < text.length; ) {
    if (pattern[p] === '*') {
      star = p++
      starText = t
    } else if (pattern[p] === text[t]) {
      p += 1
      t += 1
    } else if (star >= 0) {
      p = star + 1
      starText += 1
      t = starText
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}
