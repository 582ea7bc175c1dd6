import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getFailure, getResponse, openClient, serveHttp, serveRaw } from './testing/test-client.ts'

describe('a response', () => {
  it('is complete, with its status and the headers a crawl needs', async (t) => {
    const site = await serveHttp(t, (request, response) => {
      response.writeHead(503, {
        'Content-Type': 'text/html; charset=utf-8',
        'Retry-After': '120',
        Location: '/x',
        ETag: 'W/"7"',
        'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        'X-Robots-Tag': 'noindex',
        Link: '</style.css>; rel=preload',
      })
      response.end(`${request.method} ${request.url} ${request.headers.host}`)
    })
    const response = await getResponse(openClient(t), `${site.origin}/a/b?c=%20d`)
    const body = `GET /a/b?c=%20d 127.0.0.1:${site.port}`
    assert.ok(response.ttfbMs >= 0 && response.fetchMs >= response.ttfbMs)
    assert.deepEqual(
      {
        ...response,
        body: response.body.toString(),
        wire: response.wire.toString(),
        rawHeaders: [],
        ttfbMs: 0,
        fetchMs: 0,
      },
      {
        kind: 'response',
        status: 503,
        contentType: 'text/html; charset=utf-8',
        location: '/x',
        retryAfter: '120',
        robotsTag: 'noindex',
        linkHeader: '</style.css>; rel=preload',
        etag: 'W/"7"',
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
        body,
        wire: body,
        statusText: 'Service Unavailable',
        rawHeaders: [],
        sent: null,
        wireBytes: body.length,
        truncated: false,
        ttfbMs: 0,
        fetchMs: 0,
        ip: '127.0.0.1',
        cname: null,
      },
    )
  })

  it('has its headers as written, in order', async (t) => {
    const head = 'HTTP/1.1 299 So so\r\nB-Two: x \r\nA-one: 1\r\nb-two: y\r\nContent-Length: 0'
    const site = await serveRaw(t, (socket) => socket.end(`${head}\r\n\r\n`))
    const { statusText, rawHeaders } = await getResponse(openClient(t), `${site.origin}/`)
    assert.equal(statusText, 'So so')
    assert.deepEqual(
      rawHeaders.map((part) => part.toString().trim()),
      ['B-Two', 'x', 'A-one', '1', 'b-two', 'y', 'Content-Length', '0'],
    )
  })

  it('without those headers has nulls', async (t) => {
    const site = await serveRaw(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const response = await getResponse(openClient(t), `${site.origin}/`)
    const { contentType, location, retryAfter, robotsTag, linkHeader, etag, lastModified } = response
    assert.deepEqual([contentType, location, retryAfter], ['', null, null])
    assert.deepEqual([robotsTag, linkHeader, etag, lastModified], [null, null, null, null])
    assert.equal(response.body.length, 0)
  })

  it('of any form is read to its end', async (t) => {
    const shapes = {
      chunked:
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n2;x=y\r\n11\r\n0\r\nTrailer: t\r\n\r\n',
      counted: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\none11',
      'counted, with more behind it': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\none11more',
      'ended by the connection': 'HTTP/1.1 200 OK\r\n\r\none11',
      'of HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\none11',
      'chunked, with a length besides':
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\none11\r\n0\r\n\r\n',
      'with the same length twice': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\none11',
      'with bare line feeds': 'HTTP/1.1 200 OK\nContent-Length: 5\n\none11',
      'without a reason': 'HTTP/1.1 200\r\nContent-Length: 5\r\n\r\none11',
      'with a folded header': 'HTTP/1.1 200 OK\r\nX-A: 1,\r\n\t2\r\nContent-Length: 5\r\n\r\none11',
    }
    for (const [shape, text] of Object.entries(shapes)) {
      const site = await serveRaw(t, (socket) => socket.end(text))
      const response = await getResponse(openClient(t), `${site.origin}/`)
      assert.deepEqual([response.body.toString(), response.truncated], ['one11', false], shape)
    }
  })

  it('that may not have a body has none', async (t) => {
    for (const status of ['204 No Content', '304 Not Modified']) {
      const site = await serveRaw(t, (socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\n`))
      const response = await getResponse(openClient(t), `${site.origin}/`)
      assert.deepEqual([response.status, response.body.length], [Number.parseInt(status, 10), 0])
    }
  })

  it('keeps the raw bytes of a location', async (t) => {
    const head = 'HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: '
    const site = await serveRaw(t, (socket) => socket.end(`${head}/café?ü=%20\r\n\r\n`))
    const { location } = await getResponse(openClient(t), `${site.origin}/`)
    assert.equal(location, '/caf%C3%A9?%C3%BC=%20')
  })

  it('may follow early hints', async (t) => {
    const site = await serveHttp(t, (_request, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</style.css>; rel=preload', 'content-type': 'text/early' }, () => {
        response.writeHead(200, { 'Content-Type': 'text/late' }).end('page')
      })
    })
    const response = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual([response.status, response.contentType, response.body.toString()], [200, 'text/late', 'page'])
  })

  it('may follow an unsolicited 100 Continue', async (t) => {
    const site = await serveRaw(t, (socket) =>
      socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'),
    )
    assert.equal((await getResponse(openClient(t), `${site.origin}/`)).body.toString(), 'page')
  })
})

describe('a body', () => {
  it('beyond the limit is truncated to exactly the limit', async (t) => {
    const site = await serveHttp(t, (request, response) => {
      const bytes = Number(request.url?.slice(1))
      for (let sent = 0; sent < bytes; sent += 999) response.write('x'.repeat(Math.min(999, bytes - sent)))
      response.end()
    })
    const client = openClient(t, { maxBodyBytes: 10_000 })
    for (const [bytes, truncated] of [
      [9999, false],
      [10_000, false],
      [10_001, true],
      [200_000, true],
    ] as const) {
      const response = await getResponse(client, `${site.origin}/${bytes}`)
      assert.deepEqual([response.body.length, response.truncated], [Math.min(bytes, 10_000), truncated], String(bytes))
      assert.ok(response.wireBytes >= response.body.length)
    }
  })

  it('without end costs no more than the limit', async (t) => {
    let sentBytes = 0
    const site = await serveHttp(t, (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const send = () => {
        sentBytes += chunk.length
        response.write(chunk, (error) => (error ? undefined : send()))
      }
      send()
    })
    const response = await getResponse(openClient(t, { maxBodyBytes: 100_000 }), `${site.origin}/`)
    assert.deepEqual([response.body.length, response.truncated], [100_000, true])
    assert.ok(sentBytes < 50_000_000)
  })
})

describe('a request', () => {
  it('has the configured user agent and headers', async (t) => {
    const site = await serveHttp(t, (request, response) => response.end(JSON.stringify(request.rawHeaders)))
    const headers = ['X-Team: crawl: 1', 'Cookie:a=b', 'X-Team:  two ', 'X-Empty:']
    const client = openClient(t, {
      userAgent: 'Näme/2.0 (+https://example.com/bot)',
      headers,
      startUrls: [site.origin],
    })
    const raw: string[] = JSON.parse((await getResponse(client, `${site.origin}/`)).body.toString())
    const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name.toLowerCase()}: ${raw[i + 1]}`] : []))
    for (const pair of ['user-agent: Näme/2.0 (+https://example.com/bot)', 'cookie: a=b', 'x-empty: ']) {
      assert.ok(pairs.includes(pair), `${pair} in ${pairs.join(' | ')}`)
    }
    assert.deepEqual(
      pairs.filter((pair) => pair.startsWith('x-team')),
      ['x-team: crawl: 1', 'x-team: two'],
    )
    assert.equal(pairs.filter((pair) => pair.startsWith('accept-encoding: gzip, br')).length, 1)
  })

  it('is not sent for an invalid URL', async (t) => {
    const site = await serveHttp(t, (_request, response) => response.end())
    const client = openClient(t)
    for (const path of ['/a b', '/a\r\nX: y', '/\u00e9']) {
      assert.equal((await getFailure(client, site.origin + path)).detail, 'URL_INVALID')
    }
    assert.equal(site.connections(), 0)
  })

  it('sends a custom header instead of its own', async (t) => {
    const site = await serveHttp(t, (request, response) => response.end(JSON.stringify(request.headersDistinct)))
    const client = openClient(t, { headers: ['User-Agent: Other', 'ACCEPT-LANGUAGE: de'], startUrls: [site.origin] })
    const sent = JSON.parse((await getResponse(client, `${site.origin}/`)).body.toString())
    assert.deepEqual([sent['user-agent'], sent['accept-language']], [['Other'], ['de']])
  })
})
