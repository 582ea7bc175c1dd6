import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { ACCEPT_ENCODING } from './decode-body.ts'
import { getResponse, openClient, openSite, type Site } from './testing/test-client.ts'

/** A server that records every byte it receives, and responds on the same connection. */
async function serveRecording(t: TestContext): Promise<Site & { received: string[] }> {
  const received: string[] = []
  const server = createServer((socket: Socket) => {
    let waiting = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      waiting += chunk
      for (let end = waiting.indexOf('\r\n\r\n'); end !== -1; end = waiting.indexOf('\r\n\r\n')) {
        received.push(waiting.slice(0, end + 4))
        waiting = waiting.slice(end + 4)
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      }
    })
  })
  return { ...(await openSite(t, server)), received }
}

const HEADERS = ['X-Key: top secret', 'Authorization: Bearer abc', 'accept-language: de', 'Cookie: a=b; c=d']

describe('the head of a request', () => {
  it('is what the server receives, byte for byte, on new and reused connections', async (t) => {
    const site = await serveRecording(t)
    const client = openClient(t, {
      sentHeads: 'full',
      headers: [...HEADERS, 'X-Latin: \xe9'],
      startUrls: [site.origin],
    })
    const sent: (string | null)[] = []
    for (const path of ['/', '/a?b=c:%20d', '/x']) sent.push((await getResponse(client, site.origin + path)).sent)
    assert.equal(site.connections(), 1)
    assert.deepEqual(
      sent.map((head) => `${head}\r\n\r\n`),
      site.received,
    )
    assert.deepEqual(sent[1]?.split('\r\n'), [
      'GET /a?b=c:%20d HTTP/1.1',
      `host: 127.0.0.1:${site.port}`,
      'connection: keep-alive',
      'user-agent: Tester/1.0',
      'accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      `accept-encoding: ${ACCEPT_ENCODING}`,
      'x-key: top secret',
      'authorization: Bearer abc',
      'accept-language: de',
      'cookie: a=b; c=d',
      'x-latin: \xe9',
    ])
  })

  it('masks custom values, unless they are requested', async (t) => {
    const site = await serveRecording(t)
    const headers = [...HEADERS, `${site.origin} X-Own: other secret`]
    const client = openClient(t, { sentHeads: 'masked', headers, startUrls: [site.origin] })
    const { sent } = await getResponse(client, `${site.origin}/p`)
    assert.deepEqual(sent?.split('\r\n').slice(6), [
      'x-key: ***',
      'authorization: ***',
      'accept-language: ***',
      'cookie: ***',
      'x-own: ***',
    ])
    assert.equal(sent?.replaceAll('***', '').includes('*/*'), true)
    assert.doesNotMatch(sent ?? '', /secret|abc|a=b/)
  })

  it('belongs to its own response, however many are in flight', async (t) => {
    const site = await serveRecording(t)
    const other = await serveRecording(t)
    const clients = [1, 2].map(() => openClient(t, { sentHeads: 'masked', connectionsPerOrigin: 3 }))
    const paths = Array.from({ length: 40 }, (_, i) => `/${i}`)
    const responses = await Promise.all(
      paths.map((path, i) => {
        const origin = i % 3 === 0 ? other.origin : site.origin
        const client = clients[i % 2]
        assert.ok(client !== undefined)
        return getResponse(client, origin + path)
      }),
    )
    assert.deepEqual(
      responses.map(({ sent }) => sent?.split(' ')[1]),
      paths,
    )
  })

  it('is not reported if it is not requested', async (t) => {
    const site = await serveRecording(t)
    const wanting = openClient(t, { sentHeads: 'masked' })
    const plain = openClient(t)
    const [first, second] = await Promise.all([
      getResponse(wanting, `${site.origin}/1`),
      getResponse(plain, `${site.origin}/2`),
    ])
    assert.deepEqual([first.sent?.split(' ')[1], second.sent], ['/1', null])
  })
})
