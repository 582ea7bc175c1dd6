import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A server that echoes every chunk, behind a proxy. */
async function echoThroughProxy(
  t: TestContext,
): Promise<{ proxy: TcpProxy; heard: string[]; dial: () => Promise<Socket> }> {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      heard.push(String(chunk))
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
  return { proxy, heard, dial }
}

async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

async function errorOf(socket: Socket): Promise<unknown> {
  const [error] = await once(socket, 'error')
  return error instanceof Error && 'code' in error ? error.code : error
}

describe('the TCP proxy', () => {
  it('passes bytes, and accepts new connections after a reset', async (t) => {
    const { proxy, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await ask(first, 'a'), 'a')
    const error = errorOf(first)
    proxy.resetConnections()
    assert.equal(await error, 'ECONNRESET')
    const second = await dial()
    assert.equal(await ask(second, 'b'), 'b')
  })

  it('holds bytes and new connections back while it is stalled, and passes them on when it is restored', async (t) => {
    const { proxy, heard, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await ask(first, 'a'), 'a')
    proxy.stall()
    const answers = Promise.all([ask(first, 'b'), dial().then((socket) => ask(socket, 'c'))])
    // An exchange through a proxy that is not stalled takes longer than one through this one would have.
    const other = await echoThroughProxy(t)
    assert.equal(await ask(await other.dial(), 'x'), 'x')
    assert.deepEqual(heard, ['a'])
    proxy.restore()
    assert.deepEqual(await answers, ['b', 'c'])
  })

  it('blackholes existing connections for good, and accepts new ones', async (t) => {
    const { proxy, heard, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await ask(first, 'a'), 'a')
    proxy.blackholeConnections()
    first.write('lost')
    assert.equal(await ask(await dial(), 'b'), 'b')
    proxy.restore()
    assert.equal(await ask(await dial(), 'c'), 'c')
    assert.deepEqual(heard, ['a', 'b', 'c'])
    assert.equal(first.destroyed, false)
  })

  it('resets old and new connections while it refuses', async (t) => {
    const { proxy, dial } = await echoThroughProxy(t)
    const first = await dial()
    assert.equal(await ask(first, 'a'), 'a')
    const error = errorOf(first)
    proxy.refuse()
    assert.equal(await error, 'ECONNRESET')
    const second = connect(proxy.port, '127.0.0.1')
    assert.equal(await errorOf(second), 'ECONNRESET')
    proxy.restore()
    assert.equal(await ask(await dial(), 'b'), 'b')
  })
})
