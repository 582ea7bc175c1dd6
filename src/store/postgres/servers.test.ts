import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { it, type TestContext } from 'node:test'
import type pg from 'pg'
import { openTcpProxy } from '../../../test/testing/tcp-proxy.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { connectClient, openPool } from './connect.ts'
import { readServerState } from './server-state.ts'
import { type ServerChange, Servers } from './servers.ts'
import { storeError } from './store-errors.ts'

const OPTIONS = { name: 'servers test', isWriting: true, statementMs: 0 }
/** An address at which nothing listens. */
const CLOSED = '127.0.0.1:1'

/** Two addresses of one database, as a primary and its standby would have. */
async function openTwoProxies(t: TestContext) {
  const database = await makeTestDatabase()
  const { hostname, port, pathname, username } = new URL(database.url)
  const target = { host: hostname, port: Number(port) }
  const [first, second] = [await openTcpProxy(target), await openTcpProxy(target)]
  t.after(async () => {
    await first.close()
    await second.close()
    await database.drop()
  })
  const names = [first, second].map((proxy) => `127.0.0.1:${proxy.port}`)
  const urlOf = (hosts: string) => `postgres://${username}@${hosts}${pathname}`
  return { first, second, names, urlOf, url: urlOf(names.join(',')), address: `${hostname}:${port}` }
}

function openTestPool(t: TestContext, servers: Servers): pg.Pool {
  const pool = openPool(servers, { ...OPTIONS, max: 4 })
  t.after(() => pool.end())
  return pool
}

/** Accepts connections and never responds. */
async function openSilentServer(t: TestContext): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a server that refuses connections is left for the next one', async (t) => {
  const { urlOf, address } = await openTwoProxies(t)
  const servers = new Servers(urlOf(`${CLOSED},${address}`))
  const pool = openTestPool(t, servers)
  const replies = await Promise.all([1, 2, 3].map((n) => pool.query({ text: 'select $1::int as n', values: [n] })))
  assert.deepEqual(
    replies.map(({ rows }) => rows[0]?.n),
    [1, 2, 3],
  )
  assert.equal(servers.current.name, address)
  const client = await connectClient(servers, OPTIONS)
  await client.end()
})

it('a server that does not respond is left after the timeout of the URL', async (t) => {
  const { urlOf, address } = await openTwoProxies(t)
  const silent = await openSilentServer(t)
  const servers = new Servers(`${urlOf(`${silent},${address}`)}?connect_timeout=1`)
  assert.equal((await openTestPool(t, servers).query('select 1 as n')).rows[0]?.n, 1)
})

it('a dead connection ends as soon as another server is in use', async (t) => {
  const { first, names, url } = await openTwoProxies(t)
  const changes: ServerChange[] = []
  const servers = new Servers(url, (change) => changes.push(change))
  const pool = openTestPool(t, servers)
  await pool.query('select 1')
  assert.equal(servers.current.name, names[0])
  first.blackholeConnections()
  const waiting = assert.rejects(pool.query('select 1'), /terminated|not queryable/)
  first.refuse()
  await pool.query('select 1')
  assert.equal(servers.current.name, names[1])
  await waiting
  // Both names refer to the same server, so nothing can be lost.
  assert.deepEqual(
    changes.map(({ server, mayLackCommits }) => [server, mayLackCommits]),
    [[names[1], false]],
  )
})

it('if no server can be used, the error says why for each, and nothing secret', async () => {
  const url = `postgres://u:secret@${CLOSED},127.0.0.1:2/crawls`
  const servers = new Servers(url)
  const error = await connectClient(servers, OPTIONS).then(
    () => assert.fail('connected'),
    (problem: unknown) => storeError(problem, url),
  )
  assert.equal(error.code, 'STORE_AWAY')
  assert.equal(
    error.message,
    'Postgres at 127.0.0.1:1,127.0.0.1:2/crawls cannot be reached: connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.1:2',
  )
})

it('a database that does not exist is not looked for on other servers', async (t) => {
  const { urlOf, address } = await openTwoProxies(t)
  const servers = new Servers(urlOf(`${address},${CLOSED}`).replace(/\/\w+$/, '/no_such_database'))
  await assert.rejects(connectClient(servers, OPTIONS), { code: '3D000' })
  assert.equal(servers.current.name, address)
})

it('a server whose sessions are read-only is not written, but read', async (t) => {
  const { url, address, urlOf } = await openTwoProxies(t)
  const admin = await connectClient(new Servers(urlOf(address)), OPTIONS)
  t.after(() => admin.end())
  const { rows } = await admin.query('select current_database() as name')
  await admin.query(`alter database ${rows[0]?.name} set default_transaction_read_only = on`)
  await assert.rejects(connectClient(new Servers(url), OPTIONS), {
    code: '25006',
    message: /is read-only; .* is read-only$/,
  })
  const reader = await connectClient(new Servers(url), { ...OPTIONS, isWriting: false })
  assert.equal((await reader.query('select 1 as n')).rows[0]?.n, 1)
  await reader.end()
})

it('a user without privileges can read the timeline', async (t) => {
  const { urlOf, address } = await openTwoProxies(t)
  const client = await connectClient(new Servers(urlOf(address)), OPTIONS)
  t.after(() => client.end())
  await client.query('begin')
  await client.query('create role orbweaver_plain_user')
  await client.query('set local role orbweaver_plain_user')
  const { timeline, isStandby } = await readServerState(client)
  await client.query('rollback')
  assert.ok(timeline !== null && timeline.number >= 1 && !isStandby)
})
