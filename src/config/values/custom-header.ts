// A custom header as a crawl's owner writes it: "Name: value", optionally with the origin that receives it in front.

/** Targets that are not origins; no host has such a name. */
export const START_ORIGINS = '*start'
export const ANY_ORIGIN = '*any'

export interface CustomHeader {
  /** An origin, START_ORIGINS for the origins of the seeds, or ANY_ORIGIN. */
  target: string
  name: string
  /** Value with surrounding spaces. */
  value: string
}

/** "Name: value", "https://host Name: value" or "* Name: value"; null if invalid. */
export function parseCustomHeader(line: string): CustomHeader | null {
  const [, target = null, rest = line] = /^(\*(?=\s)|https?:\/\/\S*)\s*(.*)$/is.exec(line) ?? []
  const colon = rest.indexOf(':')
  const to = targetOf(target)
  if (colon === -1 || to === null) return null
  return { target: to, name: rest.slice(0, colon), value: rest.slice(colon + 1) }
}

function targetOf(text: string | null): string | null {
  if (text === null) return START_ORIGINS
  if (text === '*') return ANY_ORIGIN
  const url = URL.parse(text)
  return url !== null && url.href === `${url.origin}/` ? url.origin : null
}

/** The line with its value hidden. */
export function maskCustomHeader(line: string, mask: string): string {
  const header = parseCustomHeader(line)
  if (header === null) return mask
  const { target, name } = header
  return `${target === START_ORIGINS ? '' : target === ANY_ORIGIN ? '* ' : `${target} `}${name}: ${mask}`
}
