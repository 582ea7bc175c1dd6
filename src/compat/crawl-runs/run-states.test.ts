import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkSettings, toCrawlSettings } from '../../config/crawl-settings.ts'
import { loadConfig } from '../../config/load-config.ts'
import { SETTING_NAMES } from '../../config/schema.ts'
import { emptyLedger, URL_STATES } from '../../lib/states.ts'
import type { Crawl, CrawlProgress } from '../../ports/crawls.ts'
import { type RunConfig, readRunDefaults, toNativeSettings, toRunConfig } from './run-config.ts'
import { createStateMapper, NATIVE_STATES, RUN_URL_STATUSES, toRunTotals, totalFor } from './run-states.ts'

const { config } = loadConfig([], {}, SETTING_NAMES)
const DEFAULTS = readRunDefaults({}, config)

function crawlWith(followRedirects: boolean): Crawl {
  return {
    id: 'c',
    status: 'running',
    reason: null,
    rootUrl: 'http://a.test/',
    requestedUrl: 'http://a.test/',
    seeds: ['http://a.test/'],
    settings: { ...toCrawlSettings(config), followRedirects },
    keySeed: 1,
    createdAt: 0,
    finishedAt: null,
    statusAt: 0,
    activeMs: 0,
  }
}

const TARGETS = [null, 'http://a.test/b', 'http://www.a.test/', 'http://b.test/', 'not a url']

describe('URL statuses', () => {
  it('map back to native states, so that rows can be filtered by status', () => {
    for (const followRedirects of [true, false]) {
      const mapState = createStateMapper(crawlWith(followRedirects))
      for (const state of URL_STATES) {
        for (const httpStatus of [null, 200, 301, 302, 404]) {
          for (const redirectTo of TARGETS) {
            const { status } = mapState({ state, httpStatus, redirectTo })
            assert.ok(NATIVE_STATES[status].includes(state), `${state} is ${status}`)
          }
        }
      }
    }
  })

  it('of redirects depend on the target, and on 301 if redirects are not followed', () => {
    const statuses = (followRedirects: boolean, httpStatus: number) =>
      TARGETS.map(
        (redirectTo) =>
          createStateMapper(crawlWith(followRedirects))({ state: 'redirected', httpStatus, redirectTo }).status,
      )
    const [IN, OUT] = ['REDIRECT_FOLLOWED', 'REDIRECT_OUT_OF_SCOPE']
    assert.deepEqual(statuses(true, 301), [OUT, IN, IN, OUT, OUT])
    assert.deepEqual(new Set(statuses(false, 301)), new Set(['REDIRECT_301']))
    assert.deepEqual(new Set(statuses(false, 302)), new Set(['HTTP_TERMINAL']))
  })

  it('are also available for crawls of an older version with invalid patterns', () => {
    const crawl = crawlWith(true)
    const mapState = createStateMapper({ ...crawl, settings: { ...crawl.settings, exclude: ['/(?!docs/)'] } })
    const row = { state: 'redirected' as const, httpStatus: 301, redirectTo: 'http://a.test/b' }
    assert.equal(mapState(row).status, 'REDIRECT_FOLLOWED')
  })

  it('add up to the number of discovered URLs, also with stale redirect counts', () => {
    const ledger = { ...emptyLedger(), queued: 1, visited: 2, redirected: 5, http_error: 3, excluded: 4 }
    for (const followRedirects of [true, false]) {
      for (const counted of [0, 3, 5, 9]) {
        const progress = { crawl: crawlWith(followRedirects), ledger } as CrawlProgress
        const redirectCounts = followRedirects ? { outOfScope: counted, moved: 0 } : { outOfScope: 0, moved: counted }
        const totals = toRunTotals(progress, redirectCounts)
        const sum = RUN_URL_STATUSES.reduce((all, status) => all + totalFor(status, totals), 0)
        assert.equal(sum, totals.discovered)
        assert.equal(sum, 15)
      }
    }
  })
})

describe('the config of a run', () => {
  it('survives the conversion to native settings and back', () => {
    const configs: RunConfig[] = [
      DEFAULTS.config,
      {
        maxPages: 1,
        maxDepth: 0,
        scopeMode: 'same_domain',
        includeDocuments: true,
        followRedirects: false,
        demoDelayMs: 333,
        requestTimeoutMs: 1,
        maxRetries: 20,
      },
      { ...DEFAULTS.config, demoDelayMs: 86_400_000 },
    ]
    for (const runConfig of configs) {
      const { values, problems } = checkSettings(toNativeSettings(runConfig, DEFAULTS), config)
      assert.deepEqual(problems, [])
      assert.deepEqual(toRunConfig(toCrawlSettings(values)), runConfig)
    }
  })
})
