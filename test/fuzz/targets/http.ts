// Broken responses over loopback to the real client: every request has exactly one result, no error escapes, and the
// client still works for the next request.

import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { type FetchLimits, pageLimits } from '../../../src/engine/fetch/fetch-limits.ts'
import { FETCH_PROBLEMS, type FetchResult } from '../../../src/engine/fetch/fetch-result.ts'
import { HttpClient } from '../../../src/engine/fetch/http-client.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import { ManualClock } from '../../../src/lib/testing/manual-clock.ts'
import { HTTP_CORPUS, HTTP_TOKENS } from '../corpus/http.ts'
import { writeHttpResponse } from '../corpus/http-grammar.ts'
import type { FuzzTarget } from '../fuzz-target.ts'
import { makeInputWriter } from '../input-writer.ts'
import { type BrokenServer, CONNECTION_ENDINGS, startBrokenServer } from './broken-server.ts'
import { checkFetchResult } from './check-fetch-result.ts'

const MAX_BODY_BYTES = 4096
const TIMEOUT_MS = 60_000
const LIMITS: readonly FetchLimits[] = [
  pageLimits(MAX_BODY_BYTES),
  { ...pageLimits(MAX_BODY_BYTES), acceptsTruncated: true },
]
/** Event loop turns after which everything sent over loopback has most likely arrived. */
const TURNS = 20
/** A connection with surplus bytes after its response may fail the next request, but is then closed. */
const TRIES = 3

export const httpTarget: FuzzTarget = {
  name: 'http',
  concurrency: 8,
  shrinks: true,
  write: makeInputWriter({
    corpus: HTTP_CORPUS,
    tokens: HTTP_TOKENS,
    grammars: [writeHttpResponse],
    maxBytes: 64 * 1024,
  }),
  async open() {
    const site = await startBrokenServer()
    const outcomes = new Map<string, OutcomeCount>()
    return {
      async check(input, seededRandom) {
        const name = await check(input, seededRandom, site)
        const { count } = outcomes.get(name) ?? { count: 0 }
        outcomes.set(name, { count: count + 1, last: input })
      },
      notes: () => [...outcomes].sort(([, a], [, b]) => b.count - a.count).map(describe),
      close: () => site.close(),
    }
  },
}

interface OutcomeCount {
  count: number
  last: Buffer
}

/** A code without a name is worth investigating. */
function describe([name, { count, last }]: [string, OutcomeCount]): string {
  const example = name.startsWith('unknown_error') ? ` such as ${JSON.stringify(last.toString('latin1', 0, 300))}` : ''
  return `${count} x ${name}${example}`
}

async function check(input: Buffer, seededRandom: SeededRandom, site: BrokenServer): Promise<string> {
  const clock = new ManualClock()
  const client = openClient(clock)
  const results: FetchResult[] = []
  const ending = seededRandom.pick(CONNECTION_ENDINGS)
  const slices = splitRandomly(input, seededRandom)
  try {
    const result = await new Promise<FetchResult>((resolve) => {
      const url = site.serveResponse(slices, ending, async () => {
        if (ending !== 'open') return
        for (let i = 0; i < TURNS; i++) await turn()
        // Advances the client's clock: results that are not complete by now never will be.
        if (results.length === 0) clock.advance(TIMEOUT_MS)
      })
      const done = (one: FetchResult) => {
        results.push(one)
        resolve(one)
      }
      client.fetch(url, done, seededRandom.pick(LIMITS))
    })
    checkFetchResult(result, MAX_BODY_BYTES)
    await checkNextRequest(client, site)
    return nameOf(result)
  } finally {
    await client.close()
    await turn()
    assert.equal(results.length, 1, 'calls back once')
  }
}

async function checkNextRequest(client: HttpClient, site: BrokenServer): Promise<void> {
  const names: string[] = []
  for (let i = 0; i < TRIES; i++) {
    const result = await new Promise<FetchResult>((resolve) => client.fetch(site.goodUrl, resolve))
    if (result.kind === 'response' && result.body.toString() === site.goodBody) return
    names.push(nameOf(result))
  }
  assert.fail(`a valid response fails: ${names.join(', ')}`)
}

function nameOf(result: FetchResult): string {
  if (result.kind === 'response') return `response${result.truncated ? ', truncated' : ''}`
  assert.ok(FETCH_PROBLEMS.includes(result.problem))
  assert.notEqual(result.problem, 'unknown_error', result.detail)
  return `${result.problem} (${result.detail})`
}

/** The site is an IP address, so no name is ever looked up. */
function openClient(clock: ManualClock): HttpClient {
  return new HttpClient(
    {
      userAgent: 'Fuzz/1.0',
      headers: [],
      startUrls: [],
      connectionsPerOrigin: 1,
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: MAX_BODY_BYTES,
      insecure: false,
      auth: [],
      jar: null,
      proxies: null,
      onProxyChange: () => undefined,
      sentHeads: 'off',
      resolver: {
        asLookupFunction: () => (_name, _options, callback) => callback(new Error('unexpected lookup'), ''),
        lookup: (_name, done) => done(new Error('unexpected lookup'), { addresses: [] }),
        peek: () => null,
        close: () => undefined,
      },
      guard: { isAllowed: () => true, isNameOrAllowedAddress: () => true, isAllowedWithoutLookup: () => true },
    },
    clock,
  )
}

/** Splits bytes into one slice in most cases, otherwise into up to four. */
function splitRandomly(bytes: Buffer, seededRandom: SeededRandom): Buffer[] {
  const cuts = seededRandom.chance(0.6)
    ? []
    : [1, 2, 3].map(() => seededRandom.below(bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...cuts].map((start, i) => bytes.subarray(start, cuts[i] ?? bytes.length))
}
