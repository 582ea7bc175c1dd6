// Link ranks of a site that is crawled completely, and later in part.

import assert from 'node:assert/strict'
import { makeIndexQuery } from '../ports/contracts/testing/test-index.ts'
import { type IndexedSites, onEveryIndex } from './testing/indexed-sites.ts'

const PAGES = 30

/** Every page has the same number of words, but no repeated line. */
function makeHtml(title: string, n: number): string {
  return `<title>${title}</title><p>Apples of kind ${n} are picked in autumn and stored in a cool and dark cellar.</p>`
}

/** Every page links to the guide, and the first few to the news, which they call first. */
function makeSite() {
  const names = ['a/guide', 'a/news', ...Array.from({ length: PAGES }, (_, i) => `a/${i + 1}`)]
  const pages = names.map((name, i) => {
    const links = i < 6 ? ['a/news', 'a/1', 'a/2', 'a/3', 'a/4', 'a/guide'] : ['a/guide']
    return [name, { html: makeHtml(name, i), links: [...links, ...names.slice(i + 1, i + 3)] }] as const
  })
  return Object.fromEntries([['a/1', pages.find(([name]) => name === 'a/1')?.[1] ?? assert.fail()], ...pages])
}

async function findBest({ index }: IndexedSites) {
  const { hits } = await index.find(makeIndexQuery('appl', { now: 0, groupsSimilar: false, limit: 100 }))
  return { best: hits[0]?.url, versions: new Set(hits.map(({ version }) => version)), found: hits.length }
}

onEveryIndex('the best linked page of a site stays the best when a few pages are crawled again', async (sites) => {
  const site = makeSite()
  await sites.crawl(site)
  await sites.catchUp()
  const before = await findBest(sites)
  assert.deepEqual([before.best, before.found], ['http://a.test/guide', PAGES + 2])
  await sites.crawl(site, 6)
  await sites.catchUp()
  const after = await findBest(sites)
  // Some documents are of the second crawl now.
  assert.deepEqual([after.best, after.found, [...after.versions].sort()], [before.best, PAGES + 2, [1, 2]])
})

onEveryIndex('a table of contents does not come before the pages that it lists', async (sites) => {
  const names = Array.from({ length: 60 }, (_, i) => `a/chapter-${i + 1}`)
  const chapters = names.map((name, i) => {
    const links = ['a/contents', 'a/chapter-9', ...names.slice(i + 1, i + 3)]
    return [name, { html: makeHtml(`Chapter ${i + 1}`, i), links }] as const
  })
  const contents = { html: makeHtml('All chapters', 100), links: names }
  await sites.crawl({ 'a/contents': contents, ...Object.fromEntries(chapters) })
  await sites.catchUp()
  const { hits } = await sites.index.find(makeIndexQuery('appl', { now: 0, groupsSimilar: false, limit: 100 }))
  const ofContents = hits.find(({ url }) => url === 'http://a.test/contents')
  assert.deepEqual([hits.length, hits[0]?.title, ofContents?.parts.linkRank], [61, 'Chapter 9', 1])
})
