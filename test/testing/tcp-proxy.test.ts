import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A server that echoes every chunk, behind a proxy. */
async function echoThroughProxy(
  t: TestContext,
): Promise<{ proxy: TcpProxy; received: string[]; dial: () => Promise<Socket> }> {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received.push(String(chunk))
      socket.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await openTcpProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  const dialled: Socket[] = []
  t.after(async () => {
    for (const socket of dialled) socket.destroy()
    await proxy.close()
    server.close()
  })
  const dial = async () => {
    const socket = connect(proxy.port, '127.0.0.1')
    dialled.push(socket)
    await once(socket, 'connect')
    return socket
  }
  return { proxy, received, dial }
}

async function exchange(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

async function readError(socket: Socket): Promise<unknown> {
  const [error] = await once(socket, 'error')
  return error instanceof Error && 'code' in error ? error.code : error
}

describe('the TCP proxy', () => {
  it('passes bytes, and accepts new connections after a reset', async (t) => {
    const { proxy, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await exchange(first, 'a'), 'a')
    const error = readError(first)
    proxy.resetConnections()
    assert.equal(await error, 'ECONNRESET')
    const second = await dial()
    assert.equal(await exchange(second, 'b'), 'b')
  })

  it('holds bytes and new connections back while it is stalled, and passes them on when it is restored', async (t) => {
    const { proxy, received, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await exchange(first, 'a'), 'a')
    proxy.stall()
    const replies = Promise.all([exchange(first, 'b'), dial().then((socket) => exchange(socket, 'c'))])
    // Gives bytes time to arrive: a whole exchange through another proxy that is not stalled.
    const other = await echoThroughProxy(t)
    assert.equal(await exchange(await other.dial(), 'x'), 'x')
    assert.deepEqual(received, ['a'])
    proxy.restore()
    assert.deepEqual(await replies, ['b', 'c'])
  })

  it('blackholes existing connections for good, and accepts new ones', async (t) => {
    const { proxy, received, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await exchange(first, 'a'), 'a')
    proxy.blackholeConnections()
    first.write('lost')
    assert.equal(await exchange(await dial(), 'b'), 'b')
    proxy.restore()
    assert.equal(await exchange(await dial(), 'c'), 'c')
    assert.deepEqual(received, ['a', 'b', 'c'])
    assert.equal(first.destroyed, false)
  })

  it('resets old and new connections while it refuses', async (t) => {
    const { proxy, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await exchange(first, 'a'), 'a')
    const error = readError(first)
    proxy.refuse()
    assert.equal(await error, 'ECONNRESET')
    const second = connect(proxy.port, '127.0.0.1')
    assert.equal(await readError(second), 'ECONNRESET')
    proxy.restore()
    assert.equal(await exchange(await dial(), 'b'), 'b')
  })
})
