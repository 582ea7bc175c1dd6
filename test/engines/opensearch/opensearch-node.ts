// A real OpenSearch node for tests. `npm run test:engines` gets it and names its folder in TEST_OPENSEARCH.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CleanupContext } from '../../testing/program.ts'

export interface OpenSearchNode {
  /** Such as 127.0.0.1:9200. */
  address: string
  /** The value of --search, with a prefix that no test had before. */
  makeSearchUrl(): string
  request<T>(method: string, path: string, body?: unknown): Promise<T>
  /** CPU time of the node so far. */
  cpuMs(): number
  kill(): Promise<void>
  /** On the same address, with the same data. */
  start(): Promise<void>
}

const START_MS = 180_000
const HEAP = '-Xmx768m'
const MEMORY = '/dev/shm'
let prefixes = 0

/** For tests it starts sooner and does not wait for the disk; for benchmarks it is as in production. */
export async function startOpenSearch(t: CleanupContext, { isForTests = true } = {}): Promise<OpenSearchNode> {
  const engine = process.env['TEST_OPENSEARCH']
  if (engine === undefined) throw new Error('TEST_OPENSEARCH is not set. Run: npm run test:engines')
  const folder = mkdtempSync(join(isForTests && existsSync(MEMORY) ? MEMORY : tmpdir(), 'orbweaver-opensearch-'))
  mkdirSync(join(folder, 'config'))
  const port = await findFreePort()
  const classPath = `${join(engine, 'classes')}:${join(engine, 'lib')}/*`
  const compiler = isForTests ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : []
  const flags = [HEAP, ...compiler, '-cp', classPath, 'OpenSearchNode']
  const args = [...flags, folder, String(port), 'path.repo', join(folder, 'snapshots')]
  let child: ChildProcess | null = null
  const node: OpenSearchNode = {
    address: `127.0.0.1:${port}`,
    makeSearchUrl() {
      prefixes += 1
      return `opensearch://127.0.0.1:${port}/test-${process.pid}-${prefixes}?replicas=0`
    },
    async request<T>(method: string, path: string, body?: unknown) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...init })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
    cpuMs: () => readCpuMs(child?.pid ?? 0),
    async kill() {
      const ended = child === null ? null : once(child, 'exit')
      child?.kill('SIGKILL')
      await ended
      child = null
    },
    async start() {
      child = spawn('java', args, { stdio: ['ignore', 'ignore', 'inherit'] })
      await waitUntilReady(port, child)
    },
  }
  t.after(async () => {
    await node.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await node.start()
  return node
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function waitUntilReady(port: number, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/_cluster/health?wait_for_status=yellow&timeout=5s`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (child.exitCode !== null) throw new Error(`OpenSearch ended with code ${child.exitCode}.`)
    if (Date.now() > end) throw new Error('OpenSearch does not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const TICK_MS = 10

function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
