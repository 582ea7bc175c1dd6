// Held links that grow from themselves, and held links that do not: endless paths are excluded, finite sets are visited.

import assert from 'node:assert/strict'
import type { Lease, LeasedUrl } from '../leases.ts'
import {
  ENDLESS_TRIALS,
  fruitful,
  fruitless,
  GENERATIONS,
  growing,
  holding,
  nameOf,
  PATTERN,
  range,
  STALE,
  startHolding,
  visitAll,
} from './testing/held-links.ts'
import { describeStore, foundUrl, only, type TestStore } from './testing/store-harness.ts'

export function endlessPathsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: endless paths`, makeStore, (add) => {
    add('if trials are fruitless and lead to ever more links, the rest is excluded', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      // A link of the seed, then one link of each page, then another link of the seed.
      const tried = await visitAll(storeHarness, growing(storeHarness))
      assert.equal(tried.length, ENDLESS_TRIALS)
      const { crawl, ledger } = await storeHarness.progress()
      assert.deepEqual([crawl.status, ledger.visited, ledger.excluded], ['completed', 1 + ENDLESS_TRIALS, 38])
      const row = only(await storeHarness.store.diagnostics.patterns(storeHarness.crawlId))
      const { pattern, state, visits, excludedUrls, example } = row
      assert.deepEqual(
        [pattern, state, visits, row.fruitless, excludedUrls],
        [PATTERN, 'capped', ENDLESS_TRIALS, ENDLESS_TRIALS, 38],
      )
      const excluded = (await storeHarness.rows()).filter((url) => url.state === 'excluded')
      assert.ok(excluded.every(({ reason }) => reason === `trap:${PATTERN}`))
      assert.deepEqual(await storeHarness.store.crawls.reasons(storeHarness.crawlId), { trap: 38 })
      assert.equal(example, excluded.map(({ url }) => url).sort()[0])
    })

    add(
      'after an endless path, links of other pages are tried before the pattern is excluded',
      async (storeHarness) => {
        await startHolding(storeHarness, ['a/x', 'a/y'])
        // Both paths begin alike. One is endless, the other soon leads to new content.
        const isEndless = (name: string) => name.startsWith('a/x')
        const visited = await visitAll(storeHarness, (lease, url) => {
          const name = nameOf(url)
          if (isEndless(name)) return growing(storeHarness)(lease, url)
          const steps = name.split('/next').length - 1
          const visit = (steps < 2 ? fruitless : fruitful)(storeHarness)(lease, url)
          const held = { pattern: PATTERN, found: steps < 40 ? [foundUrl(`${name}/next`)] : [] }
          return { ...visit, traps: { ...visit.traps, held } }
        })
        assert.equal(visited.filter((name) => !isEndless(name)).length, 41)
        const { ledger } = await storeHarness.progress()
        assert.equal(ledger.excluded, 1)
        const row = only(await storeHarness.store.diagnostics.patterns(storeHarness.crawlId))
        assert.deepEqual([row.state, row.excludedUrls], ['open', 1])
        await storeHarness.assertSound()
      },
    )

    add('what a proven pattern holds later is judged by what it finds from then on', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 12))
      let endless = 0
      const visited = await visitAll(storeHarness, (lease, url) => {
        const isLater = nameOf(url).includes('/next')
        if (isLater) endless += 1
        if (isLater || endless > 0) return growing(storeHarness)(lease, url)
        const visit = fruitful(storeHarness)(lease, url)
        const held = { pattern: PATTERN, found: [foundUrl(`${nameOf(url)}/next`)] }
        return url.depth === 1 && url.id % 5 === 0 ? { ...visit, traps: { ...visit.traps, held } } : visit
      })
      assert.ok(visited.length < 100, String(visited.length))
      assert.ok((await storeHarness.progress()).ledger.excluded > 0)
      await storeHarness.assertSound()
    })

    add('if trials are fruitless and lead nowhere, all links are admitted', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      assert.equal((await visitAll(storeHarness, fruitless(storeHarness))).length, 38)
      assert.equal((await storeHarness.progress()).ledger.excluded, 0)
    })

    add('links that other pages hold too do not show growth', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      const holdsAll = (lease: Lease, url: LeasedUrl) => holding(storeHarness, lease, url, range(2, 40))
      assert.equal((await visitAll(storeHarness, holdsAll)).length, 38)
      assert.equal((await storeHarness.progress()).ledger.excluded, 0)
    })

    add('a tree of fruitless pages is visited down to its leaves', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 14))
      const visited = await visitAll(storeHarness, (lease, url) => {
        const children = Array.from({ length: 6 }, (_, i) => `${nameOf(url)}/${i}`)
        return url.depth < 3 ? holding(storeHarness, lease, url, children) : fruitless(storeHarness)(lease, url)
      })
      assert.equal(visited.length, 12 + 12 * 6 + 12 * 6 * 6)
      assert.equal((await storeHarness.progress()).ledger.excluded, 0)
    })

    add('a tree with a deeper branch is visited down to its leaves', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 14))
      const visited = await visitAll(storeHarness, (lease, url) => {
        const levels = nameOf(url).startsWith('a/7') ? 5 : 3
        const children = Array.from({ length: 3 }, (_, i) => `${nameOf(url)}/${i}`)
        return url.depth < levels ? holding(storeHarness, lease, url, children) : fruitless(storeHarness)(lease, url)
      })
      assert.equal(visited.length, 12 * (1 + 3 + 9) + 27 + 81)
    })

    add('endless paths, which are not held, show growth', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 14))
      const visited = await visitAll(storeHarness, (lease, url) => {
        const visit = holding(storeHarness, lease, url, [`${nameOf(url)}/next`, `${nameOf(url)}/other`])
        return url.depth < 8 ? visit : { ...visit, traps: { ...STALE, hasEndlessPaths: true } }
      })
      assert.equal(visited.length, 2 * 8)
      assert.ok((await storeHarness.progress()).ledger.excluded > 0)
    })

    add('a path that has something new from time to time is followed, but not for ever', async (storeHarness) => {
      for (const every of [GENERATIONS - 1, GENERATIONS + 1]) {
        await startHolding(storeHarness, range(2, 4))
        const visited = await visitAll(storeHarness, (lease, url) => {
          const steps = nameOf(url).split('/next').length - 1
          const visit = (steps % every === every - 1 ? fruitful : fruitless)(storeHarness)(lease, url)
          const held = { pattern: PATTERN, found: [foundUrl(`${nameOf(url)}/next`)] }
          return { ...visit, traps: { ...visit.traps, held } }
        })
        const longest = Math.max(...visited.map((name) => name.split('/next').length))
        if (every < GENERATIONS)
          assert.ok(longest > 5 * every && visited.length < 400, `${longest} of ${visited.length}`)
        else assert.ok(longest < 4 * GENERATIONS, String(longest))
        assert.ok((await storeHarness.progress()).ledger.excluded > 0)
        await storeHarness.assertSound()
      }
    })

    add('dead links of a trap do not make it finite', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      const visited = await visitAll(storeHarness, (lease, url) => {
        if (url.id % 3 !== 0) return storeHarness.endedReport(lease, url, { state: 'not_found', reason: null })
        return holding(
          storeHarness,
          lease,
          url,
          range(0, 9).map((name) => name.replace('a/', `${nameOf(url)}/`)),
        )
      })
      assert.ok(visited.length < 80, String(visited.length))
    })
  })
}
