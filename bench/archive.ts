// `npm run bench:archive`: the archive in a folder and in object storage, on a real S3 server of this machine. Crawls of
// the same site in turn, so that their CPU time per page compares; then reads of random pages by a process that has no
// file of them. Flags: --pages N, --rounds N, --reads N, --quick.

import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config/load-config.ts'
import { seededRandom } from '../src/lib/seeded-random.ts'
import type { Position } from '../src/ports/archive.ts'
import { openReadSession } from '../src/setup/read-session.ts'
import { findS3Server } from '../test/engines/s3/find-s3-server.ts'
import { S3_ENVIRONMENT, startS3Server } from '../test/engines/s3/s3-server.ts'
import { ONE_HOST } from '../test/sites/bench-site.ts'
import { median } from '../test/testing/statistics.ts'
import { formatCount, formatFixed, formatQuantiles, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import { startBenchServer } from './harness/bench-server.ts'
import { NO_ARCHIVE, runBenchCrawl } from './harness/orbweaver.ts'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    reads: { type: 'string', default: '2000' },
    quick: { type: 'boolean', default: false },
  },
})
const pages = flags.quick ? 2000 : Number(flags.pages)
const rounds = flags.quick ? 1 : Number(flags.rounds)
const TIMEOUT_MS = 600_000
const MAX_RATIO = 1.1
const MAX_P95_MS = 50

interface Way {
  name: string
  flags: (bucket: string) => string[]
  cpuMs: number[]
  pagesPerSecond: number[]
}

const OBJECTS = 'S3'
const WAYS: Way[] = [
  { name: 'folder', flags: () => [], cpuMs: [], pagesPerSecond: [] },
  { name: 'none', flags: () => NO_ARCHIVE, cpuMs: [], pagesPerSecond: [] },
  { name: 'folder, gzip', flags: () => ['--archive-codec', 'gzip'], cpuMs: [], pagesPerSecond: [] },
  { name: OBJECTS, flags: (bucket) => ['--archive-store', bucket], cpuMs: [], pagesPerSecond: [] },
  {
    name: 'S3, upload before commit',
    flags: (bucket) => ['--archive-store', bucket, '--upload-before-commit'],
    cpuMs: [],
    pagesPerSecond: [],
  },
]

exitOnSignals()
const workspace = makeWorkspace()
const cleanUps: (() => unknown)[] = []
Object.assign(process.env, S3_ENVIRONMENT)
process.env['TEST_S3_SERVER'] ??= await findS3Server('.engines', AbortSignal.timeout(TIMEOUT_MS))
const server = await startS3Server({ after: (cleanUp) => cleanUps.push(cleanUp) })
const site = await startBenchServer({ ...ONE_HOST, pagesPerHost: pages })
try {
  for (let round = 0; round < rounds; round++) {
    for (const way of WAYS) {
      const crawlFlags = way.flags(server.makeBucket())
      const { measurement, summary } = await runBenchCrawl(
        { seeds: site.seeds, timeoutMs: TIMEOUT_MS, flags: crawlFlags },
        workspace,
      )
      way.cpuMs.push((measurement.cpuMs ?? Number.NaN) / summary.completed)
      way.pagesPerSecond.push(summary.pages_per_second)
    }
  }
  const local = WAYS[0]?.cpuMs ?? []
  printTable(
    `CPU of a crawl of ${formatCount(pages)} pages, ${rounds} rounds in turn`,
    ['archive', 'CPU ms/page', 'to folder', 'pages/s'],
    WAYS.map(({ name, cpuMs, pagesPerSecond }) => [
      name,
      formatFixed(median(cpuMs), 3),
      formatFixed(median(cpuMs.map((ms, i) => ms / (local[i] ?? Number.NaN))), 2),
      formatCount(median(pagesPerSecond)),
    ]),
  )
  const objectTimes = await timeReads('s3', (bucket) => ['--archive-store', bucket, '--archive-cache', '0'])
  const folderTimes = await timeReads('folder', () => [])
  printTable(
    `Reads of ${formatCount(objectTimes.length)} random pages, one at a time`,
    ['archive', 'p50 ms', 'p95 ms', 'worst ms'],
    [
      ['folder', ...formatQuantiles(folderTimes)],
      ['S3', ...formatQuantiles(objectTimes)],
    ],
  )
  const ratio = median(
    (WAYS.find(({ name }) => name === OBJECTS)?.cpuMs ?? []).map((ms, i) => ms / (local[i] ?? Number.NaN)),
  )
  const p95 = Number(formatQuantiles(objectTimes)[1])
  console.log(
    `\nCPU within 10% of the folder: ${ratio <= MAX_RATIO ? 'yes' : 'NO'}. p95 below ${MAX_P95_MS} ms: ${p95 < MAX_P95_MS ? 'yes' : 'NO'}.`,
  )
  if (!flags.quick && (ratio > MAX_RATIO || p95 >= MAX_P95_MS)) process.exitCode = 1
} finally {
  await site.stop()
  for (const cleanUp of cleanUps) await cleanUp()
  workspace.remove()
}

/** Crawls, then reads random pages of the crawl. */
async function timeReads(folder: string, flagsOf: (bucket: string) => string[]): Promise<number[]> {
  const archiveFlags = flagsOf(server.makeBucket())
  const seeds = { seeds: site.seeds, timeoutMs: TIMEOUT_MS, flags: archiveFlags }
  await runBenchCrawl(seeds, workspace)
  const data = workspace.file('data')
  const args = ['--data', data, ...archiveFlags]
  const { config } = loadConfig(args, {}, ['data', 'archiveStore', 'archiveCache'])
  const reader = await openReadSession(config)
  try {
    const positions: Position[] = []
    for await (const { position } of reader.pages.references()) if (position !== null) positions.push(position)
    const random = seededRandom(folder.length).next
    const times: number[] = []
    for (let i = 0; i < Number(flags.reads); i++) {
      const position = positions[Math.floor(random() * positions.length)]
      if (position === undefined) throw new Error('The crawl archived nothing.')
      const start = performance.now()
      await reader.archive.read(position)
      times.push(performance.now() - start)
    }
    return times
  } finally {
    await reader.close()
  }
}
