import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crawl, MAX_FETCHES } from './watch.crawl.ts'
import { blog } from './watch.good-sites.ts'
import {
  calendar,
  days,
  echoingPath,
  emptyPages,
  facets,
  maze,
  softMissing,
  type TrapMaker,
} from './watch.trap-sites.ts'

const SEEDS = Array.from({ length: 24 }, (_, i) => i + 1)
const CLASSICS = [calendar, facets, echoingPath, maze, softMissing]

/** Crawls a blog with these traps in it. Wasted is a fetch of a page that is not good and was first to lead to none. */
function crawlBlog(makers: TrapMaker[], seed: number, threads = 1) {
  const site = blog(seed)
  const traps = makers.map((make) => make(site, seed))
  for (const { entrance } of traps) site.link('/', entrance)
  const answer = (path: string) => {
    const page = site.answer(path)
    return page ?? traps.map((trap) => trap.answer(path)).find((each) => each !== null) ?? null
  }
  const crawled = crawl(answer, threads)
  const good = [...site.pages.keys()]
  const fetched = new Set(crawled.fetched)
  const useful = new Set(good.map((path) => crawled.leaders.get(path)))
  const wasted = crawled.fetched.filter((path) => !site.pages.has(path) && !useful.has(path)).length
  return { ...crawled, good: good.length, lost: good.filter((path) => !fetched.has(path)), wasted }
}

describe('a site of 500 good pages with a calendar, filters, endless paths and soft 404s', () => {
  for (const seed of SEEDS) {
    it(`is visited in full, and less than a tenth of the visits are wasted (seed ${seed})`, () => {
      const { good, fetched, lost, wasted } = crawlBlog(CLASSICS, seed)
      assert.ok(good >= 500)
      assert.deepEqual(lost, [])
      assert.ok(fetched.length < MAX_FETCHES)
      assert.ok(wasted < fetched.length / 10, `${wasted} of ${fetched.length}`)
    })
  }

  it('has its traps named', () => {
    const { excluded } = crawlBlog(CLASSICS, 3)
    assert.deepEqual([...new Set(excluded.values())].sort(), [
      'site.example/a/b/**/W/',
      'site.example/calendar/N/N',
      'site.example/maze/start/**/W',
      'site.example/old/S',
      'site.example/shop?*',
    ])
  })

  it('is left by four threads that learn from each other', () => {
    for (const seed of SEEDS.slice(0, 6)) {
      const { fetched, lost, wasted } = crawlBlog(CLASSICS, seed, 4)
      assert.deepEqual(lost, [])
      assert.ok(wasted < fetched.length / 3, `${wasted} of ${fetched.length}`)
    }
  })
})

describe('one trap in a good site', () => {
  for (const [name, make] of Object.entries({ calendar, days, facets, echoingPath, maze, softMissing, emptyPages })) {
    it(`${name} costs few visits`, () => {
      for (const seed of SEEDS) {
        const { lost, wasted } = crawlBlog([make], seed)
        assert.deepEqual(lost, [])
        assert.ok(wasted <= 25, `${wasted} wasted, seed ${seed}`)
      }
    })
  }
})
