import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ANONYMOUS,
  firstHeader,
  forwardedHeaders,
  headerLines,
  joinHeaderValues,
  readLinkHeader,
  readLocation,
  readValidator,
  requestHeaders,
  withCookies,
  withExtraHeaders,
} from './headers.ts'
import { getResponse, openClient, serveRaw } from './testing/test-client.ts'

describe('response headers', () => {
  it('that are repeated are read separately, joined, or only the first', () => {
    const tags = ['X-Robots-Tag', 'noindex, nofollow', 'x-robots-tag', 'otherbot: none']
    const headers = [...tags, 'Content-Type', 'text/html', 'content-type', 'text/plain']
    assert.equal(joinHeaderValues(headers, 'x-robots-tag', '\n'), 'noindex, nofollow\notherbot: none')
    assert.equal(firstHeader(headers, 'content-type'), 'text/html')
    assert.equal(readLinkHeader(['Link', '</a>; rel=next', 'LINK', '</b>']), '</a>; rel=next, </b>')
  })

  it('that are missing are null, and empty ones are not', () => {
    const none = ['content-length', '0']
    const found = [
      joinHeaderValues(none, 'x', ','),
      firstHeader(none, 'x'),
      readLinkHeader(none),
      readLocation(none),
      readValidator(none, 'etag'),
    ]
    assert.deepEqual(found, [null, null, null, null, null])
    assert.deepEqual([joinHeaderValues(['X', '', 'x', ''], 'x', ','), firstHeader(['X', ''], 'x')], [',', ''])
  })

  it('keep raw bytes in URLs', () => {
    assert.equal(readLocation(['Location', '/caf\xc3\xa9']), '/caf%C3%A9')
    assert.equal(readLinkHeader(['Link', '</caf\xc3\xa9>']), '</caf%C3%A9>')
  })

  it('are truncated if they are lists, and dropped if half would be wrong', () => {
    assert.equal(readLinkHeader(['link', 'x'.repeat(10_000)])?.length, 8192)
    assert.equal(readValidator(['etag', `"${'x'.repeat(1022)}"`], 'etag')?.length, 1024)
    assert.equal(readValidator(['etag', `"${'x'.repeat(1023)}"`], 'etag'), null)
  })

  it('reach the result as sent', async (t) => {
    const lines = ['X-Robots-Tag: noindex', 'x-robots-tag: otherbot: none', 'Link: </a>', 'LINK: </b>', 'ETag: "1"']
    const head = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${lines.join('\r\n')}\r\n\r\n`
    const site = await serveRaw(t, (socket) => socket.end(head))
    const { robotsTag, linkHeader, etag } = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual([robotsTag, linkHeader, etag], ['noindex\notherbot: none', '</a>, </b>', '"1"'])
  })
})

describe('request headers', () => {
  it('are the default ones, then the custom ones', () => {
    const sent = requestHeaders('Bot/1', [
      { name: 'Accept-Language', value: ' de' },
      { name: 'X-Team', value: ' a: b' },
    ])
    assert.deepEqual(sent[0], ['user-agent', 'Bot/1'])
    assert.deepEqual(sent.slice(-2), [
      ['accept-language', 'de'],
      ['x-team', 'a: b'],
    ])
    assert.equal(sent.filter(([name]) => name === 'accept-language').length, 1)
  })

  it('exclude those about the connection or a body', () => {
    const names = ['Connection', 'Transfer-Encoding', 'CONTENT-LENGTH', 'Expect']
    const customHeaders = names.map((name) => ({ name, value: '5' }))
    assert.deepEqual(requestHeaders('Bot/1', customHeaders), requestHeaders('Bot/1', []))
  })

  it('are one per line, with host first unless a custom one replaces it', () => {
    assert.equal(headerLines([['x-a', '1']], 'a.test:8080'), 'host: a.test:8080\r\nx-a: 1\r\n')
    assert.equal(headerLines([['host', 'b.test']], 'a.test'), 'host: b.test\r\n')
  })

  it('of a page are passed on if they say what it accepts, its type or its origin, and nothing else', () => {
    const given: [string, string][] = [
      ['Accept', 'application/json'],
      ['Origin', 'https://a.test'],
      ['content-type', 'text/plain'],
      ['Cookie', 'a=b'],
      ['Authorization', 'Basic x'],
      ['X-Token', 'x'],
      ['Host', 'b.test'],
    ]
    assert.deepEqual(forwardedHeaders(given), [
      ['accept', 'application/json'],
      ['origin', 'https://a.test'],
      ['content-type', 'text/plain'],
    ])
    assert.deepEqual(
      forwardedHeaders([
        ['accept', 'a\r\nx: y'],
        ['origin', 'é€'],
        ['accept', 'a'.repeat(2000)],
      ]),
      [],
    )
  })

  it('of one request replace the defaults, but not what the user has set', () => {
    const extra: [string, string][] = [
      ['accept', 'application/json'],
      ['origin', 'https://a.test'],
    ]
    const plain = withExtraHeaders(requestHeaders('Bot/1', []), extra)
    assert.deepEqual(
      plain.filter(([name]) => name === 'accept' || name === 'origin'),
      extra,
    )
    const custom = requestHeaders('Bot/1', [
      { name: 'Accept', value: 'text/csv' },
      { name: 'Origin', value: 'https://c.test' },
    ])
    assert.deepEqual(withExtraHeaders(custom, extra), custom)
  })

  it('leave out all headers of the user if the request is anonymous', () => {
    const custom = requestHeaders('Bot/1', [
      { name: 'X-Key', value: 'secret' },
      { name: 'Authorization', value: 'secret' },
      { name: 'Cookie', value: 'a=secret' },
      { name: 'Accept-Language', value: 'de' },
    ])
    const sent = withExtraHeaders(withCookies(custom, null), withCookies([ANONYMOUS], 'b=secret'))
    assert.deepEqual(
      sent.map(([name]) => name),
      ['user-agent', 'accept', 'accept-encoding', 'accept-language'],
    )
  })
})
