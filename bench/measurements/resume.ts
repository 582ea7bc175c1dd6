// Time from `resume` to its first page with a million URLs in the queue. A real crawl fills the frontier: every page of
// the server lists 2,000 new links, and the crawl is killed when enough are discovered.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { launcherPath } from '../../test/testing/launcher.ts'
import type { Workspace } from '../../test/testing/workspace.ts'
import { type BenchServer, startBenchServer } from '../harness/bench-server.ts'
import { measureCommand } from '../harness/measure-command.ts'
import { crawlArguments, parseEvent } from '../harness/orbweaver.ts'

const LINKS_PER_PAGE = 2_000
const MAKE_TIMEOUT_MS = 180_000
const RESUME_TIMEOUT_MS = 60_000
const POLL_MS = 5

export interface ResumeResult {
  /** URLs in the ledger when the crawl was killed. */
  urls: number
  /** Time from starting the command to its first request; null if there was none in time. */
  firstPageMs: number | null
}

export async function measureResume(workspace: Workspace, urls: number): Promise<ResumeResult> {
  const shape = { hosts: 1, pagesPerHost: 1, linksPerPage: 0, pageBytes: 0 }
  const server = await startBenchServer(shape, { fresh: LINKS_PER_PAGE })
  try {
    const discovered = await buildLargeFrontier(server, workspace, urls)
    return { urls: discovered, firstPageMs: await timeToFirstPage(server, workspace) }
  } finally {
    await server.stop()
  }
}

/** Fills a data directory with at least this many URLs, kills the crawl by SIGKILL, and returns the number of URLs. */
export async function buildLargeFrontier(server: BenchServer, workspace: Workspace, urls: number): Promise<number> {
  let discovered = 0
  const { errors } = await measureCommand({
    file: launcherPath,
    args: crawlArguments(server.seeds, workspace),
    timeoutMs: MAKE_TIMEOUT_MS,
    onLine(line, kill) {
      discovered = Math.max(discovered, parseEvent(line)?.total ?? 0)
      if (discovered >= urls) kill()
    },
  })
  if (discovered < urls) throw new Error(`Only ${discovered} of ${urls} URLs were discovered: ${errors}`)
  return discovered
}

async function timeToFirstPage(server: BenchServer, workspace: Workspace): Promise<number | null> {
  await server.reset()
  const data = workspace.file('data')
  if (!existsSync(data)) throw new Error('The data directory to resume is missing.')
  const start = performance.now()
  const stop = new AbortController()
  const running = measureCommand({
    file: launcherPath,
    args: ['resume', '--data', data, '--json'],
    timeoutMs: RESUME_TIMEOUT_MS,
    signal: stop.signal,
  })
  // Counted by the server, because the events of a resumed crawl continue the old totals.
  let firstPageMs: number | null = null
  const watch = async () => {
    while (!stop.signal.aborted) {
      const { requests } = await server.count()
      if (requests > 0) {
        firstPageMs = performance.now() - start
        stop.abort()
      }
      await sleep(POLL_MS)
    }
  }
  const [ended] = await Promise.all([running.finally(() => stop.abort()), watch()])
  if (firstPageMs === null) console.error(`The resumed crawl requested no page: ${ended.errors || ended.lastLine}`)
  return firstPageMs
}
