// Runs as a separate process: a Postgres server for the test that started it, which persists nothing and, without
// --durable, syncs nothing. It ends and deletes its files when its standard input closes, however the test dies. Prints
// one line: the URL of the server, or the problem.

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
  // SIGQUIT: without a checkpoint, since the files are deleted anyway.
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
    // Another process may have taken the port between the check and the start.
    if (attempt === PORT_ATTEMPTS || !problem.includes('could not bind')) throw new Error(`postgres: ${problem}`)
  }
}
