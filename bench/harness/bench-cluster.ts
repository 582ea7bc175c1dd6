// Workers on a Postgres of a benchmark, and crawls that they run to the end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BenchSite, MANY_HOSTS } from '../../test/sites/bench-site.ts'
import { readTreeCpuMs } from '../../test/testing/cpu-time.ts'
import { launcherPath } from '../../test/testing/launcher.ts'
import { waitUntil } from '../../test/testing/wait-until.ts'
import type { Workspace } from '../../test/testing/workspace.ts'
import type { BenchPostgres } from './bench-postgres.ts'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import { measureCommand } from './measure-command.ts'
import { NO_ARCHIVE, parseEvent, SPEED_FLAGS } from './orbweaver.ts'

const FLAGS = ['--ignore-robots', '--allow-private', '--no-traps', '--scope', 'any']
const TIMEOUT_MS = 300_000
const POLL_MS = 50
const WARM_UP: BenchSite = { ...MANY_HOSTS, hosts: 40, pagesPerHost: 50 }

export interface ClusterBench {
  postgres: BenchPostgres
  workspace: Workspace
  isQuick: boolean
}

export interface BenchWorkers {
  workers: ChildProcess[]
  cpuMs(): number
  stop(): Promise<void>
}

export async function startWorkers(store: string, count: number, workspace: Workspace): Promise<BenchWorkers> {
  const workers = Array.from({ length: count }, (_, i) =>
    spawn(launcherPath, ['worker', '--store', store, '--data', workspace.folder(`w${i}`), '--health-port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  const ready = workers.map((worker) => joined(worker))
  await Promise.all(ready)
  return {
    workers,
    cpuMs: () => workers.reduce((sum, { pid }) => sum + (readTreeCpuMs(pid) ?? Number.NaN), 0),
    async stop() {
      const ended = workers.map((worker) => once(worker, 'exit'))
      for (const worker of workers) worker.kill('SIGTERM')
      await Promise.all(ended)
    },
  }
}

/**
 * Resolves when the log says that the worker has joined. Keeps reading the log afterwards, so that the pipe never
 * fills.
 */
async function joined(worker: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let log = ''
  worker.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4000)
    if (log.includes('worker joined')) resolve()
  })
  worker.once('exit', () => reject(new Error(`A worker exited: ${log}`)))
  await promise
}

export async function createCrawl(
  store: string,
  server: BenchServer,
  workspace: Workspace,
  flags: string[],
): Promise<string> {
  const args = ['crawl', ...server.seeds, '--store', store, '--data', workspace.folder('owner'), '--detach', '--json']
  const created = await measureCommand({
    file: launcherPath,
    args: [...args, ...FLAGS, ...flags],
    timeoutMs: TIMEOUT_MS,
  })
  const id = (parseEvent(created.lastLine) as { crawl_id?: string } | null)?.crawl_id
  if (id === undefined) throw new Error(`The crawl could not be created: ${created.errors}`)
  return id
}

export async function waitForCrawl(isDone: () => Promise<boolean>): Promise<void> {
  await waitUntil(isDone, {
    pollMs: POLL_MS,
    timeoutMs: TIMEOUT_MS,
    timeoutMessage: () => 'The crawl did not finish in time.',
  })
}

/** Crawls a whole site; returns when the crawl began. */
export async function crawlAll(
  { postgres, workspace }: ClusterBench,
  store: string,
  server: BenchServer,
  flags: string[],
) {
  const start = performance.now()
  const id = await createCrawl(store, server, workspace, flags)
  await waitForCrawl(async () => {
    const [row] = await postgres.query('select status from crawls where uuid = $1', [id])
    return row?.['status'] === 'completed'
  })
  return start
}

export async function warmUp(clusterBench: ClusterBench, store: string): Promise<void> {
  const server = await startBenchServer(WARM_UP)
  try {
    await crawlAll(clusterBench, store, server, [...SPEED_FLAGS, ...NO_ARCHIVE])
  } finally {
    await server.stop()
  }
}
