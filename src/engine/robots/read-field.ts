// Parses one line. Names must match completely, since newer records start like known ones (`DisallowAITraining`); the
// accepted misspellings are those of google/robotstxt and crawler-commons.

const FIELD_NAMES = ['product', 'allow', 'disallow', 'sitemap', 'delay'] as const
export type RobotsFieldName = (typeof FIELD_NAMES)[number]

export interface RobotsField {
  name: RobotsFieldName
  value: string
}

const SPELLINGS: Record<RobotsFieldName, string[]> = {
  product: ['useragent', 'useragents', 'usersagent', 'useragnet', 'usegagent', 'seragent'],
  allow: ['allow', 'alow', 'alllow'],
  disallow: ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw', 'desallow', 'dssalow', 'dsallow'],
  sitemap: ['sitemap', 'sitemaps'],
  delay: ['crawldelay'],
}

const NAME_OF: ReadonlyMap<string, RobotsFieldName> = new Map(
  FIELD_NAMES.flatMap((name) => SPELLINGS[name].map((spelling) => [spelling, name] as const)),
)
const MAX_NAME_LENGTH = 40

export function readField(line: string): RobotsField | null {
  const hash = line.indexOf('#')
  const content = trimAscii(hash === -1 ? line : line.slice(0, hash))
  const colon = content.indexOf(':')
  const name = colon === -1 ? undefined : nameOf(content.slice(0, colon))
  return name === undefined ? readWithoutColon(content) : { name, value: trimAscii(content.slice(colon + 1)) }
}

/** `disallow /x`: exactly two words, so that a sentence is not taken for a rule. */
function readWithoutColon(content: string): RobotsField | null {
  const gap = content.search(/[ \t]/)
  const name = gap === -1 ? undefined : nameOf(content.slice(0, gap))
  if (name === undefined) return null
  const value = trimAscii(content.slice(gap))
  return /[ \t]/.test(value) ? null : { name, value }
}

function nameOf(key: string): RobotsFieldName | undefined {
  return key.length > MAX_NAME_LENGTH ? undefined : NAME_OF.get(key.toLowerCase().replace(/[-_ \t]/g, ''))
}

/** Does not use `trim`, which would remove the octet A0 from the end of a UTF-8 character. */
export function trimAscii(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

export function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
