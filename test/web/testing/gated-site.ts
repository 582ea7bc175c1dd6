// A site that serves a number of pages and then blocks until the test releases it, so a test can inspect a running
// crawl for as long as it needs.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CleanupContext } from '../../testing/program.ts'

export interface GatedSite {
  origin: string
  pages: number
  release(): void
}

export interface GatedSiteOptions {
  pages: number
  /** Responses before the gate closes; unlimited by default. */
  open?: number
  title?: (page: number) => string
}

export async function serveGatedSite(t: CleanupContext, options: GatedSiteOptions): Promise<GatedSite> {
  const { pages, open = Number.POSITIVE_INFINITY, title = (page) => `Page ${page}` } = options
  const gate = Promise.withResolvers<void>()
  let responses = 0
  const server = createServer(async (request, response) => {
    const page = pageNumber(request.url ?? '')
    if (page === null || page >= pages) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
      return
    }
    responses += 1
    if (responses > open) await gate.promise
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(page, pages, title(page)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    gate.resolve()
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pages, release: gate.resolve }
}

function pageNumber(path: string): number | null {
  if (path === '/') return 0
  const number = /^\/page\/(\d+)$/.exec(path)?.[1]
  return number === undefined ? null : Number(number)
}

/** The front page links to all other pages and to a missing one; every other page has different text. */
function html(page: number, pages: number, title: string): string {
  const links = Array.from({ length: pages - 1 }, (_, i) => `<a href="/page/${i + 1}">${i + 1}</a>`).join(' ')
  const body =
    page === 0 ? `${links} <a href="/missing">missing</a>` : `Number ${page} has ${pageWords(page)}. <a href="/">up</a>`
  return `<!doctype html><title>${escapeHtml(title)}</title><body>${body}</body>`
}

function pageWords(page: number): string {
  const words = ['orbs', 'threads', 'spokes', 'knots', 'silk', 'dew', 'wind', 'leaves', 'dusk', 'dawn']
  return Array.from({ length: 12 }, (_, i) => words[(page * 7 + i * (page + 3)) % words.length]).join(' ')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
