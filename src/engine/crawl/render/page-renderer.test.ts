import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../../lib/errors.ts'
import { createLog, type LogFields } from '../../../lib/log.ts'
import type { RenderedPage, Renderer, RenderRequest, Subrequest } from '../../../ports/renderer.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { UrlPatterns } from '../../url/url-patterns.ts'
import { CrawlLog } from '../report/crawl-log.ts'
import { PageRenderer, type PageRendererSettings } from './page-renderer.ts'

const SETTINGS: PageRendererSettings = {
  render: 'all',
  include: UrlPatterns.compile([], 'render_include'),
  renderWait: null,
  renderScroll: false,
  screenshots: false,
}
const PAGE = { url: 'http://a.test/1', host: 'a.test', result: EMPTY_RESPONSE }
const EMPTY = { url: PAGE.url, completeness: 'empty' as const, hasScripts: () => false, mayGain: () => false }
const SOURCE = { fetch: () => assert.fail('nothing is requested') }

function harness(outcomes: RenderedPage['outcome'][], settings: Partial<PageRendererSettings> = {}) {
  const requests: RenderRequest[] = []
  /** Number of requests before each call. */
  const forgotten: number[] = []
  const warnings: LogFields[] = []
  const renderer: Renderer = {
    async render(request) {
      requests.push(request)
      const outcome = outcomes.shift() ?? 'rendered'
      const nothing = { html: null, routes: [], navigations: [], screenshot: null, subrequests: [], cpuMs: 0 }
      return { outcome, finalUrl: request.url, evidence: 'rule', ...nothing }
    },
    forgetResponses: () => {
      forgotten.push(requests.length)
    },
    close: async () => undefined,
  }
  const log = createLog((level, _event, fields) => {
    if (level === 'warn') warnings.push(fields)
  })
  const crawlLog = new CrawlLog(log, { crawl: 'c', worker: 'w' })
  const pageRenderer = new PageRenderer({ ...SETTINGS, ...settings }, { renderer, crawlLog })
  return { pageRenderer, requests, warnings, renderer, forgotten }
}

it('a host whose scripts keep being blocked is logged once, and still rendered', async () => {
  const { pageRenderer, warnings } = harness(Array.from({ length: 7 }, () => 'script_blocked'))
  for (let i = 0; i < 7; i++) {
    assert.equal(pageRenderer.choose(EMPTY), 'render')
    await pageRenderer.render(PAGE, SOURCE)
  }
  assert.deepEqual(
    warnings.map(({ host, rule }) => [host, rule]),
    [['a.test', 'rule']],
  )
})

it('a page that is rendered in between lets its host start over', async () => {
  const blocked = Array.from({ length: 4 }, () => 'script_blocked' as const)
  const { pageRenderer, warnings } = harness([...blocked, 'rendered', ...blocked])
  for (let i = 0; i < 9; i++) await pageRenderer.render(PAGE, SOURCE)
  assert.deepEqual(warnings, [])
})

it('only pages that match --render-include are rendered', () => {
  const { pageRenderer } = harness([], { include: UrlPatterns.compile(['/app/'], 'render_include') })
  assert.equal(pageRenderer.choose({ ...EMPTY, url: 'http://a.test/app/1' }), 'render')
  assert.equal(pageRenderer.choose(EMPTY), null)
})

it('after reports were rejected, what their pages had requested is requested again', async () => {
  const { pageRenderer, forgotten } = harness([])
  await pageRenderer.render(PAGE, SOURCE)
  pageRenderer.reset()
  assert.deepEqual(forgotten, [1])
})

it('--render-wait is a selector or a time', async () => {
  for (const [renderWait, waitFor] of [
    ['250', { ms: 250 }],
    ['#list > li', { selector: '#list > li' }],
    [null, null],
  ] as const) {
    const { pageRenderer, requests } = harness([], { renderWait })
    await pageRenderer.render(PAGE, SOURCE)
    assert.deepEqual(requests[0]?.settings.waitFor, waitFor)
  }
})

it('a browser that does not start counts as one that died; a closed renderer is an error', async () => {
  const { pageRenderer, renderer } = harness([])
  renderer.render = () => Promise.reject(new AppError('BROWSER_FAILED', 'No.'))
  assert.deepEqual((await pageRenderer.render(PAGE, SOURCE)).outcome, 'render_crashed')
  renderer.render = () => Promise.reject(new AppError('INTERRUPTED', 'No.'))
  await assert.rejects(pageRenderer.render(PAGE, SOURCE), { code: 'INTERRUPTED' })
})

it('auto renders pages that look empty, and all renders the others too', () => {
  for (const [render, choice] of [
    ['auto', 'plain'],
    ['all', 'render'],
  ] as const) {
    const { pageRenderer } = harness([], { render })
    assert.equal(pageRenderer.choose({ ...EMPTY, completeness: 'complete' }), choice)
    assert.equal(pageRenderer.choose(EMPTY), 'render')
  }
})

describe('a page', () => {
  const ANSWERED = {
    method: 'GET',
    type: 'Script',
    status: 200,
    bytes: 1,
    isHtml: false,
    isFromCache: false,
    blockedReason: null,
  } as const

  async function renderWith(pageRenderer: PageRenderer, renderer: Renderer, subrequest: Partial<Subrequest>) {
    const { render } = renderer
    const subrequests = [{ ...ANSWERED, url: 'http://a.test/app.js', ...subrequest }]
    renderer.render = async (...request) => ({ ...(await render(...request)), evidence: null, html: '', subrequests })
    const page = await pageRenderer.render(PAGE, SOURCE)
    renderer.render = render
    return page
  }

  it('is incomplete if its scripts or data failed in a way that may pass', async () => {
    const { pageRenderer, renderer } = harness([])
    for (const [subrequest, evidence] of [
      [{}, null],
      [{ status: 404 }, null],
      [{ status: null, blockedReason: 'robots' }, null],
      [{ status: null, blockedReason: 'filter_list' }, null],
      [{ status: null, blockedReason: 'address_blocked' }, null],
      [{ status: 500, type: 'Stylesheet' }, null],
      [{ status: null, blockedReason: 'interrupted', method: 'POST' }, null],
      [{ status: 503 }, '503'],
      [{ status: 429, type: 'XHR' }, '429'],
      [{ status: null, blockedReason: 'connection_lost', type: 'Fetch' }, 'connection_lost'],
      [{ status: null, blockedReason: 'interrupted' }, 'interrupted'],
    ] as const) {
      const page = await renderWith(pageRenderer, renderer, subrequest)
      assert.equal(page.outcome, evidence === null ? 'rendered' : 'render_incomplete', JSON.stringify(subrequest))
      assert.equal(page.evidence, evidence === null ? null : `http://a.test/app.js: ${evidence}`)
      assert.equal(pageRenderer.mustRetry(PAGE.host, page, false), evidence !== null)
      assert.ok(!pageRenderer.mustRetry(PAGE.host, page, true))
    }
  })

  it('is not retried for another host that failed until the last attempt, until that responds', async () => {
    const { pageRenderer, renderer } = harness([])
    const other = { url: 'http://b.test/count.js' }
    const page = await renderWith(pageRenderer, renderer, { ...other, status: 503 })
    assert.ok(pageRenderer.mustRetry(PAGE.host, page, false))
    assert.ok(!pageRenderer.mustRetry(PAGE.host, page, true))
    assert.ok(!pageRenderer.mustRetry(PAGE.host, page, false))
    await renderWith(pageRenderer, renderer, other)
    assert.ok(pageRenderer.mustRetry(PAGE.host, page, false))
  })
})
