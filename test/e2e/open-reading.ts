// Reads pages as a crawl thread does, without the thread, the store and the network.

import assert from 'node:assert/strict'
import { Admit } from '../../src/engine/crawl/admit.ts'
import { DocumentQueue } from '../../src/engine/crawl/document-queue.ts'
import { NO_STEP_NOTE } from '../../src/engine/crawl/fixture.step-note.ts'
import { Reading } from '../../src/engine/crawl/reading.ts'
import { EMPTY_RESPONSE } from '../../src/engine/fetch/fixture.response.ts'
import type { FetchResponse } from '../../src/engine/fetch/result.ts'
import { TextSurvey } from '../../src/engine/text/survey.ts'
import { TrapWatch } from '../../src/engine/traps/watch.ts'
import { UrlPatterns } from '../../src/engine/url/patterns.ts'
import { Scope } from '../../src/engine/url/scope.ts'
import { SeenSet } from '../../src/engine/url/seen.ts'
import { DEFAULT_SHAPE_LIMITS } from '../../src/engine/url/shape.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_MAX_LINKS } from '../../src/ports/crawls.ts'
import type { VisitReport } from '../../src/ports/frontier.ts'
import { NO_DOCUMENTS } from '../simulation/no-documents.ts'

const PAGE_URL = 'http://site.test/page'
const MAX_BODY_BYTES = 10 * 1024 * 1024

export function openReading(): Reading {
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
    traps: new TrapWatch(),
    maxLinks: DEFAULT_MAX_LINKS,
  }
  const keep = {
    archive: 'none' as const,
    maxBytes: 0,
    maxBytesByType: new Map<string, number>(),
    include: UrlPatterns.of([], 'archive_include'),
    exclude: UrlPatterns.of([], 'archive_exclude'),
  }
  const policy = { retries: 0, retryDelayMs: 0 }
  const parts = {
    admit,
    page,
    keep,
    policy,
    stepNote: NO_STEP_NOTE,
    clock: systemClock,
    followRedirects: true,
    random: () => 0.5,
  }
  return new Reading(parts, (error) => assert.fail(String(error)))
}

export function answerWith(whole: Buffer, contentType = EMPTY_RESPONSE.contentType): FetchResponse {
  const body = whole.subarray(0, MAX_BODY_BYTES)
  return { ...EMPTY_RESPONSE, contentType, body, wireBytes: body.length, truncated: body.length < whole.length }
}

export function read(reading: Reading, result: FetchResponse): Promise<VisitReport> {
  const url = { id: 1, url: PAGE_URL, kind: 'page' as const, depth: 0, hops: 0, attempts: 0, dueAt: 0, ancestry: null }
  return new Promise((resolve) => {
    const visit = { token: 1, url, host: 'site.test', result, now: 0 }
    const never = () => assert.fail('it does not wait for a document reader')
    reading.read(visit, { onDone: ({ report }) => resolve(report), onAside: never, onDropped: never })
  })
}
