import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { type Level, logTo } from '../../lib/log.ts'
import { ManualClock } from '../../lib/manual-clock.ts'
import { createApp } from '../app.ts'
import { RequestFigures } from '../figures.ts'
import type { Problem } from './problem.ts'
import { SharedAnswers } from './shared.ts'

it('what goes wrong inside is told to the log and not to the caller', async () => {
  const lines: string[] = []
  const log = logTo((level: Level, event, fields) => lines.push(`${level} ${event} ${JSON.stringify(fields)}`))
  const clock = new ManualClock()
  const guard = { senderOf: () => ({ tokenId: null, address: '' }) }
  const app = createApp({ clock, log, guard, figures: new RequestFigures(), shared: new SharedAnswers(clock) })
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
