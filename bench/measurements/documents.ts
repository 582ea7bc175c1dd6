// The cost of documents: pages/s besides them, documents/s, CPU time per document in the crawl and in the index, with
// and without the text that the crawl stored, and how fast a crawl with a backlog of documents stops.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { makePdf, onePageObjects } from '../../src/worker/testing/pdf-files.ts'
import { launcherPath } from '../../test/testing/launcher.ts'
import type { Workspace } from '../../test/testing/workspace.ts'
import { type Measurement, measureCommand } from '../harness/measure-command.ts'
import { crawlArguments, runBenchCrawl } from '../harness/orbweaver.ts'

export interface DocumentSizes {
  pages: number
  documents: number
}

export interface DocumentResult {
  sizes: DocumentSizes
  /** Time until the last page was requested, with documents before it in the queue and without any. */
  pagesMs: number
  pagesAloneMs: number
  documentsPerSecond: number
  /**
   * CPU time per document: in the crawl, compared with a crawl that does not read it; in the index, with its text
   * stored and without.
   */
  crawlCpuMs: number
  indexCpuMs: number
  indexAgainCpuMs: number
  stopMs: number
}

const LINES = 40
const WORDS = 'the quick brown fox jumps over the lazy dog and the crawler reads on '
const TIMEOUT_MS = 600_000
const ARCHIVE_FLAGS = ['--archive', 'all']

interface Site {
  seed: string
  server: Server
  /** When the last page was requested. */
  lastPageAt(): number
}

/** The start page lists the documents first. */
async function serve({ pages, documents }: DocumentSizes): Promise<Site> {
  const links = [
    ...Array.from({ length: documents }, (_, n) => `/${n}.pdf`),
    ...Array.from({ length: pages }, (_, n) => `/page/${n}`),
  ].map((href) => `<a href="${href}">x</a>`)
  let lastPageAt = 0
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.pdf')) {
      response.setHeader('content-type', 'application/pdf')
      return response.end(makeDocument(url))
    }
    if (url !== '/') lastPageAt = performance.now()
    response.setHeader('content-type', 'text/html')
    response.end(url === '/' ? links.join('') : `<title>${url}</title><p>${WORDS}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { seed: `http://127.0.0.1:${port}/`, server, lastPageAt: () => lastPageAt }
}

/** A page of unique text. */
function makeDocument(name: string): Buffer {
  return makePdf(onePageObjects(Array.from({ length: LINES }, (_, n) => `(${name} ${n} ${WORDS.repeat(3)})`)))
}

export async function measureDocuments(sizes: DocumentSizes, workspace: Workspace): Promise<DocumentResult> {
  const { documents } = sizes
  const alone = await timed({ ...sizes, documents: 0 }, workspace, ARCHIVE_FLAGS)
  const unread = await timed(sizes, workspace, [...ARCHIVE_FLAGS, '--no-documents'])
  const again = await index(workspace)
  const read = await timed(sizes, workspace, ARCHIVE_FLAGS)
  const stored = await index(workspace)
  return {
    sizes,
    pagesMs: read.pagesMs,
    pagesAloneMs: alone.pagesMs,
    documentsPerSecond: documents / (read.wallMs / 1000),
    crawlCpuMs: (read.cpuMs - unread.cpuMs) / documents,
    indexCpuMs: cpuOf(stored) / documents,
    indexAgainCpuMs: cpuOf(again) / documents,
    stopMs: await measureStop({ ...sizes, documents: documents * 10 }, workspace),
  }
}

async function timed(sizes: DocumentSizes, workspace: Workspace, flags: string[]) {
  const { seed, server, lastPageAt } = await serve(sizes)
  try {
    const startedAt = performance.now()
    const { measurement, summary } = await runBenchCrawl({ seeds: [seed], timeoutMs: TIMEOUT_MS, flags }, workspace)
    const expected = 1 + sizes.pages + sizes.documents
    if (summary.states['visited'] !== expected)
      throw new Error(`${summary.states['visited']} of ${expected} URLs were visited.`)
    return { pagesMs: lastPageAt() - startedAt, wallMs: measurement.wallMs, cpuMs: cpuOf(measurement) }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function index(workspace: Workspace): Promise<Measurement> {
  const args = ['index', 'run', '--data', workspace.file('data'), '--json']
  return measureCommand({ file: launcherPath, args, timeoutMs: TIMEOUT_MS })
}

function cpuOf({ cpuMs }: Measurement): number {
  return cpuMs ?? Number.NaN
}

/** Time from SIGTERM to the exit of the process, when all pages are done and documents are left. */
async function measureStop(sizes: DocumentSizes, workspace: Workspace): Promise<number> {
  const { seed, server } = await serve(sizes)
  const child = spawn(launcherPath, crawlArguments([seed], workspace, ARCHIVE_FLAGS), {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { completed = 0 } = JSON.parse(line) as { completed?: number }
      if (completed > sizes.pages) break
    }
    const stoppedAt = performance.now()
    const over = once(child, 'close')
    child.stdout.resume()
    child.kill('SIGTERM')
    await over
    return performance.now() - stoppedAt
  } finally {
    child.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  }
}
