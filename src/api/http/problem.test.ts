import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { createLog, type LogLevel } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { RequestMetrics } from '../system/request-metrics.ts'
import { createApp } from './app.ts'
import type { Problem } from './problem.ts'
import { ResponseCache } from './response-cache.ts'

it('internal errors go to the log, not to the client', async () => {
  const lines: string[] = []
  const log = createLog((level: LogLevel, event, logFields) =>
    lines.push(`${level} ${event} ${JSON.stringify(logFields)}`),
  )
  const clock = new ManualClock()
  const guard = { clientIdentityOf: () => ({ tokenId: null, address: '' }) }
  const app = createApp({
    clock,
    log,
    guard,
    requestMetrics: new RequestMetrics(),
    responseCache: new ResponseCache(clock),
  })
  for (const code of ['INTERNAL', 'STORE_FAILED', 'CRAWL_NOT_FOUND'] satisfies ErrorCode[]) {
    app.get(`/${code}`, () => {
      throw new AppError(code, 'It is in /home/me.')
    })
  }
  const detailOf = async (path: string) => ((await (await app.request(path, {}, {})).json()) as Problem).detail
  for (const code of ['INTERNAL', 'STORE_FAILED']) {
    assert.doesNotMatch(await detailOf(`/${code}`), /home/)
    assert.ok(
      lines.some((line) => line.startsWith('error request failed') && line.includes(`${code}","message":"It is`)),
    )
  }
  assert.equal(await detailOf('/CRAWL_NOT_FOUND'), 'It is in /home/me.')
})
