import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
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
  t.after(() => rmSync(dir, { recursive: true, force: true }))
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
})

it('a path too long for a socket is a link to one in a temporary folder, which goes with it', async (t) => {
  const { dir, open } = await share(t, 'x'.repeat(120))
  const shared = await open()
  assert.ok(lstatSync(join(dir, SOCKET_FILE)).isSymbolicLink())
  const target = readlinkSync(join(dir, SOCKET_FILE))
  const joined = await connectStore(dir)
  assert.equal(await joined?.client.service<Echo>('echo').twice(2), 4)
  await joined?.close()
  await shared.close()
  assert.ok(!existsSync(dirname(target)))
})
