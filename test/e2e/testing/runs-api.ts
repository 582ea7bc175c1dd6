// A server with the API of runs, without delays, and a small site on loopback whose URLs end in every way.

import assert from 'node:assert/strict'
import { after, before, type TestContext } from 'node:test'
import { startTestApi, type TestApi } from '../../../src/api/testing/test-api.ts'
import { type PlainResponse, servePlainSite } from '../../sites/plain-site.ts'
import { type JsonObject, type JsonResponse, requestJson, runCrawlToEnd } from './json-api.ts'

const PAGES: Record<string, PlainResponse | string> = {
  '/': '<a href="/a">a</a><a href="/missing">m</a><a href="/moved">r</a><a href="/away">x</a><a href="/secret">s</a>',
  '/a': '<a href="/a#part">again</a><a href="/">home</a><a href="mailto:a@b.test">m</a><a href="/broken">b</a>',
  '/moved': { status: 301, headers: { location: '/b' } },
  '/b': '<a href="/gone">g</a>',
  '/away': { status: 302, headers: { location: 'http://elsewhere.test/' } },
  '/secret': { status: 403 },
  '/gone': { status: 410 },
  '/broken': { status: 500 },
}

export interface RunsApi {
  readonly api: TestApi
  request(method: string, path: string, body?: unknown): Promise<JsonResponse>
  readJson(path: string): Promise<JsonObject>
  crawlSite(t: TestContext, settings?: JsonObject): Promise<{ id: string; origin: string }>
}

/** Starts the server before the tests of a file, and closes it after them. */
export function openRunsApi(): RunsApi {
  let api: TestApi
  before(async () => {
    // No delays, so that the tests are fast. These are variables of the other system too.
    const env = { FETCH_MIN_GAP_PER_HOST_MS: '0', FETCH_HOST_COOLDOWN_BASE_MS: '0', RETRY_BASE_DELAY_MS: '1' }
    Object.assign(process.env, env)
    api = await startTestApi(['--allow-private'], false)
  })
  after(() => api.close())
  const request = (method: string, path: string, body?: unknown) => requestJson(api.address, method, path, body)
  return {
    get api() {
      return api
    },
    request,
    async readJson(path) {
      const { status, body } = await request('GET', path)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    },
    async crawlSite(t, settings = {}) {
      const { origin } = await servePlainSite(t, (path) => PAGES[path] ?? null)
      const { status, body } = await request('POST', '/crawl-runs', { seedUrl: `${origin}/`, settings })
      assert.equal(status, 201, JSON.stringify(body))
      await runCrawlToEnd(api, String(body['id']))
      return { id: String(body['id']), origin }
    },
  }
}
