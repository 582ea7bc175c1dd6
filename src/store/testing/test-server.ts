// Runs as a process of its own: a Postgres server for the test that started it, where nothing is kept or, without
// --durable, synced.
// It ends, and its files go, when its standard input closes; that happens however the test dies.
// Prints one line: the url of the server, or what went wrong.

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess, freePort, initDatabase, nativePostgres, waitForStart } from './native-postgres.ts'

const PORT_ATTEMPTS = 10
const UNSYNCED = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
const SETTINGS = [
  ...(process.argv.includes('--durable') ? [] : UNSYNCED),
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  'max_connections=200',
].flatMap((setting) => ['-c', setting])

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-postgres-'))
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
  // SIGQUIT: without a checkpoint, for the files are about to go.
  for (const child of children) await endProcess(child, 'SIGQUIT')
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}

async function start(): Promise<string> {
  const native = nativePostgres(folder)
  const run: typeof native = (program, args) => {
    const child = native(program, args)
    children.push(child)
    return child
  }
  await initDatabase(run)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const problem = await waitForStart(run('postgres', ['-p', String(port), ...SETTINGS]))
    if (problem === null) return `postgres://postgres@127.0.0.1:${port}/postgres`
    // Somebody else may have taken the port between the look and the start.
    if (attempt === PORT_ATTEMPTS || !problem.includes('could not bind')) throw new Error(`postgres: ${problem}`)
  }
}
