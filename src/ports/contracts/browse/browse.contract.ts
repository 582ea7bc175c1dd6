// URL lists and figures, compared with all rows of the crawl.

import assert from 'node:assert/strict'
import { URL_ORDERS, type UrlFilter } from '../../browse.ts'
import { HEALTHY_HOST } from '../../leases.ts'
import { crawlSite, FIRST_PAGE, listAllPages, NO_URL_FILTER, orderValue, passesFilter } from '../testing/browse-site.ts'
import { describeStore, type TestStore } from '../testing/store-harness.ts'
import { FOLDER_CASES } from './folders.contract.ts'
import { GRAPH_CASES } from './graph.contract.ts'
import { URL_DETAILS_CASES } from './url-details.contract.ts'

const FILTERS: Partial<UrlFilter>[] = [
  {},
  { states: ['visited'] },
  { states: ['not_found', 'failed'] },
  { states: ['queued', 'excluded'] },
  { states: [] },
  { reason: 'http_503' },
  { host: 'b.test' },
  { host: 'unknown.test' },
  { depth: 2 },
  { httpStatus: 404 },
  { httpStatus: 4 },
  { contentType: 'Text/' },
  { contentType: 'application/json' },
  { text: 'DATA_1' },
  { text: '100%' },
  { text: '%' },
  { text: '\u00e4pf' },
  { text: 'welcome' },
  { text: '\\' },
  { states: ['visited'], host: 'a.test', depth: 1, httpStatus: 2, contentType: 'text', text: 'x' },
]

export function browseContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: browsing URLs`, makeStore, (add) => {
    add('every filter in every order gives the same result as all rows', async (storeHarness) => {
      await crawlSite(storeHarness)
      const rows = await storeHarness.rows()
      for (const filter of FILTERS) {
        for (const order of URL_ORDERS) {
          for (const isDescending of [false, true]) {
            const query = { ...FIRST_PAGE, ...filter, order, isDescending, limit: 3 }
            const sign = isDescending ? -1 : 1
            const expected = rows
              .filter((row) => passesFilter(row, query))
              .sort((a, b) => {
                const [x, y] = [orderValue(a, order), orderValue(b, order)]
                return sign * (x < y ? -1 : x > y ? 1 : a.id - b.id)
              })
            assert.deepEqual(await listAllPages(storeHarness, query), expected, JSON.stringify(query))
          }
        }
      }
    })

    add('the total is known for filters on states alone', async (storeHarness) => {
      await crawlSite(storeHarness)
      const list = (filter: Partial<UrlFilter>) =>
        storeHarness.store.browse.urls(storeHarness.crawlId, { ...FIRST_PAGE, ...filter, limit: 1 })
      const rows = await storeHarness.rows()
      assert.equal((await list({})).total, rows.length)
      assert.equal((await list({ states: ['visited', 'failed'] })).total, 7)
      assert.equal((await list({ states: [] })).total, 0)
      assert.equal((await list({ text: 'x' })).total, null)
    })

    add('counts by state equal those of the rows that match', async (storeHarness) => {
      await crawlSite(storeHarness)
      const rows = await storeHarness.rows()
      for (const filter of FILTERS) {
        const query = { ...NO_URL_FILTER, ...filter, states: null }
        const expected: Record<string, number> = {}
        for (const { state } of rows.filter((row) => passesFilter(row, query)))
          expected[state] = (expected[state] ?? 0) + 1
        const counted = await storeHarness.store.browse.countUrls(storeHarness.crawlId, query)
        assert.deepEqual(counted, { states: expected, isComplete: true }, JSON.stringify(query))
      }
    })

    add('rows added meanwhile neither hide nor repeat others', async (storeHarness) => {
      await storeHarness.start(['a/0', 'b/0', 'c/0'])
      const seen: number[] = []
      let cursor: string | null = null
      for (let n = 1; ; n++) {
        const { leases } = await storeHarness.lease({ maxUrls: 1 })
        for (const lease of leases.filter(() => n < 10)) {
          const visits = lease.urls.map((url) => storeHarness.visitedReport(lease, url, [`a/${n}`, `b/${n}`, `c/${n}`]))
          await storeHarness.commit(visits, { release: [lease.token] })
        }
        const page = await storeHarness.store.browse.urls(storeHarness.crawlId, { ...FIRST_PAGE, limit: 2, cursor })
        seen.push(...page.rows.map(({ id }) => id))
        cursor = page.nextCursor
        if (cursor === null) break
      }
      assert.deepEqual(
        seen,
        (await storeHarness.rows()).map(({ id }) => id),
      )
    })

    add('a cursor is valid for its own list only', async (storeHarness) => {
      await crawlSite(storeHarness)
      const { urls } = storeHarness.store.browse
      const { nextCursor } = await urls(storeHarness.crawlId, { ...FIRST_PAGE, limit: 1 })
      assert.ok(nextCursor)
      const bad = { code: 'BAD_CURSOR' }
      const [, at = ''] = nextCursor.split('.')
      for (const cursor of ['', 'x', '.', `x.${at}.0`, `${nextCursor}.1`, nextCursor.slice(0, -1), `${nextCursor}x`]) {
        await assert.rejects(urls(storeHarness.crawlId, { ...FIRST_PAGE, cursor }), bad, cursor)
      }
      await assert.rejects(urls(storeHarness.crawlId, { ...FIRST_PAGE, cursor: nextCursor, isDescending: true }), bad)
      await assert.rejects(urls(storeHarness.crawlId, { ...FIRST_PAGE, cursor: nextCursor, order: 'url' }), bad)
      await assert.rejects(urls(storeHarness.crawlId, { ...FIRST_PAGE, cursor: nextCursor, text: 'a' }), bad)
      const { id } = await storeHarness.start(['a/'])
      await assert.rejects(urls(id, { ...FIRST_PAGE, cursor: nextCursor }), bad)
    })

    add('a crawl sees no rows of another', async (storeHarness) => {
      await crawlSite(storeHarness)
      const first = storeHarness.crawl
      await crawlSite(storeHarness)
      for (const order of URL_ORDERS) {
        for (const states of [null, ['not_found' as const]]) {
          const mine = await listAllPages(storeHarness, { ...FIRST_PAGE, states, order })
          const ids = new Set((await storeHarness.rows()).map(({ id }) => id))
          assert.ok(mine.length > 0 && mine.every(({ id }) => ids.has(id)))
        }
      }
      storeHarness.crawl = first
    })

    add('a crash changes no result', async (storeHarness) => {
      await crawlSite(storeHarness)
      const request = {
        limit: 100,
        by: 'rank',
        around: null,
        under: null,
        since: null,
        open: [],
        maxEdges: 1000,
      } as const
      const look = async () => {
        const { browse } = storeHarness.store
        const { asOf, ...stats } = await browse.stats(storeHarness.crawlId)
        const { hosts } = await browse.hosts(storeHarness.crawlId, { text: null, limit: 10, cursor: null })
        return {
          stats,
          urls: await browse.urls(storeHarness.crawlId, { ...FIRST_PAGE, order: 'url', text: 'a' }),
          hosts: hosts.map(({ nextAt, ...host }) => host),
          trouble: await browse.problems(storeHarness.crawlId, 10),
          graphs: [
            await browse.graph(storeHarness.crawlId, { ...request, group: 'url' }),
            await browse.graph(storeHarness.crawlId, { ...request, group: 'path' }),
          ],
          stories: await Promise.all(
            (await storeHarness.rows()).map(({ id }) => browse.urlDetails(storeHarness.crawlId, id)),
          ),
        }
      }
      const before = await look()
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await look(), before)
    })

    add('an unknown crawl is an error', async (storeHarness) => {
      const missing = { code: 'CRAWL_NOT_FOUND' }
      const { browse } = storeHarness.store
      const whole = { around: null, under: null, since: null, open: [], maxEdges: 10 } as const
      const request = { limit: 1, group: 'url', by: 'found', ...whole } as const
      await assert.rejects(browse.urls('none', FIRST_PAGE), missing)
      await assert.rejects(browse.countUrls('none', NO_URL_FILTER), missing)
      await assert.rejects(browse.urlDetails('none', 1), missing)
      await assert.rejects(browse.findUrl('none', { url: 'http://a.test/', key: 1n }), missing)
      await assert.rejects(browse.stats('none'), missing)
      await assert.rejects(browse.hosts('none', { text: null, limit: 1, cursor: null }), missing)
      await assert.rejects(browse.host('none', 'a.test'), missing)
      await assert.rejects(browse.graph('none', request), missing)
      await assert.rejects(browse.problems('none', 1), missing)
    })
  })

  describeStore(`${name}: figures`, makeStore, (add) => {
    add('figures equal a count of all rows', async (storeHarness) => {
      await crawlSite(storeHarness)
      const rows = await storeHarness.rows()
      const stats = await storeHarness.store.browse.stats(storeHarness.crawlId)
      const counted = (of: (row: (typeof rows)[number]) => string | number | null) => {
        const counts: Record<string, number> = {}
        for (const row of rows) {
          const key = of(row)
          if (key !== null) counts[key] = (counts[key] ?? 0) + 1
        }
        return counts
      }
      const asRecord = (buckets: { key: string; count: number }[]) =>
        Object.fromEntries(buckets.map(({ key, count }) => [key, count]))
      assert.deepEqual(
        asRecord(stats.statusCodes),
        counted((row) => row.httpStatus),
      )
      assert.deepEqual(
        asRecord(stats.contentTypes),
        counted((row) => row.contentType?.split(';')[0] ?? null),
      )
      assert.deepEqual(
        asRecord(stats.reasons),
        counted((row) => row.reason),
      )
      assert.deepEqual(
        Object.fromEntries(stats.depths.map(({ depth, count }) => [depth, count])),
        counted((row) => row.depth),
      )
      const lengths = rows.flatMap(({ contentLength }) => contentLength ?? [])
      assert.equal(
        stats.contentLength.total,
        lengths.reduce((sum, length) => sum + length, 0),
      )
      assert.equal(stats.contentLength.max, Math.max(...lengths))
      const times = rows.flatMap(({ fetchMs }) => fetchMs ?? [])
      assert.equal(stats.fetchMs.max, Math.max(...times))
      assert.equal(
        stats.fetchTimes.reduce((sum, { count }) => sum + count, 0),
        times.length,
      )
      assert.deepEqual(
        stats.fetchTimes.find(({ upTo }) => upTo === 100)?.count,
        times.filter((ms) => ms > 50 && ms <= 100).length,
      )
      assert.deepEqual([stats.hostCount, stats.asOf], [2, storeHarness.store.clock.now()])
    })

    add('hosts are listed by number of URLs, page by page, and by part of their name', async (storeHarness) => {
      await crawlSite(storeHarness)
      const rows = await storeHarness.rows()
      const list = (changes: { text?: string; cursor?: string }) =>
        storeHarness.store.browse.hosts(storeHarness.crawlId, { text: null, limit: 1, cursor: null, ...changes })
      const first = await list({})
      assert.ok(first.nextCursor)
      const second = await list({ cursor: first.nextCursor })
      assert.equal(second.nextCursor, null)
      const hosts = [...first.hosts, ...second.hosts]
      assert.deepEqual(
        hosts.map(({ host }) => host),
        ['a.test', 'b.test'],
      )
      for (const { host, urls, queued, visited, failed, excluded, bytes, meanFetchMs } of hosts) {
        const own = rows.filter((row) => passesFilter(row, { ...NO_URL_FILTER, host }))
        const inStates = (...states: string[]) => own.filter(({ state }) => states.includes(state)).length
        const times = own.flatMap((row) => row.fetchMs ?? [])
        assert.deepEqual(
          { urls, queued, visited, failed, excluded, bytes, meanFetchMs },
          {
            urls: own.length,
            queued: inStates('queued', 'in_progress'),
            visited: inStates('visited'),
            failed: inStates('forbidden', 'not_found', 'http_error', 'failed'),
            excluded: inStates('excluded'),
            bytes: own.reduce((sum, row) => sum + (row.contentLength ?? 0), 0),
            meanFetchMs: Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length),
          },
        )
      }
      assert.deepEqual(
        (await list({ text: 'B.' })).hosts.map(({ host }) => host),
        ['b.test'],
      )
      await assert.rejects(list({ text: 'b', cursor: first.nextCursor }), { code: 'BAD_CURSOR' })
      assert.deepEqual(
        (await storeHarness.store.browse.stats(storeHarness.crawlId)).hosts,
        hosts.map(({ gapMs, strikes, nextAt, isBlocked, robots, ...figures }) => figures),
      )
    })

    add('a host has its pace and its robots.txt', async (storeHarness) => {
      await storeHarness.start(['a/'])
      const lease = (await storeHarness.lease()).leases[0]
      assert.ok(lease)
      const health = { ...HEALTHY_HOST, strikes: 2 }
      const nextAt = storeHarness.store.clock.now() + 5000
      const hosts = [{ hostId: lease.hostId, nextAt, responseMs: 1, gapMs: 250, concurrencyLimit: null, health }]
      await storeHarness.commit([], { hosts, release: [lease.token] })
      const now = storeHarness.store.clock.now()
      const copy = { expiresAt: now + 9, status: 200, problem: null, body: null, goodAt: now }
      await storeHarness.store.robots.save({ origin: 'http://a.test', askedAt: now, ...copy })
      await storeHarness.store.robots.save({ origin: 'http://b.test', askedAt: now, ...copy })
      const { hosts: listed } = await storeHarness.store.browse.hosts(storeHarness.crawlId, {
        text: null,
        limit: 9,
        cursor: null,
      })
      assert.equal(listed.length, 1)
      assert.deepEqual(listed[0], {
        host: 'a.test',
        urls: 1,
        queued: 1,
        visited: 0,
        failed: 0,
        excluded: 0,
        bytes: 0,
        meanFetchMs: null,
        gapMs: 250,
        strikes: 2,
        nextAt,
        isBlocked: false,
        robots: [{ origin: 'http://a.test', askedAt: now, status: 200, problem: null }],
      })
      const { gapMs, strikes, isBlocked, robots } = listed[0] ?? {}
      const pace = await storeHarness.store.browse.host(storeHarness.crawlId, 'a.test')
      assert.deepEqual(pace, { gapMs, strikes, nextAt, isBlocked, robots })
      assert.equal(await storeHarness.store.browse.host(storeHarness.crawlId, 'never.test'), null)
    })

    add('a blocked host is marked', async (storeHarness) => {
      await storeHarness.start(['a/', 'b/'])
      await storeHarness.store.control.blockHost(storeHarness.crawlId, 'b.test')
      const { hosts } = await storeHarness.store.browse.hosts(storeHarness.crawlId, {
        text: null,
        limit: 9,
        cursor: null,
      })
      assert.deepEqual(
        hosts.map(({ host, isBlocked, excluded }) => [host, isBlocked, excluded]),
        [
          ['a.test', false, 0],
          ['b.test', true, 1],
        ],
      )
      assert.equal((await storeHarness.store.browse.host(storeHarness.crawlId, 'b.test'))?.isBlocked, true)
    })

    add('problems are listed newest first and counted by kind', async (storeHarness) => {
      await crawlSite(storeHarness)
      const rows = await storeHarness.rows()
      const bad = rows.filter(({ state }) => ['forbidden', 'not_found', 'http_error', 'failed'].includes(state))
      const { counts, rows: listed } = await storeHarness.store.browse.problems(storeHarness.crawlId, 3)
      assert.deepEqual(
        listed.map(({ id }) => id),
        bad
          .sort((a, b) => (b.visitedAt ?? 0) - (a.visitedAt ?? 0))
          .map(({ id }) => id)
          .slice(0, 3),
      )
      assert.deepEqual(
        counts.map(({ state, key, count }) => [state, key, count]),
        [
          ['forbidden', 'forbidden', 1],
          ['not_found', 'not_found', 1],
          ['http_error', 'http_503', 1],
          ['failed', 'timeout', 1],
        ],
      )
      const first = listed[0]
      const row = rows.find(({ id }) => id === first?.id)
      assert.deepEqual(first, {
        id: row?.id,
        url: row?.url,
        state: row?.state,
        reason: row?.reason,
        httpStatus: row?.httpStatus,
        attempts: 1,
        visitedAt: row?.visitedAt,
        visitedBy: 'w',
      })
    })
  })

  describeStore(`${name}: URL details`, makeStore, (add) => {
    for (const [title, run] of Object.entries(URL_DETAILS_CASES)) add(title, run)
  })

  describeStore(`${name}: the link graph`, makeStore, (add) => {
    for (const [title, run] of Object.entries(GRAPH_CASES)) add(title, run)
  })
  describeStore(`${name}: the site by path`, makeStore, (add) => {
    for (const [title, run] of Object.entries(FOLDER_CASES)) add(title, run)
  })
}
