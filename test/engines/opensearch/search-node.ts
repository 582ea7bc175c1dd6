// A real node of a search engine for tests. `npm run test:engines` gets the engines and names their folders in variables.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CleanupContext } from '../../testing/program.ts'
import { engineUser } from './engine-user.ts'
import { findJava } from './find-java.ts'
import { SEARCH_ENGINES, type SearchEngineName } from './search-engines.ts'

export interface SearchNode {
  /** For example 127.0.0.1:9200. */
  address: string
  /** The value of --search, with a prefix that no test had before. */
  makeSearchUrl(): string
  request<T>(method: string, path: string, body?: unknown): Promise<T>
  /** CPU time of the node so far. */
  cpuMs(): number
  kill(): Promise<void>
  /** Starts the node again on the same address, with the same data. */
  start(): Promise<void>
}

const START_MS = 180_000
const HEAP = ['-Xms768m', '-Xmx768m']
const MEMORY = '/dev/shm'
let prefixes = 0

/**
 * A node for tests starts sooner and does not wait for the disk; a node for benchmarks is configured as in production.
 */
export async function startSearchNode(
  t: CleanupContext,
  name: SearchEngineName,
  { isForTests = true } = {},
): Promise<SearchNode> {
  const { variable, program, java } = SEARCH_ENGINES[name]
  const engine = process.env[variable]
  if (engine === undefined) throw new Error(`${variable} is not set. Run: npm run test:engines`)
  const folder = makeFolder(isForTests && existsSync(MEMORY) ? MEMORY : tmpdir())
  const port = await findFreePort()
  const compiler = isForTests ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : []
  const flags = [...HEAP, ...compiler, `-Djava.io.tmpdir=${join(folder, 'tmp')}`]
  const settings = listSettings({ folder, port }).flatMap((setting) => ['-E', setting])
  const command = makeCommand({ program, engine, folder, javaHome: await findJava(java), flags })
  // Killed with its process group; a node without one ends at an interrupt in the terminal, as the tests do.
  const hasLauncher = program === 'elasticsearch'
  let child: ChildProcess | null = null
  const node: SearchNode = {
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
      const { pid, exitCode = null } = child ?? {}
      if (child !== null && pid !== undefined && exitCode === null) {
        const ended = once(child, 'exit')
        process.kill(hasLauncher ? -pid : pid, 'SIGKILL')
        await ended
      }
      child = null
    },
    async start() {
      const { file, args, env } = command
      const options = { ...engineUser(), cwd: folder, detached: hasLauncher, env: { ...process.env, ...env } }
      child = spawn(file, [...args, ...settings], { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
      await waitUntilReady(port, child)
    },
  }
  const killAtExit = () => {
    if (child?.pid !== undefined && child.exitCode === null)
      process.kill(hasLauncher ? -child.pid : child.pid, 'SIGKILL')
  }
  process.once('exit', killAtExit)
  t.after(async () => {
    await node.kill()
    process.off('exit', killAtExit)
    rmSync(folder, { recursive: true, force: true })
  })
  await node.start()
  return node
}

const CONFIGURATION = {
  'jvm.options': '',
  'log4j2.properties': `appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %m%n%throwable{20}
rootLogger.level = error
rootLogger.appenderRef.console.ref = console
`,
}

/** Folder for data, logs and settings; the engine itself is not changed. */
function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'orbweaver-search-'))
  for (const name of ['config', 'tmp']) mkdirSync(join(folder, name))
  for (const [name, content] of Object.entries(CONFIGURATION)) writeFileSync(join(folder, 'config', name), content)
  const { uid, gid } = engineUser()
  if (uid === undefined || gid === undefined) return folder
  for (const name of ['.', 'config', 'tmp']) chownSync(join(folder, name), uid, gid)
  return folder
}

function listSettings({ folder, port }: { folder: string; port: number }): string[] {
  return [
    `path.data=${join(folder, 'data')}`,
    `path.logs=${join(folder, 'logs')}`,
    `path.repo=${join(folder, 'snapshots')}`,
    `http.port=${port}`,
    'network.host=127.0.0.1',
    'transport.port=0',
    'discovery.type=single-node',
    'cluster.name=orbweaver-test',
    'node.name=one',
    'cluster.routing.allocation.disk.threshold_enabled=false',
  ]
}

interface Starting {
  program: string
  engine: string
  folder: string
  javaHome: string
  flags: string[]
}

interface StartCommand {
  file: string
  args: string[]
  env: Record<string, string>
}

function makeCommand({ program, engine, folder, javaHome, flags }: Starting): StartCommand {
  const configuration = join(folder, 'config')
  if (program === 'elasticsearch') {
    const env = {
      ES_JAVA_HOME: javaHome,
      ES_PATH_CONF: configuration,
      ES_JAVA_OPTS: flags.join(' '),
      CLI_JAVA_OPTS: '-XX:TieredStopAtLevel=1',
    }
    return { file: join(engine, 'bin', program), args: ['-E', 'xpack.security.enabled=false'], env }
  }
  // Bypasses the launcher, which starts Java three more times.
  const paths = [`-Dopensearch.path.home=${engine}`, `-Dopensearch.path.conf=${configuration}`]
  const agent = join(engine, 'agent', 'opensearch-agent.jar')
  const guard = existsSync(agent) ? `-javaagent:${agent}` : '-Djava.security.manager=allow'
  const more = [guard, '-Dopensearch.distribution.type=zip']
  const main = ['-cp', `${join(engine, 'lib')}/*`, 'org.opensearch.bootstrap.OpenSearch']
  return { file: join(javaHome, 'bin', 'java'), args: [...flags, ...more, ...paths, ...main], env: {} }
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
    if (child.exitCode !== null) throw new Error(`The search engine ended with code ${child.exitCode}.`)
    if (Date.now() > end) throw new Error('The search engine does not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const TICK_MS = 10

function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
