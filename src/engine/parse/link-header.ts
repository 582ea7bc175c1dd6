// Reads the canonical URL of a page from its Link header, RFC 8288.

import { hasListToken } from './list-token.ts'

/** One parameter of a link (RFC 8288, section 3): its name and its value, quoted or bare. */
const PARAMETER = /[ \t]*;[ \t]*([^\s;,="]*)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/sy

/** The target of the first link with rel=canonical, unresolved. A link with an anchor describes another page. */
export function canonicalFromLinkHeader(link: string | null): string | null {
  if (link === null) return null
  for (let open = link.indexOf('<'); open >= 0; ) {
    const close = link.indexOf('>', open)
    if (close < 0) return null
    const { rel, hasAnchor, end } = readParameters(link, close + 1)
    const target = link.slice(open + 1, close).trim()
    if (target !== '' && !hasAnchor && hasListToken(rel.toLowerCase(), 'canonical')) return target
    open = link.indexOf('<', end)
  }
  return null
}

function readParameters(link: string, start: number): { rel: string; hasAnchor: boolean; end: number } {
  let rel: string | null = null
  let hasAnchor = false
  let end = start
  PARAMETER.lastIndex = start
  for (let found = PARAMETER.exec(link); found !== null; found = PARAMETER.exec(link)) {
    const [, name = '', quoted, bare = ''] = found
    if (name.toLowerCase() === 'rel') rel ??= quoted?.replace(/\\(.)/gs, '$1') ?? bare
    if (name.toLowerCase() === 'anchor') hasAnchor = true
    end = PARAMETER.lastIndex
  }
  return { rel: rel ?? '', hasAnchor, end }
}
