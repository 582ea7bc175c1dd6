// Pages that are a lot of work must not keep a crawl thread from its sockets for long.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Admit } from '../../src/engine/crawl/admit.ts'
import { DocumentQueue } from '../../src/engine/crawl/document-queue.ts'
import { NO_STEP_NOTE } from '../../src/engine/crawl/fixture.step-note.ts'
import { Reading } from '../../src/engine/crawl/reading.ts'
import { EMPTY_RESPONSE } from '../../src/engine/fetch/fixture.response.ts'
import type { FetchResponse } from '../../src/engine/fetch/result.ts'
import { TextSurvey } from '../../src/engine/text/survey.ts'
import { UrlPatterns } from '../../src/engine/url/patterns.ts'
import { Scope } from '../../src/engine/url/scope.ts'
import { SeenSet } from '../../src/engine/url/seen.ts'
import { DEFAULT_SHAPE_LIMITS } from '../../src/engine/url/shape.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { VisitReport } from '../../src/ports/frontier.ts'
import { NO_DOCUMENTS } from '../simulation/no-documents.ts'
import { largePage, manyLinksPage, nestedPage } from '../sites/hostile/pages.ts'
import { longestBlockMs } from './longest-block.ts'

const PAGE_URL = 'http://site.test/page'
const MAX_BODY_BYTES = 10 * 1024 * 1024

function openReading(): Reading {
  const admit = new Admit({
    scope: new Scope({ scope: 'any', include: [], exclude: [] }, [PAGE_URL]),
    seen: new SeenSet(1_000_000),
    keySeed: 1,
    maxDepth: null,
    relNofollow: true,
    skipUgcSponsored: false,
    shape: DEFAULT_SHAPE_LIMITS,
    filters: null,
    traps: null,
    onDropped: () => undefined,
  })
  const page = {
    metaRobots: true,
    keepSessionIds: false,
    sitemapOnly: false,
    product: 'tester',
    documents: true,
    documentQueue: new DocumentQueue(NO_DOCUMENTS, systemClock),
    survey: new TextSurvey(),
    traps: null,
  }
  const keep = {
    archive: 'none' as const,
    maxBytes: 0,
    maxBytesByType: new Map<string, number>(),
    include: UrlPatterns.of([], 'archive_include'),
    exclude: UrlPatterns.of([], 'archive_exclude'),
  }
  const policy = { retries: 0, retryDelayMs: 0 }
  const parts = { admit, page, keep, policy, stepNote: NO_STEP_NOTE, followRedirects: true, random: () => 0.5 }
  return new Reading(parts, (error) => assert.fail(String(error)))
}

function answerWith(whole: Buffer): FetchResponse {
  const body = whole.subarray(0, MAX_BODY_BYTES)
  return { ...EMPTY_RESPONSE, body, wireBytes: body.length, truncated: body.length < whole.length }
}

function read(reading: Reading, result: FetchResponse): Promise<VisitReport> {
  const url = { id: 1, url: PAGE_URL, kind: 'page' as const, depth: 0, hops: 0, attempts: 0, dueAt: 0, ancestry: null }
  return new Promise((resolve) => {
    const visit = { token: 1, url, host: 'site.test', result, now: 0 }
    const never = () => assert.fail('it does not wait for a document reader')
    reading.read(visit, { onDone: ({ report }) => resolve(report), onAside: never, onDropped: never })
  })
}

describe('a thread that reads', () => {
  const pages = {
    'a page cut at 10 MiB': largePage,
    'a million nested tags': nestedPage,
    'a hundred thousand links': manyLinksPage,
  }
  for (const [name, make] of Object.entries(pages)) {
    it(`${name} turns to other work at least every 50 ms`, async (t) => {
      const answer = answerWith(make())
      const blocks: number[] = []
      // The first time code runs it is slow, and collecting garbage may fall on any turn.
      for (let round = 0; round < 3; round++) {
        const blockMs = await longestBlockMs(async () => {
          assert.equal((await read(openReading(), answer)).verdict.state, 'visited')
        })
        blocks.push(Math.round(blockMs))
      }
      t.diagnostic(`longest blocks ${blocks.join(', ')} ms`)
      assert.ok(Math.min(...blocks) < 50, `${blocks}`)
    })
  }
})
