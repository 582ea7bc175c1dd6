import { isBlank } from './read-field.ts'

const PAGE_START = /^<(?:!doctype|\?xml|html|head|body|title|meta|script)\b/i
const LONGEST_START = 10

/** A page that shows an example robots.txt must not be parsed as a robots.txt. Comments alone do not make a page. */
export function isHtmlPage(octets: string): boolean {
  let at = 0
  for (;;) {
    while (isBlank(octets.charCodeAt(at))) at++
    if (!octets.startsWith('<!--', at)) return PAGE_START.test(octets.slice(at, at + LONGEST_START))
    const close = octets.indexOf('-->', at + 4)
    if (close === -1) return false
    at = close + 3
  }
}
