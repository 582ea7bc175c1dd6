// A site whose pages a test changes while it is being crawled.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ChangingPage {
  /** A function is called for every response. */
  body: string | (() => string)
  status?: number
  headers?: Record<string, string>
  /** Answered with 304 if the request has this If-None-Match or If-Modified-Since. */
  etag?: string
  lastModified?: string
}

export interface SiteRequest {
  path: string
  /** Status of the response. */
  status: number
  isConditional: boolean
  at: number
}

export class ChangingSite {
  /** Pages by path. Other paths do not exist. */
  readonly pages = new Map<string, ChangingPage>()
  readonly requests: SiteRequest[] = []
  readonly #server = createServer((request, response) => this.#respond(request, response))

  static async serve(pages: Record<string, ChangingPage>): Promise<ChangingSite> {
    const site = new ChangingSite()
    for (const [path, page] of Object.entries(pages)) site.pages.set(path, page)
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve))
    return site
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  requestsOf(path: string): SiteRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #respond({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    const page = this.pages.get(url)
    const { etag, lastModified } = page ?? {}
    const isMatch =
      (etag !== undefined && headers['if-none-match'] === etag) ||
      (lastModified !== undefined && headers['if-modified-since'] === lastModified)
    const status = page === undefined ? 404 : isMatch ? 304 : (page.status ?? 200)
    const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers
    this.requests.push({ path: url, status, isConditional, at: Date.now() })
    response.writeHead(status, {
      'content-type': 'text/html',
      ...page?.headers,
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { 'last-modified': lastModified }),
    })
    const body = page?.body ?? 'not found'
    response.end(status === 304 ? undefined : typeof body === 'string' ? body : body())
  }
}

/** A page with a title, text and links. */
export function htmlPage(title: string, links: string[] = []): ChangingPage {
  const anchors = links.map((path) => `<a href="${path}">${path}</a>`).join(' ')
  return { body: `<title>${title}</title><p>This page is called ${title}.</p>${anchors}` }
}
