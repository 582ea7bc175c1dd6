import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fetcher, FetchProblem, FetchResult } from '../../fetch/fetch-result.ts'
import { chooseSchemes } from './choose-schemes.ts'

/** Fetches fail with the problem of their origin; other origins respond. */
function openFake(problems: Record<string, FetchProblem>) {
  const requested: string[] = []
  const fetcher = {
    fetch(url: string, done: (result: FetchResult) => void) {
      requested.push(url)
      const problem = problems[new URL(url).origin]
      const result = problem === undefined ? { kind: 'response' } : { kind: 'failure', problem }
      setImmediate(() => done(result as FetchResult))
    },
    close: async () => undefined,
  } as unknown as Fetcher
  return { requested, open: async () => fetcher }
}

test('a host that refuses https and answers http is crawled by http, all others by https', async () => {
  const { open } = openFake({
    'https://plain.test': 'connect_refused',
    'https://dev.test:8080': 'tls_invalid',
    'https://down.test': 'connect_timeout',
    'http://down.test': 'connect_timeout',
    'https://unknown.test': 'dns_failed',
  })
  const seeds = [
    'plain.test/a?b',
    'dev.test:8080',
    'down.test',
    'unknown.test',
    'good.test/',
    { text: 'plain.test', place: 'f' },
  ]
  assert.deepEqual(await chooseSchemes(seeds, open), [
    'http://plain.test/a?b',
    'http://dev.test:8080',
    'down.test',
    'unknown.test',
    'good.test/',
    { text: 'http://plain.test', place: 'f' },
  ])
})

test('URLs with a scheme are not probed, and a host only once', async () => {
  const { open, requested } = openFake({})
  await chooseSchemes(['http://a.test/', 'b.test/1', 'b.test/2'], open)
  assert.deepEqual(requested, ['https://b.test/robots.txt'])
  await chooseSchemes(['https://a.test/', 'mailto:x@a.test'], () => assert.fail('no fetcher is needed'))
})
