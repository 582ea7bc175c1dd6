// An independent crawler that serves as oracle: a few connections, parse5, and a set of known URLs. It shares no code
// with the engine, so both are unlikely to make the same mistake.

import { isUtf8 } from 'node:buffer'
import { Agent, request } from 'node:http'
import { type Element, parseElements, readAttribute } from '../sites/html-elements.ts'

export interface OracleCrawl {
  /** Every URL of the site that returns 200. */
  pages: Set<string>
  /** Every URL that was requested. */
  requested: Set<string>
}

interface OracleResponse {
  status: number
  location: string | null
  type: string
  body: string
}

const CONNECTIONS = 8
/** Sort links of a directory listing lead to the same listing. */
const SORT_LINK = /\/\?C=[NMSD];O=[AD]$/
/** Pages of javadoc and groovydoc link to themselves in frames, which are the same for all pages. */
const IN_FRAMES = /\/index\.html\?([^=]+)$/

function isKnownTwin(url: string, page: string): boolean {
  const framed = IN_FRAMES.exec(url)?.[1]
  return (
    SORT_LINK.test(url) ||
    (framed !== undefined && [framed, `${framed}.html`].some((name) => page.endsWith(`/${name}`)))
  )
}

const LINK_ATTRIBUTES: Record<string, string> = { a: 'href', area: 'href', iframe: 'src', frame: 'src', link: 'href' }

const LOST: OracleResponse = { status: 0, location: null, type: '', body: '' }

/**
 * Follows all links within one origin. Throws after `limit` requests, because an endless site has no expected set, and if
 * a connection is lost, unless the site does that on purpose.
 */
export async function crawlWithOracle(start: string, limit: number, losesConnections = false): Promise<OracleCrawl> {
  const { origin, href } = new URL(start)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const requested = new Set([href])
  const pages = new Set<string>()
  const queue = [href]
  const worker = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const response = losesConnections ? get(url, agent).catch(() => LOST) : get(url, agent)
      const { status, location, type, body } = await response
      if (status === 200) pages.add(url)
      const targets = location === null ? (status === 200 ? linksOf(body, type, url) : []) : [location]
      for (const target of targets) {
        const found = resolve(target, url)
        if (found === null || !found.startsWith(`${origin}/`) || isKnownTwin(found, url) || requested.has(found))
          continue
        if (requested.size >= limit) throw new Error(`${start} has more than ${limit} URLs`)
        requested.add(found)
        queue.push(found)
      }
    }
  }
  // A worker stops when the queue is empty, though another may still add to it; so rounds repeat until none does.
  while (queue.length > 0) await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  agent.destroy()
  return { pages, requested }
}

function get(url: string, agent: Agent): Promise<OracleResponse> {
  return new Promise((done, fail) => {
    const sent = request(url, { agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const location = status >= 300 && status < 400 ? (response.headers.location ?? null) : null
        const body = decode(Buffer.concat(chunks))
        done({ status, location, type: response.headers['content-type'] ?? '', body })
      })
    })
    // A server may close an idle connection at the moment it is reused.
    sent.on('error', (error) => (sent.reusedSocket ? get(url, agent).then(done, fail) : fail(error)))
    sent.end()
  })
}

/** A byte order mark or an address in UTF-8 would be read wrongly as Latin-1. */
function decode(body: Buffer): string {
  return isUtf8(body) ? new TextDecoder().decode(body) : body.toString('latin1')
}

function resolve(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  url.hash = ''
  // Apache lists files with lower-case escapes, and pages may link to them with upper-case ones.
  const spelling = url.href.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
  return url.username === '' && url.password === '' ? spelling : null
}

/** Absolute links of a page. */
function linksOf(body: string, type: string, url: string): string[] {
  if (!/html/.test(type)) return []
  const found: string[] = []
  const page = { base: url, isBaseSet: false, nofollow: false }
  for (const element of parseElements(body)) readElement(element, page, found, url)
  return page.nofollow ? [] : found.flatMap((href) => resolve(href, page.base) ?? [])
}

function readElement(
  element: Element,
  page: { base: string; isBaseSet: boolean; nofollow: boolean },
  found: string[],
  url: string,
): void {
  const get = (name: string) => readAttribute(element, name)
  const { tagName } = element
  const rel = (get('rel') ?? '').toLowerCase().split(/\s+/)
  if (tagName === 'base' && !page.isBaseSet && get('href') !== null) {
    page.base = resolve(get('href') ?? '', url) ?? url
    page.isBaseSet = true
  }
  if (tagName === 'meta' && /^robots$/i.test(get('name') ?? '') && /nofollow|none/i.test(get('content') ?? '')) {
    page.nofollow = true
  }
  if (tagName === 'meta' && /^refresh$/i.test(get('http-equiv') ?? '')) {
    const target = /^\s*\d+[^;,]*[;,]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i.exec(get('content') ?? '')?.[1]
    if (target !== undefined) found.push(target.trim())
  }
  const attribute = LINK_ATTRIBUTES[tagName]
  const href = attribute === undefined ? null : get(attribute)
  if (href === null || rel.includes('nofollow')) return
  const isFollowed = ['alternate', 'next', 'prev', 'canonical'].some((name) => rel.includes(name))
  if (tagName === 'link' && (!isFollowed || rel.includes('stylesheet'))) return
  found.push(href.trim())
}
