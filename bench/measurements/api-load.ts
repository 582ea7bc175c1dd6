// The load of bench/api.ts, as a separate process: WebSockets that follow a crawl, and reads at a steady rate. It takes
// its options as a JSON argument, stops when its stdin closes and prints its result as one line of JSON.

import { WebSocket } from 'ws'
import { processCpuMs } from '../../test/testing/cpu-time.ts'
import { quantile } from '../../test/testing/statistics.ts'
import { HttpConnection } from './http-connection.ts'

export interface LoadOptions {
  address: string
  crawlId: string
  sockets: number
  readsPerSecond: number
}

export interface LoadResult {
  reads: number
  /** Responses other than 200, and requests without a response. */
  failed: number
  /** Reads that were postponed because all connections were busy. */
  late: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** CPU time of this process. */
  cpuMs: number
  messages: number
  socketsOpened: number
  socketsLost: number
}

const TICK_MS = 20
/** Sockets connect spread over this time. */
const CONNECT_SPREAD_MS = 1_000
/** If all of them are busy, the server does not keep up. */
const CONNECTIONS = 64

export function listReadPaths(crawlId: string): string[] {
  const crawl = `/api/v1/crawls/${crawlId}`
  return [
    crawl,
    `${crawl}/urls?limit=50`,
    crawl,
    '/api/v1/crawls?limit=20',
    `${crawl}/bottleneck`,
    crawl,
    `${crawl}/errors?limit=20`,
    '/api/v1/workers',
  ]
}

function load({ address, crawlId, sockets, readsPerSecond }: LoadOptions): void {
  const lines = Array.from({ length: CONNECTIONS }, () => new HttpConnection(address))
  const paths = listReadPaths(crawlId)
  const times: number[] = []
  const result = { reads: 0, failed: 0, late: 0, messages: 0, socketsOpened: 0, socketsLost: 0 }
  let isOver = false

  const read = (httpConnection: HttpConnection, path: string) => {
    const startedAt = performance.now()
    result.reads += 1
    httpConnection.get(path, (status) => {
      if (status === 200) times.push(performance.now() - startedAt)
      else result.failed += 1
    })
  }

  const watch = () => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v1/crawls/${crawlId}/ws`)
    socket.on('open', () => {
      result.socketsOpened += 1
    })
    socket.on('message', () => {
      result.messages += 1
    })
    socket.on('close', (code) => {
      if (code !== 1000 && !isOver) result.socketsLost += 1
    })
    socket.on('error', () => undefined)
  }
  for (let i = 0; i < sockets; i++) setTimeout(watch, (i / sockets) * CONNECT_SPREAD_MS)

  const startedAt = performance.now()
  let wanted = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * readsPerSecond)
    for (; wanted < due; wanted++) {
      const line = lines.find(({ isFree }) => isFree)
      if (line === undefined) result.late += 1
      else read(line, paths[wanted % paths.length] ?? '')
    }
  }, TICK_MS)

  process.stdin.resume()
  process.stdin.on('end', () => {
    isOver = true
    clearInterval(timer)
    const latency = { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), maxMs: quantile(times, 1) }
    const cpuMs = processCpuMs()
    process.stdout.write(`${JSON.stringify({ ...result, ...latency, cpuMs } satisfies LoadResult)}\n`, () =>
      process.exit(0),
    )
  })
}

if (import.meta.main) load(JSON.parse(process.argv[2] ?? '{}') as LoadOptions)
