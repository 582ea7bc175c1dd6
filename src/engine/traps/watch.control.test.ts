import assert from 'node:assert/strict'
import { it } from 'node:test'
import { crawl } from './watch.crawl.ts'
import { blog, catalogue, forum, generated, numbered, reference, wiki } from './watch.good-sites.ts'

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 101)

for (const [name, make] of Object.entries({ blog, forum, reference, catalogue, generated, numbered })) {
  for (const threads of [1, 3]) {
    it(`no page of a site such as ${name} is lost, threads: ${threads}`, () => {
      for (const seed of threads === 1 ? SEEDS : SEEDS.slice(0, 4)) {
        const site = make(seed)
        const { fetched, excluded } = crawl(site.answer, threads)
        assert.deepEqual([...excluded], [], `seed ${seed}`)
        assert.equal(fetched.length, site.pages.size, `seed ${seed}`)
      }
    })
  }
}

it('no article of a wiki is lost, and few of the pages to edit them are visited', () => {
  for (const seed of SEEDS) {
    const { site, chores } = wiki(seed)
    const { fetched } = crawl(site.answer)
    const visited = new Set(fetched)
    const articles = [...site.pages.keys()].filter((path) => !chores.has(path))
    assert.deepEqual(
      articles.filter((path) => !visited.has(path)),
      [],
      `seed ${seed}`,
    )
    assert.ok(fetched.length < articles.length + 50)
  }
})
