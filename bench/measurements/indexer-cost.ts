// How much an indexer slows down a crawl: the same crawl by a server with the indexer role and by a server without it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeCorpusPage } from '../../test/relevance/corpus.ts'
import { startApiServer } from '../../test/testing/api-server.ts'
import { formatCount, formatFixed, printTable } from '../../test/testing/table.ts'
import { waitUntil } from '../../test/testing/wait-until.ts'
import type { Workspace } from '../../test/testing/workspace.ts'

const PAGES = 5000
const PER_PAGE = 10

export async function measureIndexerCost(workspace: Workspace): Promise<void> {
  const site = await serveCorpus()
  try {
    const alone = await timeCrawl(site.origin, workspace.folder('alone'), 'api,worker,maintenance')
    const beside = await timeCrawl(site.origin, workspace.folder('beside'), 'api,worker,maintenance,indexer')
    const loss = 1 - beside / alone
    printTable(
      `A crawl of ${formatCount(PAGES)} pages`,
      ['', 'pages/s'],
      [
        ['alone', formatCount(alone)],
        ['with an indexer beside it', formatCount(beside)],
        ['loss', `${formatFixed(100 * loss, 0)}%`],
      ],
    )
  } finally {
    site.close()
  }
}

/** Page n links to pages 10n + 1 to 10n + 10, so the crawl never runs out of URLs. */
async function serveCorpus(): Promise<{ origin: string; close(): void }> {
  const bodies = Array.from({ length: PAGES }, (_, id) => {
    const links = Array.from({ length: PER_PAGE }, (_, i) => id * PER_PAGE + i + 1).filter((to) => to < PAGES)
    const anchors = links.map((to) => `<a href="/p${to}">${makeCorpusPage(to).title}</a>`).join(' ')
    return makeCorpusPage(id).html.replace('</main>', `${anchors}</main>`)
  })
  const server = createServer((request, response) => {
    const id = request.url === '/' ? 0 : Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? -1)
    const body = bodies[id]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' })
    response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Pages/s from the start of the crawl to its end. */
async function timeCrawl(origin: string, data: string, roles: string): Promise<number> {
  const server = await startApiServer(data, roles, ['--log-level', 'error'])
  try {
    const settings = { allow_private: true, delay: 0, per_host: 32, include: ['/p\\d+$', '/$'], sitemaps: false }
    const { crawl_id: id } = await server.request('/api/v1/crawls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${origin}/`, settings }),
    })
    const startedAt = performance.now()
    const completed = await waitUntil(
      async () => {
        const crawl = await server.request(`/api/v1/crawls/${id}`)
        return crawl['status'] === 'completed' ? Number(crawl['completed']) : null
      },
      { pollMs: 50 },
    )
    return (1000 * completed) / (performance.now() - startedAt)
  } finally {
    await server.stop()
  }
}
