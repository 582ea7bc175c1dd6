// Changes: recorded with the visit that finds them, published once each, in an order that readers can follow.

import assert from 'node:assert/strict'
import type { ChangeQuery, ExaminedChange, PendingChange } from '../changes.ts'
import type { CrawlSettings } from '../crawls.ts'
import type { VisitFacts, VisitReport } from '../visits.ts'
import { archivedVisit, hashOf } from './testing/page-visits.ts'
import { describeStore, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WATCHED: Partial<CrawlSettings> = { recrawl: HOUR_MS, archive: 'all', keepDays: 10 }

export const ALL_CHANGES: ChangeQuery = {
  crawlId: null,
  url: null,
  kinds: [],
  since: null,
  until: null,
  minWords: 0,
  order: 'oldest',
  after: null,
  limit: 100,
}

/** What a visit of a path finds. A number is content; a page has no links unless they are given. */
type Found = { content: number; links?: string[]; facts?: Partial<VisitFacts> } | 'gone' | { to: string } | 'failed'

let offset = 0

/** Visits everything that can be leased, until nothing is left. */
async function visit(harness: StoreHarness, site: Record<string, Found>): Promise<void> {
  for (;;) {
    const { leases } = await harness.lease()
    if (leases.length === 0) return
    for (const lease of leases) {
      const visits = lease.urls.map((url) => {
        const name = url.url.replace('http://', '').replace('.test/', '/')
        return reportOf(harness, lease, url, site[name] ?? 'gone')
      })
      await harness.commit(visits, { release: [lease.token] })
    }
  }
}

function reportOf(
  harness: StoreHarness,
  lease: Parameters<StoreHarness['visitedReport']>[0],
  url: Parameters<StoreHarness['visitedReport']>[1],
  found: Found,
): VisitReport {
  if (found === 'gone' || found === 'failed') {
    const outcome =
      found === 'gone'
        ? { state: 'not_found' as const, reason: null }
        : { state: 'failed' as const, reason: 'connection_refused' }
    const isUnchanged = found === 'gone' && url.lastVisit?.state === 'not_found'
    const report = harness.endedReport(lease, url, outcome)
    const facts = { ...(harness.visitFacts(404) as VisitFacts), title: null }
    return { ...report, facts, freshness: { etag: null, lastModified: null, maxAgeMs: null, isUnchanged } }
  }
  if ('to' in found) {
    const report = harness.endedReport(lease, url, { state: 'redirected', reason: null })
    const facts = { ...(harness.visitFacts(301) as VisitFacts), title: null, redirectTo: found.to }
    return { ...report, facts }
  }
  const digest = hashOf(found.content)
  offset += 100
  const page = { digest, position: { segment: 's1', offset, length: 50 } }
  const { found: urls, linkCount } = harness.visitedReport(lease, url, found.links ?? [])
  return { ...archivedVisit(harness, lease, url, page, found.facts), found: urls, linkCount }
}

async function revisit(harness: StoreHarness, site: Record<string, Found>): Promise<void> {
  const { clock, revisits } = harness.store
  clock.advance(DAY_MS)
  while ((await revisits.requeueDue(50)).hasMore);
  await visit(harness, site)
}

const describe = ({ kind, url }: { kind: string; url: string }) =>
  `${kind} ${url.replace('http://', '').replace('.test/', '/')}`

/** Publishes everything that is pending, and returns it. */
async function publishAll({ store }: StoreHarness): Promise<PendingChange[]> {
  const pending = await store.changeFeed.claim(100, 60_000)
  await store.changeFeed.finish(pending.map(published), [])
  return pending
}

function published({ id }: { id: number }): ExaminedChange {
  return { id, outcome: 'published', wordsAdded: 2, wordsRemoved: 1, summary: 'Two words more' }
}

export function changesContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: changes`, makeStore, (add) => {
    add('first visits are no changes, and neither are visits that find the same', async (harness) => {
      await harness.start(['a/'], WATCHED)
      const site = { 'a/': { content: 1, links: ['a/1'] }, 'a/1': { content: 2 } }
      await visit(harness, site)
      await revisit(harness, site)
      assert.deepEqual(await publishAll(harness), [])
    })

    add('a page that differs is changed, with both versions and the facts that differ', async (harness) => {
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 } })
      await revisit(harness, { 'a/': { content: 2, facts: { title: 'Another title', noindex: true } } })
      const change = only(await publishAll(harness))
      assert.equal(describe(change), 'changed a/')
      const versions = await harness.store.pages.history('http://a.test/')
      assert.deepEqual(
        versions.map(({ id }) => id),
        [change.previousPageId, change.pageId],
      )
      assert.deepEqual(change.facts, {
        title: { before: 'A title', after: 'Another title' },
        noindex: { before: false, after: true },
      })
      assert.equal(change.at, harness.store.clock.now())
    })

    add('a page is removed and returns once each, whatever failures are in between', async (harness) => {
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 } })
      for (const found of ['failed', 'gone', 'gone', 'failed', 'gone'] as const) await revisit(harness, { 'a/': found })
      await revisit(harness, { 'a/': { content: 1 } })
      const changes = await publishAll(harness)
      assert.deepEqual(changes.map(describe), ['removed a/', 'returned a/'])
      const [first] = await harness.store.pages.history('http://a.test/')
      assert.deepEqual(
        changes.map(({ previousPageId }) => previousPageId),
        [first?.id, first?.id],
      )
      assert.deepEqual(changes[0]?.facts.httpStatus, { before: 200, after: 404 })
    })

    add('a page that redirects, and a redirect with another target, are redirected', async (harness) => {
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 } })
      for (const to of ['http://b.test/', 'http://b.test/', 'http://c.test/']) await revisit(harness, { 'a/': { to } })
      const changes = await publishAll(harness)
      assert.deepEqual(changes.map(describe), ['redirected a/', 'redirected a/'])
      assert.deepEqual(changes[1]?.facts, { redirectTo: { before: 'http://b.test/', after: 'http://c.test/' } })
    })

    add('pages found after the first round are added, also below other new pages', async (harness) => {
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1, links: ['a/1'] }, 'a/1': { content: 2 } })
      const more = { 'a/': { content: 3, links: ['a/1', 'a/new'] }, 'a/1': { content: 2 } }
      await revisit(harness, { ...more, 'a/new': { content: 4, links: ['a/below'] }, 'a/below': { content: 5 } })
      const changes = await publishAll(harness)
      assert.deepEqual(changes.map(describe).toSorted(), ['added a/below', 'added a/new', 'changed a/'])
    })

    add('a URL that never was a page is added when it becomes one', async (harness) => {
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': 'gone' })
      await revisit(harness, { 'a/': { content: 1 } })
      assert.deepEqual((await publishAll(harness)).map(describe), ['added a/'])
    })

    add('a page that could not be reached in the first round is not added', async (harness) => {
      await harness.start(['a/', 'b/'], WATCHED)
      await visit(harness, { 'a/': 'failed', 'b/': { content: 1 } })
      await revisit(harness, { 'a/': { content: 1 }, 'b/': { content: 1 } })
      assert.deepEqual(await publishAll(harness), [])
    })

    add('sitemaps and crawls without --recrawl have no changes', async (harness) => {
      await harness.start(['a/'], { ...WATCHED, recrawl: 'off' })
      await visit(harness, { 'a/': { content: 1 } })
      assert.equal((await harness.store.changes.count(null, null)).pending, 0)
    })

    add('a claim is exclusive until it expires, and a change is published once', async (harness) => {
      const { changeFeed, changes, clock } = harness.store
      await harness.start(['a/', 'b/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 }, 'b/': { content: 2 } })
      await revisit(harness, { 'a/': { content: 3 }, 'b/': { content: 4 } })
      const first = await changeFeed.claim(1, 1000)
      const second = await changeFeed.claim(5, 60_000)
      assert.deepEqual([first.length, second.length, (await changeFeed.claim(5, 1000)).length], [1, 1, 0])
      clock.advance(1000)
      const again = only(await changeFeed.claim(5, 1000))
      assert.deepEqual([again.id, again.tries], [only(first).id, 1])
      assert.equal(await changeFeed.finish([published(again)], []), 1)
      assert.equal(await changeFeed.finish([published(only(first)), { id: again.id, outcome: 'dropped' }], []), 0)
      assert.equal((await changes.list(ALL_CHANGES)).length, 1)
    })

    add('a dropped change is gone, and a deferred one comes again', async (harness) => {
      const { changeFeed, changes, clock } = harness.store
      await harness.start(['a/', 'b/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 }, 'b/': { content: 2 } })
      await revisit(harness, { 'a/': { content: 3 }, 'b/': { content: 4 } })
      const [a, b] = await changeFeed.claim(5, 1000)
      assert.ok(a !== undefined && b !== undefined)
      await changeFeed.finish(
        [
          { id: a.id, outcome: 'dropped' },
          { id: b.id, outcome: 'deferred', untilMs: 5000 },
        ],
        [],
      )
      clock.advance(4999)
      assert.equal((await changeFeed.claim(5, 1000)).length, 0)
      clock.advance(1)
      assert.deepEqual(only(await changeFeed.claim(5, 1000)).id, b.id)
      assert.equal((await changes.count(null, null)).pending, 1)
    })

    add('published changes are listed in both orders, with cursors and filters', async (harness) => {
      const { changes, changeFeed, clock } = harness.store
      await harness.start(['a/', 'b/', 'c/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 }, 'b/': { content: 2 }, 'c/': { content: 3 } })
      await revisit(harness, { 'a/': { content: 4 }, 'b/': 'gone', 'c/': { to: 'http://b.test/' } })
      const changedAt = clock.now()
      const pending = await changeFeed.claim(10, 1000)
      for (const change of pending.toReversed()) await changeFeed.finish([published(change)], [])
      const all = await changes.list(ALL_CHANGES)
      assert.deepEqual(
        all.map(({ id }) => id),
        pending.map(({ id }) => id).toReversed(),
      )
      assert.deepEqual(
        all.map(({ cursor }) => cursor),
        [1, 2, 3],
      )
      assert.equal(await changes.lastCursor(), 3)
      const list = async (query: Partial<ChangeQuery>) =>
        (await changes.list({ ...ALL_CHANGES, ...query })).map(({ cursor }) => cursor)
      assert.deepEqual(await list({ order: 'newest', limit: 2 }), [3, 2])
      assert.deepEqual(await list({ order: 'newest', after: 2 }), [1])
      assert.deepEqual(await list({ after: 1, limit: 1 }), [2])
      const removed = all.find(({ kind }) => kind === 'removed')
      assert.deepEqual(await list({ kinds: ['removed'] }), [removed?.cursor])
      assert.deepEqual(await list({ url: 'http://b.test/' }), [removed?.cursor])
      assert.deepEqual(await list({ crawlId: harness.crawlId, since: changedAt }), [1, 2, 3])
      assert.deepEqual(await list({ crawlId: 'other' }), [])
      assert.deepEqual(await list({ until: changedAt }), [])
      assert.deepEqual([(await list({ minWords: 3 })).length, (await list({ minWords: 4 })).length], [3, 0])
      const found = await changes.find(all[0]?.id ?? 0)
      assert.deepEqual(found, all[0])
      assert.equal(await changes.find(99), null)
      const counts = { added: 0, changed: 1, removed: 1, returned: 0, redirected: 1, pending: 0 }
      assert.deepEqual(await changes.count(harness.crawlId, null), counts)
    })

    add('noise of a host is saved unless it was changed meanwhile', async (harness) => {
      const { changes, changeFeed } = harness.store
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 } })
      await revisit(harness, { 'a/': { content: 2 } })
      const change = only(await changeFeed.claim(5, 0))
      assert.equal(change.noise, null)
      const { crawlId, hostId, urlId } = change
      await changeFeed.finish([], [{ crawlId, hostId, before: null, after: 'first' }])
      await changeFeed.finish([], [{ crawlId, hostId, before: null, after: 'late' }])
      assert.equal(await changes.noise(crawlId, urlId), 'first')
      await changeFeed.finish([], [{ crawlId, hostId, before: 'first', after: 'second' }])
      assert.equal(only(await changeFeed.claim(5, 0)).noise, 'second')
    })

    add('changes expire, and go with their crawl', async (harness) => {
      const { changes, retention, clock, control } = harness.store
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 } })
      await revisit(harness, { 'a/': { content: 2 } })
      await publishAll(harness)
      await retention.expire(clock.now() + 10 * DAY_MS - 1, 10)
      assert.equal((await changes.list(ALL_CHANGES)).length, 1)
      await retention.expire(clock.now() + 10 * DAY_MS, 10)
      assert.equal((await changes.list(ALL_CHANGES)).length, 0)
      await revisit(harness, { 'a/': { content: 3 } })
      await publishAll(harness)
      await harness.store.crawls.close(harness.crawlId, 'cancelled')
      await harness.lease()
      await control.remove(harness.crawlId)
      while (await control.removeNextBatch());
      harness.crawl = null
      assert.equal((await changes.count(null, null)).changed, 0)
      assert.equal(await changes.lastCursor(), 2)
    })

    add('changes that no reader or not every webhook has got do not expire', async (harness) => {
      const { changes, retention, clock, access } = harness.store
      const webhook = { url: 'http://hook.test/', secret: 's', createdAt: 1, allowsPrivate: true }
      await access.webhooks.add({ ...webhook, id: 'pages', events: ['crawl.completed', 'page.changed'] })
      await access.webhooks.add({ ...webhook, id: 'crawls', events: ['crawl.completed'] })
      await harness.start(['a/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 } })
      await revisit(harness, { 'a/': { content: 2 } })
      const later = clock.now() + 20 * DAY_MS
      await retention.expire(later, 10)
      assert.equal((await changes.count(null, null)).pending, 1)
      await publishAll(harness)
      await retention.expire(later, 10)
      const { cursor } = only(await changes.list(ALL_CHANGES))
      await access.webhooks.enqueueChanges('pages', { from: 0, to: cursor }, [])
      await retention.expire(later, 10)
      assert.deepEqual(await changes.list(ALL_CHANGES), [])
    })

    add('changes are counted by crawl and time', async (harness) => {
      const { changes, changeFeed, clock } = harness.store
      await harness.start(['a/', 'b/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 }, 'b/': { content: 2 } })
      await revisit(harness, { 'a/': { content: 3 }, 'b/': 'gone' })
      await publishAll(harness)
      const since = clock.now() + 1
      await revisit(harness, { 'a/': { content: 4 }, 'b/': 'gone' })
      const none = { added: 0, changed: 0, removed: 0, returned: 0, redirected: 0, pending: 0 }
      assert.deepEqual(await changes.count(harness.crawlId, null), { ...none, changed: 1, removed: 1, pending: 1 })
      assert.deepEqual(await changes.count(harness.crawlId, since), { ...none, pending: 1 })
      assert.deepEqual(await changes.count('other', null), none)
      await changeFeed.finish([published(only(await changeFeed.claim(10, 1000)))], [])
      assert.deepEqual(await changes.count(harness.crawlId, since), { ...none, changed: 1 })
      assert.deepEqual(await changes.count(null, null), { ...none, changed: 2, removed: 1 })
    })

    add('a crash loses no change and publishes none twice', async (harness) => {
      await harness.start(['a/', 'b/'], WATCHED)
      await visit(harness, { 'a/': { content: 1 }, 'b/': { content: 2 } })
      await revisit(harness, { 'a/': { content: 3 }, 'b/': { content: 4 } })
      const [first] = await harness.store.changeFeed.claim(10, 60_000)
      assert.ok(first !== undefined)
      await harness.store.changeFeed.finish([published(first)], [])
      harness.store = await harness.store.reopen()
      harness.store.clock.advance(60_000)
      await publishAll(harness)
      const cursors = (await harness.store.changes.list(ALL_CHANGES)).map(({ cursor }) => cursor)
      assert.deepEqual(cursors, [1, 2])
    })
  })
}
