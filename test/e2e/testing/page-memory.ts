// Measures the memory that it takes to crawl one page, with the real program in its own process.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { COMPRESSION_BOMBS } from '../../sites/hostile/compression-bombs.ts'
import { DIFFICULT_PAGES } from '../../sites/hostile/difficult-pages.ts'
import { type HostileResponder, respondWithPage } from '../../sites/hostile/hostile-responses.ts'
import { OVERSIZED_PAGES, respondWithOversizedPage } from '../../sites/hostile/oversized-pages.ts'
import {
  type CleanupContext,
  FAST_FLAGS,
  makeTemporaryFolder,
  parseSummary,
  startProgram,
} from '../../testing/program.ts'
import { median } from '../../testing/statistics.ts'
import { watchPeakMemory } from './peak-memory.ts'

/** Makes glibc return large freed blocks to the system at once; otherwise it retains between 20 and 100 MiB. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }
const MB_PER_MIB = 1.048576

export const ORDINARY_PAGE = respondWithPage(
  `<title>Page</title><a href="/">home</a>${'<p>A page like any other.</p>'.repeat(300)}`,
)

/** The responses of hostile pages, by name. */
export const HOSTILE_PAGES: ReadonlyMap<string, HostileResponder> = new Map([
  ...Object.entries({ ...COMPRESSION_BOMBS, ...DIFFICULT_PAGES }).map(([path, [, answer]]) => [path, answer] as const),
  ...Object.entries(OVERSIZED_PAGES).map(([name, monster]) => [name, respondWithOversizedPage(monster)] as const),
])

/** One run in ten peaks 30 MB higher than the others, depending on when V8 collects garbage. */
const RUNS = 3

/** Peak memory in MB, the median of a few runs; null if the system does not report it. */
export async function measurePageMemoryMb(t: CleanupContext, respond: HostileResponder): Promise<number | null> {
  const peaks: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const peakMb = await measureOnce(t, respond)
    if (peakMb === null) return null
    peaks.push(peakMb)
  }
  return median(peaks)
}

async function measureOnce(t: CleanupContext, hostileResponder: HostileResponder): Promise<number | null> {
  const server = createServer(({ url }, response) =>
    url === '/page' ? hostileResponder(response) : response.writeHead(404).end(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`
  const flags = [
    ...FAST_FLAGS,
    '--threads',
    '1',
    '--max-pages',
    '1',
    '--retries',
    '0',
    '--data',
    makeTemporaryFolder(t),
  ]
  const program = startProgram(['crawl', home, ...flags], { env: MALLOC })
  const peak = watchPeakMemory(program.child)
  parseSummary(await program.ended)
  const mib = peak()
  return mib === null ? null : mib * MB_PER_MIB
}
