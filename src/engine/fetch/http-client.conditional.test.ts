import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { before, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Validators } from '../../ports/leases.ts'
import type { FetchResult } from './fetch-result.ts'
import { TRUSTED } from './testing/certificates.ts'
import { serveH2 } from './testing/h2-servers.ts'
import { openClient, serveHttp } from './testing/test-client.ts'

const DATE = 'Tue, 17 Nov 2026 10:00:00 GMT'

function fetchWith(client: ReturnType<typeof openClient>, url: string, validators: Validators): Promise<FetchResult> {
  return new Promise((resolve) => client.fetch(url, resolve, undefined, undefined, validators))
}

function conditionsOf(headers: IncomingHttpHeaders): string {
  return JSON.stringify([headers['if-none-match'] ?? null, headers['if-modified-since'] ?? null])
}

describe('a conditional request', () => {
  before(() => setDefaultCACertificates([...getCACertificates('default'), TRUSTED]))

  it('has the validators it is given', async (t) => {
    const site = await serveHttp(t, (request, response) => response.end(conditionsOf(request.headers)))
    const client = openClient(t)
    for (const [validators, sent] of [
      [{ etag: 'W/"é"', lastModified: DATE }, ['W/"é"', DATE]],
      [{ etag: null, lastModified: DATE }, [null, DATE]],
      [{ etag: '"1"\r\nX-Evil: 1', lastModified: null }, [null, null]],
      [{ etag: null, lastModified: null }, [null, null]],
    ] as const) {
      const result = await fetchWith(client, `${site.origin}/`, validators)
      assert.ok(result.kind === 'response')
      assert.deepEqual(JSON.parse(result.body.toString()), sent)
    }
  })

  it('gets a 304 without a body, also over HTTP/2', async (t) => {
    const site = await serveH2(t, (request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 200, { etag: '"1"' })
      response.end()
    })
    const result = await fetchWith(openClient(t), `${site.origin}/`, { etag: '"1"', lastModified: null })
    assert.ok(result.kind === 'response')
    assert.deepEqual([result.status, result.body.length, result.etag], [304, 0, '"1"'])
  })
})
