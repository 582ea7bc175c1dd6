// Sites with and without traps, crawled by real loops on a real store in virtual time.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import type { UrlRow } from '../../src/ports/urls.ts'
import { CALENDAR_PATH_NAMES, clubCalendar } from '../sites/traps/club-calendar.ts'
import { blog, catalogue, forum, generated, numbered, reference, shop, wiki } from '../sites/traps/good-sites.ts'
import {
  branches,
  brokenLinks,
  diary,
  events,
  logarithms,
  members,
  months,
  sourceTree,
  tides,
  weather,
} from '../sites/traps/number-sites.ts'
import type { SimulatedPage, SimulatedSite, PageLookup as SiteAnswer } from '../sites/traps/simulated-site.ts'
import { range } from '../sites/traps/text-writer.ts'
import * as traps from '../sites/traps/trap-sites.ts'
import { isLongRun } from '../testing/long-run.ts'
import { simulateCrawl } from './testing/simulated-crawl.ts'
import type { VirtualPage } from './testing/virtual-web.ts'

const ORIGIN = 'http://a.test'
const SETTINGS = { traps: true, seeds: [`${ORIGIN}/`], perHost: 8, maxPages: 20_000 }
const GOOD_SITES = { blog, forum, reference, catalogue, generated, numbered, shop }
const NUMBER_SITES = {
  weather,
  tides,
  logarithms,
  diary,
  members,
  branches,
  months,
  events,
  sourceTree,
  brokenLinks,
}
const CLASSICS = [traps.calendar, traps.facets, traps.repeatingPath, traps.maze]
const TRAPS = {
  calendar: traps.calendar,
  'years and months': traps.yearsAndMonths,
  days: traps.days,
  facets: traps.facets,
  'facets with a login': traps.facetsWithLogin,
  'paths that echo': traps.repeatingPath,
  maze: traps.maze,
  'soft 404s that lead on': traps.softNotFound,
  'ids that change': traps.changingTicketIds,
  'empty result pages': traps.emptyPages,
  'session ids of articles': traps.sessionArticles,
  'articles below articles': traps.articlesBelowArticles,
  'a calendar in Dutch': traps.dutchCalendar,
  'a plan with full dates': traps.plan,
  'an index of dead links': traps.deadLinks,
  'a chain of refreshes': traps.refreshChain,
  'filters that disappear': traps.drilldown,
  'filters of categories': traps.filteredCategories,
  'sessions behind a list': traps.listedSessions,
}

function toPage(page: SimulatedPage | null): VirtualPage {
  if (page === null) return { status: 404 }
  const blocks = page.text.split('\n').map((line) => `<p>${line}</p>`)
  const links = page.links.map((link) => `<a href="${link.replaceAll('&', '&amp;')}"></a>`)
  const refresh = page.refreshTo === undefined ? [] : [`<meta http-equiv=refresh content="0;url=${page.refreshTo}">`]
  return { body: [...refresh, ...blocks, ...links].join('\n') }
}

interface VisitOptions {
  threads: number
  seeds?: string[]
  /** Responses take random times, drawn from this. */
  latencySeed?: number
  slow?: { path: string; latencyMs: number }
}

async function visit(t: TestContext, pageLookup: SiteAnswer, options: VisitOptions) {
  const { threads, seeds = SETTINGS.seeds, latencySeed = null, slow } = options
  const random = latencySeed === null ? null : seededRandom(latencySeed)
  const answer = (url: string) => {
    const path = url.slice(ORIGIN.length)
    const page = toPage(pageLookup(path))
    if (path === slow?.path) return { ...page, latencyMs: slow.latencyMs }
    return random === null ? page : { ...page, latencyMs: 1 + random.below(random.chance(0.1) ? 2000 : 50) }
  }
  const { rows, web, progress } = await simulateCrawl(t, answer, { ...SETTINGS, seeds }, threads)
  assert.equal(progress.crawl.status, 'completed')
  assert.equal(progress.crawl.reason, null)
  const visited = new Set(rows.filter((row) => row.state === 'visited').map(({ url }) => url.slice(ORIGIN.length)))
  return { rows, requests: web.requests.length, visited }
}

function withTraps(simulatedSite: SimulatedSite, makers: readonly traps.TrapMaker[], seed: number): SiteAnswer {
  const addedTraps = makers.map((make) => make(simulatedSite, seed))
  for (const { entrance } of addedTraps) simulatedSite.link('/', entrance)
  return (path) =>
    simulatedSite.findPage(path) ?? addedTraps.map((trap) => trap.findPage(path)).find((page) => page !== null) ?? null
}

/** A request is wasted if its page is not good and was not the first to lead to a good one. */
async function visitBlog(
  t: TestContext,
  makers: readonly traps.TrapMaker[],
  seed: number,
  options: VisitOptions = { threads: 1 },
) {
  const simulatedSite = blog(seed)
  const { rows, requests, visited } = await visit(t, withTraps(simulatedSite, makers, seed), options)
  const isGood = (url: string) => simulatedSite.pages.has(url.slice(ORIGIN.length))
  const leaders = new Set(rows.filter(({ url }) => isGood(url)).map((row) => row.discoveredFrom))
  const wanted = rows.filter((row) => isGood(row.url) || leaders.has(row.id))
  return {
    lost: [...simulatedSite.pages.keys()].filter((path) => !visited.has(path)),
    wasted: requests - wanted.length,
    requests,
    visited,
    rows,
  }
}

function outcomesOf({ rows }: { rows: UrlRow[] }): string[] {
  return rows.map(({ url, state, reason }) => `${url} ${state} ${reason}`).sort()
}

describe('a site of 1,100 good pages with a calendar, filters, endless paths and a maze', () => {
  for (const seed of isLongRun ? [1, 2, 3, 4, 5, 6] : [1]) {
    it(`is visited in full, and less than a tenth of the requests are wasted (seed ${seed})`, async (t) => {
      const { lost, wasted, requests } = await visitBlog(t, CLASSICS, seed)
      t.diagnostic(`${wasted} of ${requests} requests wasted`)
      assert.deepEqual(lost, [])
      assert.ok(wasted < requests / 10, `${wasted} of ${requests}`)
    })
  }

  it('gives the same URLs with one thread and with four, whatever the latencies', async (t) => {
    const one = await visitBlog(t, CLASSICS, 3, { threads: 1 })
    for (const latencySeed of isLongRun ? [1, 2, 3, 4] : [1]) {
      const four = await visitBlog(t, CLASSICS, 3, { threads: 4, latencySeed })
      assert.deepEqual(outcomesOf(four), outcomesOf(one))
    }
  })

  it('has its traps reported', async (t) => {
    const { rows } = await visitBlog(t, CLASSICS, 3)
    const reasons = new Set(rows.flatMap(({ state, reason }) => (state === 'excluded' ? [reason] : [])))
    assert.deepEqual([...reasons].sort(), [
      'trap:a.test/calendar/N/N',
      'trap:a.test/maze/start/**/W',
      'trap:a.test/shop?*',
    ])
  })
})

for (const [name, make] of Object.entries(TRAPS)) {
  describe(name, () => {
    it('leads to the same URLs, no matter when a shorter path to it is found', async (t) => {
      const outcomes: string[][] = []
      for (const latencyMs of [5, 20_000]) {
        const simulatedSite = blog(5)
        const { entrance, findPage } = make(simulatedSite, 5)
        simulatedSite.add('/shortcut', [simulatedSite.writer.paragraph()], [entrance])
        simulatedSite.link('/', '/shortcut')
        simulatedSite.link([...simulatedSite.pages.keys()].at(-2) ?? '/', entrance)
        const site: SiteAnswer = (path) => simulatedSite.findPage(path) ?? findPage(path)
        const slow = { path: '/shortcut', latencyMs }
        outcomes.push(outcomesOf(await visit(t, site, { threads: 2, slow })))
      }
      assert.deepEqual(outcomes[0], outcomes[1])
    })

    it('cost little in a good site', async (t) => {
      for (const seed of isLongRun ? [1, 2, 3] : [1]) {
        const { lost, wasted, requests } = await visitBlog(t, [make], seed)
        t.diagnostic(`${wasted} of ${requests} requests wasted`)
        assert.deepEqual(lost, [])
        assert.ok(wasted <= requests / 10, `${wasted} of ${requests}, seed ${seed}`)
      }
    })

    it('end by themselves if they are the whole site', async (t) => {
      const simulatedSite = blog(1)
      const { entrance, findPage } = make(simulatedSite, 1)
      const options = { threads: 2, seeds: [ORIGIN + entrance] }
      const { requests } = await visit(t, (path) => (path === '/' ? null : findPage(path)), options)
      t.diagnostic(`${requests} requests`)
      assert.ok(requests <= 2000, `${requests} requests`)
    })
  })
}

describe('no page is lost', () => {
  for (const [name, make] of Object.entries({ ...GOOD_SITES, ...NUMBER_SITES })) {
    for (const threads of isLongRun ? [1, 3] : [3]) {
      it(`on a site such as ${name}, threads: ${threads}`, async (t) => {
        for (const seed of threads > 1 ? [104] : isLongRun ? [101, 102, 103] : [101]) {
          const simulatedSite = make(seed)
          const options = threads > 1 ? { threads, latencySeed: seed } : { threads }
          const { visited, rows } = await visit(t, simulatedSite.findPage, options)
          assert.deepEqual(
            [...simulatedSite.pages.keys()].filter((path) => !visited.has(path)),
            [],
          )
          assert.deepEqual(
            rows.filter(({ state }) => state === 'excluded').map(({ url }) => url),
            [],
          )
        }
      })
    }
  }

  for (const name of CALENDAR_PATH_NAMES) {
    it(`of a calendar with events, which begins and ends with a year without any (${name})`, async (t) => {
      const { site, findPage } = clubCalendar(1, { emptyMonths: 11, name })
      const { visited, rows } = await visit(t, findPage, { threads: 2 })
      assert.equal(visited.size, site.pages.size + 2 * 11)
      assert.deepEqual(
        rows.filter(({ state }) => state === 'excluded').map(({ url }) => url),
        [],
      )
    })

    it(`that has an event, of a calendar without an end (${name})`, async (t) => {
      const { site, findPage } = clubCalendar(1, { name })
      const { visited, requests } = await visit(t, findPage, { threads: 2 })
      t.diagnostic(`${requests} requests for ${site.pages.size} pages`)
      assert.deepEqual(
        [...site.pages.keys()].filter((path) => !visited.has(path)),
        [],
      )
      assert.ok(requests < site.pages.size + 150, `${requests} requests for ${site.pages.size} pages`)
    })
  }

  for (const name of CALENDAR_PATH_NAMES) {
    it(`that has an event, of a calendar that begins up to a year after the last one (${name})`, async (t) => {
      for (const monthsSince of isLongRun ? range(13) : [5, 10, 11, 12]) {
        const { site, findPage } = clubCalendar(1, { name, monthsSince })
        const { visited } = await visit(t, findPage, { threads: 2 })
        const lost = [...site.pages.keys()].filter((path) => !visited.has(path))
        assert.deepEqual(lost, [], `${monthsSince} months`)
      }
    })
  }

  it('on a site with many dead links that return 200', async (t) => {
    const simulatedSite = blog(7)
    traps.addDeadLinks(simulatedSite)
    const { visited } = await visit(t, simulatedSite.findPage, { threads: 2 })
    assert.equal(visited.size, simulatedSite.pages.size)
  })

  it('of the articles of a wiki', async (t) => {
    const { site, chores } = wiki(5)
    const { visited, requests } = await visit(t, site.findPage, { threads: 2 })
    t.diagnostic(`${requests} requests for ${site.pages.size} pages, ${chores.size} of them chores`)
    const lost = [...site.pages.keys()].filter((path) => !chores.has(path) && !visited.has(path))
    assert.deepEqual(lost, [])
  })
})
