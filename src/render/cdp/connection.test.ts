import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { CdpConnection } from './connection.ts'

const MAX_BYTES = 1000

function open() {
  const [fromBrowser, toBrowser] = [new PassThrough(), new PassThrough()]
  const sent: string[] = []
  toBrowser.on('data', (chunk: Buffer) => sent.push(chunk.toString()))
  const receive = (message: object | string) =>
    fromBrowser.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\0`)
  return { connection: new CdpConnection(fromBrowser, toBrowser, MAX_BYTES), fromBrowser, sent, receive }
}

describe('a connection to a browser', () => {
  it('sends commands with the id of their session, and resolves them by the id of the reply', async () => {
    const { connection, sent, receive } = open()
    const first = connection.browser.send('Browser.getVersion')
    const second = connection.session('S1').send('Page.navigate', { url: 'https://a.test/' })
    receive({ id: 2, result: { frameId: 'F' }, sessionId: 'S1' })
    receive({ id: 1, result: { product: 'Chrome/1', userAgent: 'x' } })
    assert.deepEqual([(await first).product, (await second).frameId], ['Chrome/1', 'F'])
    assert.deepEqual(
      sent
        .join('')
        .split('\0')
        .slice(0, 2)
        .map((text) => JSON.parse(text)),
      [
        { id: 1, method: 'Browser.getVersion', params: {} },
        { id: 2, method: 'Page.navigate', params: { url: 'https://a.test/' }, sessionId: 'S1' },
      ],
    )
  })

  it('puts messages together from any chunks', async () => {
    const { connection, fromBrowser } = open()
    const version = connection.browser.send('Browser.getVersion')
    const bytes = Buffer.from('{"id":1,"result":{"product":"Ünïcode","userAgent":""}}\0')
    for (const byte of bytes) fromBrowser.write(Buffer.from([byte]))
    assert.equal((await version).product, 'Ünïcode')
  })

  it('gives events to the listener of their session only', async () => {
    const { connection, receive } = open()
    const events: string[] = []
    connection.session('S1').on('Page.windowOpen', ({ url }) => events.push(`S1 ${url}`))
    connection.session('S2').on('Page.windowOpen', ({ url }) => events.push(`S2 ${url}`))
    receive({ method: 'Page.windowOpen', params: { url: 'a' }, sessionId: 'S2' })
    receive({ method: 'Page.windowOpen', params: { url: 'b' }, sessionId: 'unknown' })
    const reply = connection.browser.send('Browser.getVersion')
    receive({ id: 1, result: {} })
    await reply
    assert.deepEqual(events, ['S2 a'])
  })

  it('rejects a command that the browser refuses', async () => {
    const { connection, receive } = open()
    const refused = connection.browser.send('Browser.getVersion')
    receive({ id: 1, error: { message: 'no' } })
    await assert.rejects(refused, { name: 'CdpError', kind: 'refused', message: 'no' })
  })

  it('rejects a command whose reply is too large, and reads on', async () => {
    const { connection, receive } = open()
    const large = connection.browser.send('Browser.getVersion')
    const next = connection.browser.send('Browser.getVersion')
    receive({ id: 1, result: { product: 'x'.repeat(5000) } })
    receive({ id: 2, result: { product: 'y' } })
    await assert.rejects(large, { kind: 'too_large' })
    assert.equal((await next).product, 'y')
  })

  it('rejects all commands when it ends, also later ones', async () => {
    const { connection, fromBrowser } = open()
    const open1 = assert.rejects(connection.browser.send('Browser.getVersion'), { kind: 'closed' })
    fromBrowser.destroy()
    await open1
    await assert.rejects(connection.browser.send('Browser.getVersion'), { kind: 'closed' })
  })

  it('rejects the commands of a session that ends, and no others', async () => {
    const { connection, receive } = open()
    const ended = connection.session('S1').send('Page.enable')
    const other = connection.session('S2').send('Page.enable')
    connection.endSession('S1')
    await assert.rejects(ended, { kind: 'closed' })
    receive({ id: 2, result: {}, sessionId: 'S2' })
    assert.deepEqual(await other, {})
  })
})
