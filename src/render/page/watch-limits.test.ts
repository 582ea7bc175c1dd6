import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { DEFAULT_RENDER_LIMITS, type RenderSettings } from '../../ports/renderer.ts'
import { BrowserPage } from '../browser/browser-page.ts'
import { CdpConnection } from '../cdp/connection.ts'
import { PageRun } from './page-run.ts'
import { watchLimits } from './watch-limits.ts'

function harness(waitFor: RenderSettings['waitFor']) {
  const connection = new CdpConnection(new PassThrough(), new PassThrough(), 1)
  const page = new BrowserPage({ key: '', connection, session: connection.session('1'), targetId: '', contextId: '' })
  const settings: RenderSettings = {
    waitFor,
    scroll: false,
    screenshot: false,
    keepImages: false,
    userAgent: null,
    limits: DEFAULT_RENDER_LIMITS,
  }
  const response = { status: 200, headers: [], body: new Uint8Array() }
  const source = { fetch: () => assert.fail('nothing is requested') }
  const run = new PageRun({ url: 'http://a.test/', response, settings }, source, page)
  const clock = new ManualClock()
  watchLimits(run, clock)
  return { run, clock }
}

describe('the time of a page', () => {
  for (const [waitFor, limitMs] of [
    [null, 15_000],
    [{ selector: 'p' }, 15_000],
    [{ ms: 30_000 }, 45_000],
    [{ ms: 120_000 }, 90_000],
  ] as const) {
    it(`is ${limitMs} ms with the wait ${JSON.stringify(waitFor)}`, async () => {
      const { run, clock } = harness(waitFor)
      clock.advance(limitMs - 1000)
      assert.equal(run.isEnded, false)
      clock.advance(2000)
      assert.equal(run.isEnded, true)
      assert.equal((await run.ended).outcome, 'render_timeout')
    })
  }

  it('does not pass while a request waits, until the total is reached', () => {
    const { run, clock } = harness(null)
    run.openRequests = 1
    clock.advance(89_000)
    assert.equal(run.isEnded, false)
    clock.advance(2000)
    assert.equal(run.isEnded, true)
  })
})
