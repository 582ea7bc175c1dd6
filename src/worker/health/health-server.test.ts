import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { hostname } from 'node:os'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import type { HealthAccess } from './health-access.ts'
import { serveHealth } from './health-server.ts'

const rawRecord = () => Promise.reject(new AppError('ARCHIVE_BROKEN', 'There is no archive.'))

const HERE = { host: '127.0.0.1', mayUseOtherPort: false, secret: null, hosts: [] }

describe('the health port', () => {
  it('serves liveness, readiness with the reason, and metrics', async () => {
    let reason: string | null = null
    const values = [{ value: 3 }]
    const server = await serveHealth(
      { ...HERE, port: 0 },
      {
        notReadyReason: async () => reason,
        rawRecord,
        metrics: async () => [{ name: 'orbweaver_requests_total', help: 'Requests.', type: 'counter', values }],
      },
    )
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
      return [response.status, await response.text()]
    }
    try {
      assert.deepEqual(await get('/healthz'), [200, 'ok\n'])
      assert.deepEqual(await get('/readyz'), [200, 'ready\n'])
      reason = 'draining'
      assert.deepEqual(await get('/readyz?x'), [503, 'draining\n'])
      assert.match(String((await get('/metrics'))[1]), /^orbweaver_requests_total 3$/m)
      assert.equal((await get('/'))[0], 404)
    } finally {
      await server.close()
    }
  })

  describe('metrics and records', () => {
    const get = async (access: Partial<HealthAccess>, path: string, headers: Record<string, string>) => {
      const metrics = async () => []
      const source = { notReadyReason: async () => null, metrics, rawRecord: async () => Buffer.from('x') }
      const server = await serveHealth({ ...HERE, port: 0, ...access }, source)
      try {
        const sent = request({ host: '127.0.0.1', port: server.port, path, headers })
        sent.end()
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        response.resume()
        return response
      } finally {
        await server.close()
      }
    }
    const RECORD = '/records/20260102T030405-w1-00000.warc.gz?offset=0&length=1'
    const CLOSED = ['/metrics', RECORD]
    const OPEN = ['/healthz', '/readyz']

    it('require the secret, if there is one', async () => {
      for (const path of CLOSED) {
        for (const authorization of [null, 'Bearer', 'Bearer wrong', 'Basic s3cret', 's3cret']) {
          const response = await get({ secret: 's3cret' }, path, authorization === null ? {} : { authorization })
          assert.equal(response.statusCode, 401, `${path} ${authorization}`)
          assert.match(response.headers['www-authenticate'] ?? '', /^Bearer/)
        }
        const response = await get({ secret: 's3cret' }, path, { authorization: 'Bearer s3cret', host: 'w1.example' })
        assert.equal(response.statusCode, 200)
      }
      for (const path of OPEN) assert.equal((await get({ secret: 's3cret' }, path, {})).statusCode, 200)
    })

    it('are served under host names of the process only', async () => {
      for (const path of CLOSED) {
        for (const host of ['127.0.0.1:1', '10.1.2.3:8081', '[::1]:8081', 'localhost', 'W1.example:8081', hostname()]) {
          assert.equal((await get({ hosts: ['w1.example'] }, path, { host })).statusCode, 200, host)
        }
        for (const host of [
          'evil.test',
          'evil.test:8081',
          'localhost.evil.test',
          '127.0.0.1.evil.test',
          'w1.example.evil',
        ]) {
          assert.equal((await get({ hosts: ['w1.example'] }, path, { host })).statusCode, 421, host)
        }
      }
      for (const path of OPEN) assert.equal((await get({}, path, { host: 'evil.test' })).statusCode, 200)
    })
  })

  it('a port that is in use is an error that says what to do, unless another will do', async () => {
    const source = { notReadyReason: async () => null, metrics: async () => [], rawRecord }
    const first = await serveHealth({ ...HERE, port: 0 }, source)
    try {
      const second = serveHealth({ ...HERE, port: first.port }, source)
      await assert.rejects(second, { code: 'PORT_TAKEN', message: /--health-port/ })
      const third = await serveHealth({ ...HERE, port: first.port, mayUseOtherPort: true }, source)
      await third.close()
      assert.notEqual(third.port, first.port)
    } finally {
      await first.close()
    }
  })
})
