// A separate process that runs a Postgres server with fsync on and takes one command per line:
//   start  on the same data and port
//   stop   a clean shutdown
//   kill   SIGKILL to all its processes
// It replies to each with "ok" or the error; its first line is the URL of the server. When its stdin closes, which
// happens however the parent dies, it stops Postgres, deletes the files and exits.

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  endProcess,
  freePort,
  initDatabase,
  killServer,
  nativePostgres,
  waitForStart,
} from '../../src/store/testing/native-postgres.ts'

/** The processes of a killed server may take a moment to release its shared memory and port. */
const START_ATTEMPTS = 50
const START_RETRY_MS = 200
const SETTINGS = [
  'fsync=on',
  'full_page_writes=on',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  `max_connections=${process.argv[2] ?? 100}`,
].flatMap((setting) => ['-c', setting])

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-chaos-postgres-'))
const native = nativePostgres(folder)
const port = await freePort()
let server: ChildProcess | null = null

const COMMANDS: Record<string, () => Promise<void>> = {
  start: startServer,
  async stop() {
    if (server !== null) await endProcess(server, 'SIGINT')
  },
  async kill() {
    if (server !== null) await killServer(server)
  },
}

process.on('SIGINT', () => undefined).on('SIGHUP', () => undefined)
try {
  await initDatabase(native)
  await startServer()
  reply(`postgres://postgres@127.0.0.1:${port}/postgres`)
  for await (const word of createInterface(process.stdin)) {
    await COMMANDS[word]?.().then(
      () => reply('ok'),
      (error: unknown) => reply(error instanceof Error ? error.message : String(error)),
    )
  }
} catch (error) {
  reply(error instanceof Error ? error.message : String(error))
} finally {
  if (server !== null) await endProcess(server, 'SIGQUIT')
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}

async function startServer(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    server = native('postgres', ['-p', String(port), ...SETTINGS])
    const problem = await waitForStart(server)
    if (problem === null) return
    if (attempt === START_ATTEMPTS) throw new Error(`postgres: ${problem}`)
    await sleep(START_RETRY_MS)
  }
}

function reply(line: string): void {
  process.stdout.write(`${line.replaceAll('\n', ' ')}\n`)
}
