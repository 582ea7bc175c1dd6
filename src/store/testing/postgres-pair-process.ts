// A separate process that runs two Postgres servers, the second a synchronous standby of the first. It takes one command
// per line, with the number of a server:
//   kill N     SIGKILL to all its processes
//   promote N  makes a standby the primary; without a standby of its own it waits for none, as cluster managers set it
//   mistake N  starts a killed primary as a primary again, waiting for no standby
//   join N     copies the other server, and starts N as its synchronous standby
// It replies to each with "ok" or the error; its first line is the two ports. When its stdin closes, it stops the
// servers, deletes their files and exits.

import { type ChildProcess, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import {
  endProcess,
  freePort,
  initDatabase,
  killServer,
  nativePostgres,
  type RunNative,
  waitForStart,
} from './native-postgres.ts'

const START_TIMEOUT_MS = 60_000
const START_RETRY_MS = 200
const SETTINGS = [
  // Processes are killed, but the machine is not, so written data stays.
  'fsync=off',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  'max_connections=60',
  'synchronous_commit=on',
  'wal_keep_size=1GB',
  'wal_retrieve_retry_interval=100ms',
]
/** Files that a copy of a running server must not contain. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'standby.signal']

interface PairServer {
  folder: string
  data: string
  port: number
  run: RunNative
  process: ChildProcess | null
}

process.on('SIGINT', () => undefined).on('SIGHUP', () => undefined)
const servers: PairServer[] = []
try {
  servers.push(await makeServer(), await makeServer())
  const [first, second] = servers
  if (first === undefined || second === undefined) throw new Error('There must be two servers.')
  await initDatabase(first.run)
  await start(first)
  await joinStandby(second)
  reply(`${first.port} ${second.port}`)
  for await (const line of createInterface(process.stdin)) {
    await runCommand(line).then(
      () => reply('ok'),
      (error: unknown) => reply(error instanceof Error ? error.message : String(error)),
    )
  }
} catch (error) {
  reply(error instanceof Error ? error.message : String(error))
} finally {
  for (const { process: server, folder } of servers) {
    if (server !== null) await endProcess(server, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.exit()
}

async function makeServer(): Promise<PairServer> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-pair-'))
  return { folder, data: join(folder, 'data'), port: await freePort(), run: nativePostgres(folder), process: null }
}

async function runCommand(line: string): Promise<void> {
  const [word, number] = line.split(' ')
  const server = servers[Number(number)]
  if (server === undefined) throw new Error(`There is no server ${number}.`)
  switch (word) {
    case 'kill':
      if (server.process !== null) await killServer(server.process)
      return
    case 'promote':
      await onServer(server, (client) => client.query('select pg_promote(true, 60)'))
      return setSynchronous(server, '')
    case 'mistake':
      appendFileSync(join(server.data, 'postgresql.auto.conf'), `synchronous_standby_names = ''\n`)
      return start(server)
    case 'join':
      return joinStandby(server)
    default:
      throw new Error(`Unknown command: ${line}`)
  }
}

/** The processes of a killed server may take a moment to release its shared memory and port. */
async function start(server: PairServer): Promise<void> {
  const flags = [...SETTINGS, `primary_conninfo=host=127.0.0.1 port=${otherOf(server).port} user=postgres`]
  let problem: string | null = null
  const isStarted = async () => {
    server.process = server.run('postgres', ['-p', String(server.port), ...flags.flatMap((flag) => ['-c', flag])])
    problem = await waitForStart(server.process)
    return problem === null
  }
  const timeoutMessage = () => `postgres: ${problem}`
  await waitUntil(isStarted, { pollMs: START_RETRY_MS, timeoutMs: START_TIMEOUT_MS, timeoutMessage })
}

/** The low-level backup of the manual: the copy may be inconsistent, and the log of the primary repairs it. */
async function joinStandby(server: PairServer): Promise<void> {
  const primary = otherOf(server)
  if (server.process !== null) await killServer(server.process)
  rmSync(server.data, { recursive: true, force: true })
  const label = await onServer(primary, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`)
    // Files that are deleted while they are copied are reported, and not needed.
    spawnSync('cp', ['-a', primary.data, server.data])
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    return String(rows[0]?.['labelfile'])
  })
  const log = join(server.data, 'pg_wal')
  for (const { name } of readdirSync(log, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    rmSync(join(log, name))
  }
  for (const name of NOT_COPIED) rmSync(join(server.data, name), { force: true })
  writeOwned(server, 'backup_label', label)
  writeOwned(server, 'standby.signal', '')
  await start(server)
  await setSynchronous(primary, '*')
  await onServer(primary, async (client) => {
    await waitUntil(async () => {
      const { rows } = await client.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)
      return rows.length > 0
    })
  })
}

/** The server must be able to write the file, whatever user runs it. */
function writeOwned({ data }: PairServer, name: string, text: string): void {
  const path = join(data, name)
  writeFileSync(path, text)
  const { uid, gid } = statSync(data)
  chownSync(path, uid, gid)
}

function setSynchronous(server: PairServer, standbys: string): Promise<void> {
  return onServer(server, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${standbys}'`)
    await client.query('select pg_reload_conf()')
  })
}

function otherOf(server: PairServer): PairServer {
  return servers.find((other) => other !== server) ?? server
}

async function onServer<T>({ port }: PairServer, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

function reply(line: string): void {
  process.stdout.write(`${line.replaceAll('\n', ' ')}\n`)
}
