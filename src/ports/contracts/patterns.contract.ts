// Links held back because their pattern may be a trap: they wait for everything else, some are tried, and the results
// decide about the rest.

import assert from 'node:assert/strict'
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
  SKELETONS,
  STALE,
  startHolding,
  visitAll,
} from './testing/held-links.ts'
import { describeStore, foundUrl, only, type TestStore } from './testing/store-harness.ts'

export function patternsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: patterns`, makeStore, (add) => {
    add('held links are not in the ledger while anything else is open', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease()).leases)
      const [one, two] = lease.urls
      assert.ok(one !== undefined && two !== undefined)
      await storeHarness.commit([holding(storeHarness, lease, one, ['a/3'])])
      assert.equal((await storeHarness.rows()).length, 2)
      assert.deepEqual((await storeHarness.lease()).leases, [])
      await storeHarness.commit([storeHarness.visitedReport(lease, two)], { release: [lease.token] })
      assert.equal((await storeHarness.progress()).crawl.status, 'running')
      const tried = only(only((await storeHarness.lease()).leases).urls)
      assert.equal(tried.url, 'http://a.test/3')
      assert.deepEqual(tried.ancestry, { skeletons: SKELETONS, trial: PATTERN })
      assert.equal(tried.depth, 1)
    })

    add('a link that another page has too is not held', async (storeHarness) => {
      await startHolding(storeHarness, ['a/2', 'a/3'])
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, true)
      await storeHarness.commit([], { found: [foundUrl('a/2')] })
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
      const lease = only((await storeHarness.lease()).leases)
      assert.deepEqual(
        lease.urls.map(({ url, ancestry }) => [url, ancestry]),
        [['http://a.test/2', null]],
      )
    })

    add(
      'after trials with new text all links are admitted, and later variations are followed at once',
      async (storeHarness) => {
        await startHolding(storeHarness, range(2, 40))
        const visited = await visitAll(storeHarness, (lease, url) => {
          const visit = fruitful(storeHarness)(lease, url)
          const held = { pattern: PATTERN, found: [foundUrl(`a/below-${url.id}`)] }
          return url.depth === 1 ? { ...visit, traps: { ...visit.traps, held } } : visit
        })
        assert.equal(visited.length, 76)
        assert.equal((await storeHarness.progress()).crawl.status, 'completed')
        const last = await storeHarness.lease({ maxUrls: 0 })
        assert.equal(only(last.patterns).state, 'open')
        assert.deepEqual((await storeHarness.lease({ maxUrls: 0, patternsVersion: last.patternsVersion })).patterns, [])
      },
    )

    add('trials that lead to new URLs are fruitful too', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      const visited = await visitAll(storeHarness, (lease, url) => {
        const links = url.depth === 1 ? [`a/more-${url.id}`] : []
        return { ...storeHarness.visitedReport(lease, url, links), traps: STALE }
      })
      assert.equal(visited.length, 76)
    })

    add('other links of the pages on trial are tried as well, and show what a list leads to', async (storeHarness) => {
      const months = 'a.test/N'
      await startHolding(storeHarness, ['a/2'], months)
      const visited = await visitAll(storeHarness, (lease, url) => {
        const [, year, post] = nameOf(url).split('/')
        if (post !== undefined) return fruitful(storeHarness)(lease, url)
        const posts = range(0, 3).map((name) => name.replace('a/', `a/${year}/`))
        const next = Number(year) < 40 ? [`a/${Number(year) + 1}`] : []
        return holding(storeHarness, lease, url, [...posts, ...next], months)
      })
      assert.equal(visited.length, 39 * 4)
      assert.equal((await storeHarness.progress()).ledger.excluded, 0)
    })

    add('which links are tried does not depend on the depth of their pages', async (storeHarness) => {
      const tried: string[][] = []
      for (const shortcut of ['a/1', 'a/4']) {
        await storeHarness.start(['a/1'])
        const links: Record<string, string[]> = { 'a/1': ['a/2', 'a/3'], 'a/2': ['a/4'], 'a/4': ['a/5'] }
        links[shortcut] = [...(links[shortcut] ?? []), 'a/list']
        const visited = await visitAll(storeHarness, (lease, url) => {
          const name = nameOf(url)
          if (name === 'a/3') return holding(storeHarness, lease, url, ['a/x/1', 'a/x/2', 'a/x/3'])
          if (name === 'a/list') return holding(storeHarness, lease, url, ['a/y/1', 'a/y/2', 'a/y/3'])
          return name in links ? storeHarness.visitedReport(lease, url, links[name]) : growing(storeHarness)(lease, url)
        })
        tried.push(visited.filter((name) => /\/[xy]\//.test(name)))
      }
      assert.deepEqual(tried[0], tried[1])
    })

    add('trials of one pattern say nothing about another one that their pages hold', async (storeHarness) => {
      const views = 'a.test/v?*'
      await startHolding(storeHarness, ['a/2'])
      const visited = await visitAll(storeHarness, (lease, url) => {
        const [, list, view] = nameOf(url).split('/')
        if (view === undefined) {
          const found = [`a/${Number(list) + 1}`, `a/${list}/v`].slice(Number(list) < 40 ? 0 : 1).map(foundUrl)
          const visit = fruitful(storeHarness)(lease, url)
          return { ...visit, traps: { ...STALE, ...visit.traps, held: { pattern: PATTERN, found } } }
        }
        if (view !== 'v') return fruitless(storeHarness)(lease, url)
        return holding(
          storeHarness,
          lease,
          url,
          range(0, 3).map((name) => name.replace('a/', `a/${list}/v`)),
          views,
        )
      })
      assert.deepEqual([visited.length, (await storeHarness.progress()).ledger.excluded], [39 + 39 + 3 * 39, 0])
    })

    add('the target of a redirect is on trial for its source', async (storeHarness) => {
      await startHolding(storeHarness, ['a/2'])
      const visited = await visitAll(storeHarness, (lease, url) => {
        const name = nameOf(url)
        if (!name.endsWith('/'))
          return storeHarness.endedReport(lease, url, { state: 'redirected', reason: null }, [`${name}/`])
        return holding(storeHarness, lease, url, [`${name}next`])
      })
      assert.equal(visited.length, 2 * GENERATIONS)
    })

    add('a link that two patterns hold is tried once, and visited if one of them admits it', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2', 'a/3'])
      const other = 'a.test/y?*'
      const held: Record<string, [string[], string]> = {
        'a/1': [['a/10'], PATTERN],
        'a/2': [['a/10', 'a/11', 'a/12', 'a/13'], PATTERN],
        'a/3': [['a/13', 'a/14'], other],
      }
      const visited = await visitAll(storeHarness, (lease, url) => {
        const [names, pattern] = held[nameOf(url)] ?? [null, '']
        if (names !== null) return holding(storeHarness, lease, url, names, pattern)
        return url.ancestry?.trial === other ? fruitless(storeHarness)(lease, url) : growing(storeHarness)(lease, url)
      })
      assert.ok(['a/13', 'a/14'].every((name) => visited.includes(name)))
      assert.equal(new Set(visited).size, visited.length)
    })

    add('sitemaps do not count as pages when a pattern is judged', async (storeHarness) => {
      // 31 pages are a small site, whose links are all tried; with the sitemaps counted it would have 56.
      await storeHarness.start(['a/1', ...range(1000, 1030)])
      const sitemaps = range(2000, 2025).map((name) => ({ ...foundUrl(name), kind: 'sitemap' as const }))
      await storeHarness.commit([], { found: sitemaps })
      const links = range(2, 40)
      await visitAll(storeHarness, (lease, url) => {
        if (url.url === 'http://a.test/1') return holding(storeHarness, lease, url, links, 'a.test/N')
        const name = nameOf(url)
        if (!links.includes(name)) return storeHarness.visitedReport(lease, url)
        const next = links[links.indexOf(name) + 1]
        return next === undefined
          ? fruitless(storeHarness)(lease, url)
          : holding(storeHarness, lease, url, [next], 'a.test/N')
      })
      const { ledger } = await storeHarness.progress()
      assert.deepEqual([ledger.visited, ledger.excluded], [31 + 25 + 38, 0])
    })

    add('the same links are tried, no matter in which order they were found', async (storeHarness) => {
      const tried: string[][] = []
      for (const names of [range(2, 40), range(2, 40).reverse()]) {
        await startHolding(storeHarness, names)
        tried.push((await visitAll(storeHarness, growing(storeHarness))).sort())
        await storeHarness.assertSound()
      }
      assert.equal(tried[0]?.length, ENDLESS_TRIALS)
      assert.deepEqual(tried[0], tried[1])
    })

    add('links that several pages hold are counted once', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease()).leases)
      const visits = lease.urls.map((url) => holding(storeHarness, lease, url, range(10, 90)))
      await storeHarness.commit(visits, { release: [lease.token] })
      await visitAll(storeHarness, fruitless(storeHarness))
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      await storeHarness.assertSound()
    })

    add('a page whose depth another held link lowers passes the new depth on', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/q'])
      const links: Record<string, string[]> = { 'a/1': ['a/2'], 'a/2': ['a/3'], 'a/3': ['a/pp'] }
      const held: Record<string, string[]> = { 'a/q': ['a/pp'], 'a/pp': ['a/cc'] }
      await visitAll(storeHarness, (lease, url) => {
        const name = nameOf(url)
        const names = held[name]
        if (names !== undefined) {
          const visit = storeHarness.withoutKnownLinks(storeHarness.visitedReport(lease, url, names), () => true)
          visit.traps = { ...STALE, held: { pattern: PATTERN, found: names.map(foundUrl) } }
          return visit
        }
        return storeHarness.visitedReport(lease, url, links[name] ?? [])
      })
      const depths = await storeHarness.depths()
      assert.deepEqual([depths['a/pp'], depths['a/cc']], [1, 2])
      await storeHarness.assertSound()
    })

    add('an excluded link is a path to a URL that the crawl knows, too', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/c0'])
      await visitAll(storeHarness, (lease, url) => {
        const name = nameOf(url)
        const chained = /^a\/c(\d+)$/.exec(name)
        if (chained !== null) {
          const next = Number(chained[1]) + 1
          return storeHarness.visitedReport(lease, url, next <= 21 ? [`a/c${next}`] : [])
        }
        const isLast = name.split('/next').length - 1 === GENERATIONS
        return holding(storeHarness, lease, url, isLast ? [`${name}/next`, 'a/c20'] : [`${name}/next`])
      })
      const depths = await storeHarness.depths()
      assert.deepEqual([depths['a/c20'], depths['a/c21']], [GENERATIONS + 1, GENERATIONS + 2])
      await storeHarness.assertSound()
    })

    add('a URL excluded with a trap is visited if a page that is not part of it links to it', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/y0'])
      const chain = ENDLESS_TRIALS + 8
      const visited = await visitAll(storeHarness, (lease, url) => {
        const name = nameOf(url)
        if (name === 'a/1') return holding(storeHarness, lease, url, range(20, 40))
        if (name === 'a/29') return fruitless(storeHarness)(lease, url)
        if (!name.startsWith('a/y')) return growing(storeHarness)(lease, url)
        const at = Number(name.slice('a/y'.length))
        if (at === chain) return storeHarness.visitedReport(lease, url, ['a/29'])
        const held = { pattern: 'a.test/y?*', found: [foundUrl(`a/y${at + 1}`)] }
        const visit = fruitful(storeHarness)(lease, url)
        return { ...visit, traps: { ...visit.traps, held } }
      })
      assert.equal(visited.at(-1), 'a/29')
      assert.equal((await storeHarness.progress()).ledger.excluded, 19)
      await storeHarness.assertSound()
    })

    add(
      'a URL that one pattern excludes is visited if another one that holds it proves fruitful',
      async (storeHarness) => {
        await storeHarness.start(['a/1', 'b/1'])
        const visited = await visitAll(storeHarness, (lease, url) => {
          const name = nameOf(url)
          if (name === 'a/1') return holding(storeHarness, lease, url, ['a/10', 'a/shared'])
          if (name === 'b/1') {
            const names = [...Array.from({ length: 40 }, (_, i) => `b/${10 + i}`), 'a/shared']
            return holding(storeHarness, lease, url, names, 'b.test/list?*')
          }
          if (name === 'a/shared') return fruitful(storeHarness)(lease, url)
          if (name.startsWith('a/')) {
            const visit = growing(storeHarness)(lease, url)
            return { ...visit, traps: { ...STALE, held: visit.traps?.held ?? null, hasEndlessPaths: true } }
          }
          // The first ones do not exist, so the pattern proves fruitful only after the other one is excluded.
          const isGone = Number(name.slice('b/'.length)) < 17
          return isGone
            ? storeHarness.endedReport(lease, url, { state: 'not_found', reason: null })
            : fruitful(storeHarness)(lease, url)
        })
        assert.equal(visited.filter((name) => name === 'a/shared').length, 1)
        assert.equal((await storeHarness.progress()).ledger.excluded, 1)
        await storeHarness.assertSound()
      },
    )

    add('held links, trials and verdicts outlive a crash', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      storeHarness.store = await storeHarness.store.reopen()
      const tried = new Set<string>()
      for (let round = 0; round < ENDLESS_TRIALS; round++) {
        // A request between two paths grants nothing.
        const { leases } = await storeHarness.lease()
        const lease = only(leases.length > 0 ? leases : (await storeHarness.lease()).leases)
        storeHarness.store = await storeHarness.store.reopen()
        const again = only((await storeHarness.lease()).leases)
        assert.deepEqual(again.urls, lease.urls)
        assert.equal(only([...new Set(again.urls.map(({ ancestry }) => ancestry?.trial))]), PATTERN)
        const reports = again.urls.map((url) => growing(storeHarness)(again, url))
        await storeHarness.commit(reports, { release: [again.token] })
        storeHarness.store = await storeHarness.store.reopen()
        for (const { url } of again.urls) tried.add(url)
      }
      assert.equal(tried.size, ENDLESS_TRIALS)
      assert.deepEqual(await visitAll(storeHarness, growing(storeHarness)), [])
      assert.equal((await storeHarness.progress()).ledger.excluded, 38)
    })

    add('a page on trial that holds links is judged together with them', async (storeHarness) => {
      await startHolding(storeHarness, ['a/2'])
      let next = 3
      const visited = await visitAll(storeHarness, (lease, url) => holding(storeHarness, lease, url, [`a/${next++}`]))
      assert.equal(visited.length, GENERATIONS)
      assert.equal((await storeHarness.progress()).ledger.excluded, 1)
    })

    add('releasing a pattern requeues its URLs and lets a finished crawl be resumed', async (storeHarness) => {
      await startHolding(storeHarness, range(2, 40))
      await visitAll(storeHarness, growing(storeHarness))
      await assert.rejects(storeHarness.store.crawls.releasePattern(storeHarness.crawlId, 'nope'), {
        code: 'PATTERN_NOT_FOUND',
      })
      assert.equal(await storeHarness.store.crawls.releasePattern(storeHarness.crawlId, PATTERN), 38)
      assert.equal((await storeHarness.progress()).crawl.status, 'paused')
      await storeHarness.store.crawls.setPaused(storeHarness.crawlId, false)
      assert.equal(only((await storeHarness.lease({ maxUrls: 0 })).patterns).state, 'released')
      assert.equal((await visitAll(storeHarness, fruitless(storeHarness))).length, 38)
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      assert.equal(only((await storeHarness.lease({ maxUrls: 0 })).patterns).state, 'released')
    })

    add('a crawl that has its pages, or is cancelled, does not wait for held links', async (storeHarness) => {
      await storeHarness.start(['a/1'], { maxPages: 1 })
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([holding(storeHarness, lease, only(lease.urls), ['a/2'])], { release: [lease.token] })
      await storeHarness.lease()
      assert.equal((await storeHarness.progress()).crawl.status, 'completed')
      await storeHarness.assertSound()
      await startHolding(storeHarness, ['a/2'])
      await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
      await storeHarness.lease()
      assert.equal((await storeHarness.progress()).crawl.status, 'cancelled')
    })
  })
}
