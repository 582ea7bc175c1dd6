// A second, independent crawler: one request after the other per connection, parse5 for every page, a set of what was
// seen. It shares no code with the engine, so that what both agree on is right.

import { Agent, request } from 'node:http'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export interface OracleCrawl {
  /** Every URL of the site that answers with 200. */
  pages: Set<string>
  /** Every URL that was asked for. */
  requested: Set<string>
}

interface OracleResponse {
  status: number
  location: string | null
  type: string
  body: string
}

const CONNECTIONS = 8
/** Sort links of directory listings lead to the same listing. */
const SORT_LINK = /\/\?C=[NMSD];O=[AD]$/
const LINK_ATTRIBUTES: Record<string, string> = { a: 'href', area: 'href', iframe: 'src', frame: 'src', link: 'href' }

/** Follows all links of one origin. Throws past `limit` requests: a site without end needs another judge. */
export async function crawlWithOracle(start: string, limit: number): Promise<OracleCrawl> {
  const { origin, href } = new URL(start)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const asked = new Set([href])
  const pages = new Set<string>()
  const queue = [href]
  const worker = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const { status, location, type, body } = await get(url, agent)
      if (status === 200) pages.add(url)
      const targets = location === null ? (status === 200 ? linksOf(body, type, url) : []) : [location]
      for (const target of targets) {
        const found = resolve(target, url)
        if (found === null || !found.startsWith(`${origin}/`) || SORT_LINK.test(found) || asked.has(found)) continue
        if (asked.size >= limit) throw new Error(`${start} has more than ${limit} URLs`)
        asked.add(found)
        queue.push(found)
      }
    }
  }
  // A worker that finds the queue empty may be early: rounds go on until nobody adds anything.
  while (queue.length > 0) await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  agent.destroy()
  return { pages, requested: asked }
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
        const body = Buffer.concat(chunks).toString('latin1')
        done({ status, location, type: response.headers['content-type'] ?? '', body })
      })
    })
    // A server may close a kept connection at the moment it is used again.
    sent.on('error', (error) => (sent.reusedSocket ? get(url, agent).then(done, fail) : fail(error)))
    sent.end()
  })
}

function resolve(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  url.hash = ''
  return url.username === '' && url.password === '' ? url.href : null
}

/** Absolute links of a page. */
function linksOf(body: string, type: string, url: string): string[] {
  if (!/html/.test(type)) return []
  const found: string[] = []
  const page = { base: url, isBaseSet: false, nofollow: false }
  const walk = (node: Node) => {
    if ('tagName' in node) readElement(node, page, found, url)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(body, { scriptingEnabled: false }))
  return page.nofollow ? [] : found.flatMap((href) => resolve(href, page.base) ?? [])
}

function readElement(
  element: Element,
  page: { base: string; isBaseSet: boolean; nofollow: boolean },
  found: string[],
  url: string,
): void {
  const get = (name: string) => element.attrs.find((attribute) => attribute.name === name)?.value ?? null
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
  if (href === null || href.trim() === '' || href.trim().startsWith('#') || rel.includes('nofollow')) return
  const isFollowed = ['alternate', 'next', 'prev', 'canonical'].some((name) => rel.includes(name))
  if (tagName === 'link' && (!isFollowed || rel.includes('stylesheet'))) return
  found.push(href.trim())
}
