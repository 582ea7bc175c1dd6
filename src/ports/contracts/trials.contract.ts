// Trials of patterns that may be traps: what counts as new content, and that the order of visits makes no difference.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Lease, LeasedUrl } from '../leases.ts'
import type { VisitReport } from '../visits.ts'
import {
  fruitless,
  growing,
  holding,
  nameOf,
  PATTERN,
  range,
  STALE,
  startHolding,
  visitAll,
} from './testing/held-links.ts'
import { describeStore, foundUrl, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const OTHER_PATTERN = 'a.test/p?*'
/** Enough for a site that is not small. */
const OTHER_PAGES = range(1000, 1060)

export function trialsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: trials`, makeStore, (add) => {
    add('of pages with the same new text one counts, whichever was visited first', async (storeHarness) => {
      const results: unknown[] = []
      for (const isReversed of [false, true]) {
        // On a small site many links are tried at once.
        await startHolding(storeHarness, range(2, 300), 'a.test/N')
        await visitEach(storeHarness, isReversed, (lease, url) => {
          // Pages come in pairs with a common line: one page has nothing else, the other has nine known lines.
          const number = Number(nameOf(url).slice('a/'.length))
          const line = 10_000 + (number >> 1)
          const known = Array.from({ length: 9 }, (_, i) => i)
          const lineHashes = number % 2 === 0 ? [line] : [line, ...known]
          return { ...storeHarness.visitedReport(lease, url), traps: { ...STALE, lineHashes } }
        })
        results.push([(await storeHarness.lease({ maxUrls: 0 })).patterns, (await storeHarness.progress()).ledger])
      }
      assert.deepEqual(results[0], results[1])
    })

    add('a URL is on trial for its pattern, even if the trial of another one redirects to it', async (storeHarness) => {
      for (const isReversed of [false, true]) {
        await storeHarness.start(['a/1', 'a/2'])
        const trials: string[] = []
        await visitEach(storeHarness, isReversed, (lease, url) => {
          const visited = nameOf(url)
          if (visited === 'a/1') return holding(storeHarness, lease, url, ['a/r', 'a/further'])
          if (visited === 'a/2') return storeHarness.visitedReport(lease, url, ['a/3'])
          if (visited === 'a/3') return holding(storeHarness, lease, url, ['a/t'], OTHER_PATTERN)
          trials.push(`${visited} ${url.ancestry?.trial}`)
          if (visited === 'a/r')
            return storeHarness.endedReport(lease, url, { state: 'redirected', reason: null }, ['a/t'])
          return fruitless(storeHarness)(lease, url)
        })
        assert.deepEqual(trials.sort(), [`a/further ${PATTERN}`, `a/r ${PATTERN}`, `a/t ${OTHER_PATTERN}`])
        await storeHarness.assertSound()
      }
    })

    add(
      'URLs that several trials lead to count for the first one, whichever was visited first',
      async (storeHarness) => {
        const results: unknown[] = []
        for (const isReversed of [false, true]) {
          await startHolding(storeHarness, range(2, 300), 'a.test/N')
          await visitEach(storeHarness, isReversed, (lease, url) => {
            const visited = nameOf(url)
            if (visited.startsWith('a/new')) return storeHarness.visitedReport(lease, url)
            // Pairs of pages share a URL, and one page of each pair also has another URL.
            const number = Number(visited.slice('a/'.length))
            const links = number % 2 === 0 ? [] : [`a/new-${number}`]
            return { ...storeHarness.visitedReport(lease, url, [`a/new-${number >> 1}`, ...links]), traps: STALE }
          })
          results.push([(await storeHarness.lease({ maxUrls: 0 })).patterns, (await storeHarness.progress()).ledger])
        }
        assert.deepEqual(results[0], results[1])
      },
    )

    add('a document is new content, but not its copies or the file of a calendar', async (storeHarness) => {
      const facts = {
        documents: (url: LeasedUrl) => ({ contentHash: createHash('sha256').update(url.url).digest('hex') }),
        copies: () => ({ contentHash: 'ab'.repeat(32) }),
        calendars: (url: LeasedUrl) => ({ ...facts.documents(url), contentType: 'text/calendar; charset=utf-8' }),
      }
      const excluded: Record<string, number> = {}
      for (const [kind, factsOf] of Object.entries(facts)) {
        await storeHarness.start(['a/1', ...OTHER_PAGES])
        await visitAll(storeHarness, (lease, url) => {
          const report = storeHarness.visitedReport(lease, url)
          const [, month] = /^a\/(\d+)$/.exec(nameOf(url)) ?? []
          if (month === undefined) return { ...report, facts: { ...storeHarness.visitFacts(200), ...factsOf(url) } }
          if (OTHER_PAGES.includes(nameOf(url))) return report
          const next = Number(month) + 1
          if (next > 60) return fruitless(storeHarness)(lease, url)
          return holding(storeHarness, lease, url, [`a/${next}`, `a/${next}/file`], 'a.test/N')
        })
        excluded[kind] = (await storeHarness.progress()).ledger.excluded
      }
      assert.deepEqual(
        Object.keys(excluded).filter((kind) => excluded[kind] === 0),
        ['documents'],
      )
    })

    add('dead links do not make a site small', async (storeHarness) => {
      await storeHarness.start(['a/1', ...OTHER_PAGES])
      const visited = await visitAll(storeHarness, (lease, url) => {
        const name = nameOf(url)
        if (OTHER_PAGES.includes(name)) return storeHarness.visitedReport(lease, url)
        if (name.endsWith('/gone')) return storeHarness.endedReport(lease, url, { state: 'not_found', reason: null })
        return holding(storeHarness, lease, url, [`${name}/next`, `${name}/gone`], 'a.test/N')
      })
      assert.ok(visited.length < 100, `${visited.length} visits`)
    })

    add('a link that another page holds for the name in a script is a link, in any order', async (storeHarness) => {
      for (const isReversed of [false, true]) {
        await storeHarness.start(['a/1', 'a/2'], { scriptUrls: true })
        await visitEach(storeHarness, isReversed, (lease, url) => {
          if (nameOf(url) === 'a/x') return fruitless(storeHarness)(lease, url)
          const found = foundUrl('a/x')
          const link = nameOf(url) === 'a/1' ? { ...found, isFromScript: true as const } : found
          const held = { pattern: PATTERN, found: [link] }
          return { ...storeHarness.visitedReport(lease, url), traps: { ...STALE, held } }
        })
        const row = only((await storeHarness.rows()).filter(({ url }) => url === 'http://a.test/x'))
        assert.equal(row.isFromScript, false)
      }
    })

    add('thousands of links are excluded over several lease requests', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 3000))
      for (let status = 'running'; status === 'running'; status = (await storeHarness.progress()).crawl.status)
        await visitAll(storeHarness, growing(storeHarness))
      assert.equal((await storeHarness.progress()).ledger.excluded, 2998)
      await storeHarness.assertSound()
    })
  })
}

/** Visits everything that is granted, one commit per visit, in the order of the names or the other way round. */
async function visitEach(
  storeHarness: StoreHarness,
  isReversed: boolean,
  reportOf: (lease: Lease, url: LeasedUrl) => VisitReport,
): Promise<void> {
  for (;;) {
    const { leases } = await storeHarness.lease()
    if (leases.length === 0) return
    for (const lease of leases) {
      const urls = lease.urls.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
      for (const url of isReversed ? urls.reverse() : urls) await storeHarness.commit([reportOf(lease, url)])
      await storeHarness.commit([], { release: [lease.token] })
    }
  }
}
