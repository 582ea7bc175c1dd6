// `npm run bench:peers -- --folder DIR`: Orbweaver and wget2 on real pages. Each crawls one copy of the folder and
// then several, which separates the cost of a request from the cost of starting.

import { median } from '../test/testing/statistics.ts'
import { formatCount, formatFixed, printTable } from '../test/testing/table.ts'
import { makeWorkspace } from '../test/testing/workspace.ts'
import {
  type Contender,
  findContenders,
  memoryFolder,
  ORBWEAVER,
  orbweaverWith,
  WGET2,
  type Workspaces,
} from './contenders.ts'
import { startFolderServer } from './harness/folder-server.ts'
import { measureCommand } from './harness/measure-command.ts'

export interface FolderBenchOptions {
  folder: string
  /** Number of copies in the larger site. */
  copies: number
  rounds: number
  https: boolean
}

interface SiteCost {
  requests: number
  cpuMs: number
}

const TIMEOUT_MS = 600_000
const MAX_ATTEMPTS = 3
const CODECS = ['zstd', 'gzip']

export async function comparePeersOnFolder(options: FolderBenchOptions): Promise<void> {
  const insecure = options.https ? ['--insecure'] : []
  const wget2 = findContenders({ insecure: options.https }).find(({ name }) => name === WGET2)
  const contenders: Contender[] = [
    { name: ORBWEAVER, command: orbweaverWith(['--archive', 'none', ...insecure]) },
    ...CODECS.map((codec) => ({
      name: `${ORBWEAVER}, archive on, ${codec}`,
      command: orbweaverWith(['--archive-codec', codec, ...insecure]),
    })),
    ...(wget2 === undefined ? [] : [wget2]),
  ]
  const small = await measureSite(contenders, options, 1)
  const large = await measureSite(contenders, options, options.copies)
  const costOf = (name: string) => {
    const [one, many] = [small.get(name), large.get(name)]
    if (one === undefined || many === undefined) return null
    const perRequest = (many.cpuMs - one.cpuMs) / (many.requests - one.requests)
    return { requests: many.requests, perRequest, startMs: one.cpuMs - perRequest * one.requests }
  }
  const reference = costOf(WGET2)?.perRequest ?? Number.NaN
  const rows = contenders.map(({ name }) => {
    const { requests, perRequest, startMs } = costOf(name) ?? {
      requests: 0,
      perRequest: Number.NaN,
      startMs: Number.NaN,
    }
    return [
      name,
      formatCount(requests),
      formatFixed(perRequest, 3),
      formatFixed(perRequest / reference, 2),
      formatCount(startMs),
    ]
  })
  const title = `${options.folder}, ${options.https ? 'https, gzip, HTTP/2' : 'http'}, 1 and ${options.copies} copies, medians of ${options.rounds}`
  printTable(title, ['crawler', 'requests', 'CPU ms/request', 'ratio to wget2', 'CPU ms to start'], rows)
}

/** Medians per crawler. Every crawler takes part in every round, because the machine changes. */
async function measureSite(
  contenders: Contender[],
  { folder, rounds, https }: FolderBenchOptions,
  copies: number,
): Promise<Map<string, SiteCost>> {
  const to = { disk: makeWorkspace(), memory: makeWorkspace(memoryFolder()) }
  const server = await startFolderServer({ folder, copies, https })
  const costs = new Map<string, SiteCost[]>(contenders.map(({ name }) => [name, []]))
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const contender of contenders) {
        console.error(`${copies} copies, round ${round} of ${rounds}: ${contender.name}`)
        costs.get(contender.name)?.push(await crawlOnce(contender, server.seed, to, () => server.takeCounts()))
      }
    }
  } finally {
    await server.stop()
    to.disk.remove()
    to.memory.remove()
  }
  const middle = (of: SiteCost[]) => ({
    requests: median(of.map(({ requests }) => requests)),
    cpuMs: median(of.map(({ cpuMs }) => cpuMs)),
  })
  return new Map([...costs].map(([name, of]) => [name, middle(of)]))
}

async function crawlOnce(
  { name, command }: Contender,
  seed: string,
  to: Workspaces,
  takeCounts: () => Promise<{ requests: number }>,
): Promise<SiteCost> {
  for (let attempt = 1; ; attempt++) {
    await takeCounts()
    const { exitCode, cpuMs, errors } = await measureCommand({ ...command(seed, to), timeoutMs: TIMEOUT_MS })
    const { requests } = await takeCounts()
    // wget2 crashes now and then over HTTP/2.
    if (exitCode === null && name === WGET2 && attempt < MAX_ATTEMPTS) {
      console.error('wget2 crashed, and is run again.')
      continue
    }
    // wget2 exits with 8 if a link of the site is broken.
    if (exitCode !== 0 && !(name === WGET2 && exitCode === 8))
      throw new Error(`${name} ${exitCode === null ? 'crashed' : `exited with ${exitCode}`}: ${errors}`)
    if (cpuMs === null) throw new Error('The CPU time of other processes is not known on this system.')
    return { requests, cpuMs }
  }
}
