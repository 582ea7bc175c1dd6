import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { it, type TestContext } from 'node:test'
import { makeSocketPort } from './socket-port.ts'

async function connect(t: TestContext): Promise<[Socket, Socket]> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const near = createConnection(address.port, '127.0.0.1')
  const [far] = (await once(server, 'connection')) as [Socket]
  t.after(() => {
    near.destroy()
    far.destroy()
    server.close()
  })
  return [near, far]
}

it('messages arrive whole and in order, however the bytes are split', async (t) => {
  const [near, far] = await connect(t)
  const sent = [{ a: undefined, b: new Map([[1, 'x']]) }, null, new Uint8Array(300_000).fill(7), 'end']
  const parts: Buffer[] = []
  near.on('data', (chunk) => parts.push(chunk))
  const sender = makeSocketPort(far)
  for (const message of sent) sender.postMessage(message)
  sender.close()
  await once(near, 'end')
  const bytes = Buffer.concat(parts)
  for (const size of [1, 3, 1000, bytes.length]) {
    const [writer, reader] = await connect(t)
    const received: unknown[] = []
    const port = makeSocketPort(reader)
    port.on('message', (message) => received.push(message))
    const closed = once(reader, 'close')
    // Single bytes only at the start and the end; the middle of the array is one write.
    for (let at = 0; at < bytes.length; at += size) {
      if (size < 1000 && at > 200 && at < bytes.length - 200) {
        writer.write(bytes.subarray(at, bytes.length - 200))
        at = bytes.length - 200
      }
      writer.write(bytes.subarray(at, at + size))
    }
    writer.end()
    await closed
    assert.deepEqual(received, sent, `in parts of ${size}`)
  }
})

it('a frame of absurd length closes the connection', async (t) => {
  const [near, far] = await connect(t)
  makeSocketPort(near).on('message', () => assert.fail('not a message'))
  const closed = once(near, 'close')
  far.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
  await closed
})
