import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../lib/errors.ts'
import { serveHealth } from './health.ts'

const rawRecord = () => Promise.reject(new AppError('ARCHIVE_BROKEN', 'There is no archive.'))

describe('health', () => {
  it('tells alive, ready and figures, and why it is not ready', async () => {
    let reason: string | null = null
    const values = [{ value: 3 }]
    const server = await serveHealth(
      { host: '127.0.0.1', port: 0 },
      {
        notReady: () => reason,
        rawRecord,
        metrics: async () => [{ name: 'orbweaver_requests_total', help: 'Requests.', type: 'counter', values }],
      },
    )
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`)
      return [answer.status, await answer.text()]
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

  it('a port that is taken is told with what to do', async () => {
    const source = { notReady: () => null, metrics: async () => [], rawRecord }
    const first = await serveHealth({ host: '127.0.0.1', port: 0 }, source)
    try {
      const second = serveHealth({ host: '127.0.0.1', port: first.port }, source)
      await assert.rejects(second, { code: 'PORT_TAKEN', message: /--health-port/ })
    } finally {
      await first.close()
    }
  })
})
