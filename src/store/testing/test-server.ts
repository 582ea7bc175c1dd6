// Runs as a separate process: a Postgres server for the test that started it, which persists nothing and, without
// --durable, syncs nothing and keeps its files in memory. It ends and deletes its files when its standard input closes,
// however the test dies. Prints one line: the URL of the server, or the problem. `--keep-in FOLDER` keeps the files
// there, for the next run; `--preload LIBRARY` loads an extension that has to be there from the start.

import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { endProcess, freePort, initDatabase, nativePostgres, waitForStart } from './native-postgres.ts'

const PORT_ATTEMPTS = 10
const UNSYNCED = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=256MB']
/**
 * A file system in memory, used if it has room for the databases and logs of all tests. Each database is some 400 files;
 * creating them took 300 ms of CPU on ext4 without a journal, and takes 20 ms here (November 2026).
 */
const MEMORY = { folder: '/dev/shm', minFreeBytes: 2 * 1024 ** 3 }
const { values } = parseArgs({
  options: { durable: { type: 'boolean' }, 'keep-in': { type: 'string' }, preload: { type: 'string' } },
})
const keepIn = values['keep-in']
const SETTINGS = [
  ...(values.durable ? [] : UNSYNCED),
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  'max_connections=200',
  ...(values.preload === undefined ? [] : [`shared_preload_libraries=${values.preload}`]),
].flatMap((setting) => ['-c', setting])

const folder = makeFolder()
const children: ChildProcess[] = []
const isOver = new Promise<null>((resolve) => {
  const stop = () => resolve(null)
  process.stdin.on('end', stop).on('error', stop).resume()
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop)
})

try {
  const url = await Promise.race([start(), isOver])
  process.stdout.write(`${url}\n`)
  await isOver
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
} finally {
  // SIGQUIT: without a checkpoint, since the files are deleted anyway.
  for (const child of children) await endProcess(child, keepIn === undefined ? 'SIGQUIT' : 'SIGINT')
  if (keepIn === undefined) rmSync(folder, { recursive: true, force: true })
  process.exit()
}

function makeFolder(): string {
  if (keepIn === undefined) return mkdtempSync(join(values.durable ? tmpdir() : fastFolder(), 'orbweaver-postgres-'))
  mkdirSync(keepIn, { recursive: true })
  return resolve(keepIn)
}

function fastFolder(): string {
  if (!existsSync(MEMORY.folder)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY.folder)
  return bavail * bsize < MEMORY.minFreeBytes ? tmpdir() : MEMORY.folder
}

async function start(): Promise<string> {
  const native = nativePostgres(folder)
  const run: typeof native = (program, args) => {
    const child = native(program, args)
    children.push(child)
    return child
  }
  if (!existsSync(join(folder, 'data', 'PG_VERSION'))) await initDatabase(run)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const problem = await waitForStart(run('postgres', ['-p', String(port), ...SETTINGS]))
    if (problem === null) return `postgres://postgres@127.0.0.1:${port}/postgres`
    // Another process may have taken the port between the check and the start.
    if (attempt === PORT_ATTEMPTS || !problem.includes('could not bind')) throw new Error(`postgres: ${problem}`)
  }
}
