// Processes responses as a crawl thread does, without the thread, the store and the network.

import assert from 'node:assert/strict'
import { DEFAULT_MAX_LINKS } from '../../../src/config/defaults.ts'
import { LinkAdmission } from '../../../src/engine/crawl/links/link-admission.ts'
import { NO_STEP_RECORDER } from '../../../src/engine/crawl/testing/no-step-recorder.ts'
import { DocumentQueue } from '../../../src/engine/crawl/visit/document-queue.ts'
import { VisitProcessor } from '../../../src/engine/crawl/visit/visit-processor.ts'
import type { FetchResponse } from '../../../src/engine/fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../../src/engine/fetch/testing/empty-response.ts'
import { TextProfiler } from '../../../src/engine/text/text-profiler.ts'
import { TrapDetector } from '../../../src/engine/traps/trap-detector.ts'
import { Scope } from '../../../src/engine/url/scope.ts'
import { SeenUrls } from '../../../src/engine/url/seen-urls.ts'
import { UrlPatterns } from '../../../src/engine/url/url-patterns.ts'
import { DEFAULT_URL_SHAPE_LIMITS } from '../../../src/engine/url/url-shape.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { VisitReport } from '../../../src/ports/visits.ts'
import { NO_DOCUMENTS } from '../../simulation/testing/no-documents.ts'

const PAGE_URL = 'http://site.test/page'
const MAX_BODY_BYTES = 10 * 1024 * 1024

export function makeVisitProcessor(): VisitProcessor {
  const linkAdmission = new LinkAdmission({
    scope: new Scope({ scope: 'any', include: [], exclude: [] }, [PAGE_URL]),
    seen: new SeenUrls(1_000_000),
    keySeed: 1,
    maxDepth: null,
    relNofollow: true,
    skipUgcSponsored: false,
    shape: DEFAULT_URL_SHAPE_LIMITS,
    filters: null,
    trapDetector: null,
    onRejected: () => undefined,
  })
  const pageReading = {
    metaRobots: true,
    keepSessionIds: false,
    hashRoutes: false,
    scriptUrls: false,
    sitemapOnly: false,
    product: 'tester',
    documents: true,
    documentQueue: new DocumentQueue(NO_DOCUMENTS, systemClock),
    textProfiler: new TextProfiler(),
    trapDetector: new TrapDetector(DEFAULT_URL_SHAPE_LIMITS),
    pageRenderer: null,
    extractor: null,
    hooks: null,
    requisites: false,
    maxLinks: DEFAULT_MAX_LINKS,
  }
  const keep = {
    archive: 'none' as const,
    maxBytes: 0,
    maxBytesByType: new Map<string, number>(),
    include: UrlPatterns.compile([], 'archive_include'),
    exclude: UrlPatterns.compile([], 'archive_exclude'),
  }
  const retryPolicy = { retries: 0, retryDelayMs: 0, retryMaxDelayMs: 0 }
  const parts = {
    linkAdmission,
    pageReading,
    archiveRules: keep,
    retryPolicy,
    stepRecorder: NO_STEP_RECORDER,
    clock: systemClock,
    followRedirects: true,
    tracksChanges: false,
    random: () => 0.5,
  }
  return new VisitProcessor(parts, (error) => assert.fail(String(error)))
}

export function makeResponse(whole: Buffer, contentType = EMPTY_RESPONSE.contentType): FetchResponse {
  const body = whole.subarray(0, MAX_BODY_BYTES)
  return { ...EMPTY_RESPONSE, contentType, body, wireBytes: body.length, truncated: body.length < whole.length }
}

export function processResponse(visitProcessor: VisitProcessor, result: FetchResponse): Promise<VisitReport> {
  const url = {
    id: 1,
    url: PAGE_URL,
    kind: 'page' as const,
    depth: 0,
    hops: 0,
    attempts: 0,
    dueAt: 0,
    ancestry: null,
    lastVisit: null,
  }
  return new Promise((resolve) => {
    const visit = {
      token: 1,
      url,
      host: 'site.test',
      result,
      now: 0,
      openSubresources: () => assert.fail('not rendered'),
    }
    const never = () => assert.fail('no document reader is needed')
    visitProcessor.process(visit, { onDone: ({ report }) => resolve(report), onWaiting: never, onDropped: never })
  })
}
