import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { serialize } from 'node:v8'
import { MessageChannel } from 'node:worker_threads'
import { AppError } from '../../lib/errors.ts'
import { RpcServer } from '../../lib/rpc.ts'
import { connectStore, SOCKET_FILE, shareStore } from './share-store.ts'

interface Echo {
  twice(value: number): Promise<number>
  fail(): Promise<never>
}

async function share(t: TestContext, name = 'data') {
  const dir = join(mkdtempSync(join(tmpdir(), 'orbweaver-share-')), name)
  mkdirSync(dir)
  t.after(() => rmSync(dirname(dir), { recursive: true, force: true }))
  const echo: Echo = {
    twice: async (value) => 2 * value,
    fail: async () => {
      throw new AppError('CRAWL_NOT_FOUND', 'There is no crawl.')
    },
  }
  const server = new RpcServer({ echo })
  const connect = () => {
    const { port1, port2 } = new MessageChannel()
    server.serve(port1)
    return port2
  }
  return { dir, open: () => shareStore(dir, { roles: ['worker'], connect }) }
}

it('another process calls the services of the owner and gets their errors', async (t) => {
  const { dir, open } = await share(t)
  const shared = await open()
  const joined = await connectStore(dir)
  assert.ok(joined !== null)
  assert.deepEqual([joined.owner.pid, joined.owner.roles], [process.pid, ['worker']])
  const echo = joined.client.service<Echo>('echo')
  assert.equal(await echo.twice(21), 42)
  await assert.rejects(echo.fail(), { code: 'CRAWL_NOT_FOUND' })
  assert.equal(statSync(join(dir, SOCKET_FILE)).mode & 0o777, 0o600)
  await joined.close()
  await shared.close()
  assert.ok(!existsSync(join(dir, SOCKET_FILE)))
})

it('calls fail when the owner ends, and a directory without an owner gives null', async (t) => {
  const { dir, open } = await share(t)
  assert.equal(await connectStore(dir), null)
  const shared = await open()
  const joined = await connectStore(dir)
  assert.ok(joined !== null)
  await shared.close()
  await assert.rejects(joined.client.service<Echo>('echo').twice(1), /has ended/)
  await joined.close()
})

const canUseLongPaths = process.platform === 'linux'

it('a path too long for a socket is shared too', { skip: !canUseLongPaths }, async (t) => {
  const { dir, open } = await share(t, 'x'.repeat(120))
  const shared = await open()
  const joined = await connectStore(dir)
  assert.equal(await joined?.client.service<Echo>('echo').twice(2), 4)
  await joined?.close()
  await shared.close()
  assert.ok(!existsSync(join(dir, SOCKET_FILE)))
})

it('what a link in place of the socket leads to is left alone', async (t) => {
  const { dir, open } = await share(t)
  const other = join(dirname(dir), 'other')
  mkdirSync(other)
  symlinkSync(join(other, 'x'), join(dir, SOCKET_FILE))
  const shared = await open()
  assert.ok(existsSync(other))
  assert.ok(lstatSync(join(dir, SOCKET_FILE)).isSocket())
  await shared.close()
})

it('bytes that are no call end their connection, and nothing else', async (t) => {
  const { dir, open } = await share(t)
  const shared = await open()
  const call = serialize('not a call')
  const frame = Buffer.alloc(4)
  frame.writeUInt32LE(call.length)
  for (const bytes of [Buffer.from([1, 0, 0, 0, 0x41]), Buffer.concat([frame, call])]) {
    const socket = createConnection(join(dir, SOCKET_FILE))
    socket.resume()
    socket.write(bytes)
    await once(socket, 'close')
  }
  const joined = await connectStore(dir)
  assert.equal(await joined?.client.service<Echo>('echo').twice(3), 6)
  await joined?.close()
  await shared.close()
})
