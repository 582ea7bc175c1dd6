// The language of pages that leave it open.

import assert from 'node:assert/strict'
import { makeIndexQuery } from '../ports/contracts/testing/test-index.ts'
import { type IndexedSites, onEveryIndex } from './testing/indexed-sites.ts'

/** Detected as Norwegian, Dutch or English. */
const SHORT = 'Garden hose, brass fitting, 20 m, rubber, green.'
const ENGLISH = [
  'The old lighthouse stands on a rock above the bay, and every summer thousands of visitors climb its narrow stairs.',
  'Nobody who has kept a garden for a year will be surprised to hear that most of the work is waiting for rain.',
  'In late spring a strong colony raises a new queen, and the old queen leaves the hive with half of the bees.',
  'Storms build up in the afternoon, so leave the ridge early and keep away from single trees and metal ropes.',
]
const GERMAN = [
  'Der alte Leuchtturm steht auf einem Felsen über der Bucht, und jeden Sommer steigen Tausende die Treppe hinauf.',
  'Wer ein Jahr lang einen Garten hatte, der weiß, dass man die meiste Zeit damit verbringt, auf Regen zu warten.',
  'Im Frühling zieht ein starkes Volk eine neue Königin heran, und die alte verlässt mit vielen Bienen den Stock.',
  'Gewitter ziehen meist am Nachmittag auf, deshalb sollte man den Grat früh verlassen und Bäume meiden.',
  'Die Milch kommt jeden Morgen von den Höfen im Tal und wird am selben Tag zu Käse und Butter verarbeitet.',
  'Vor der Reise sollte man prüfen, ob der Pass noch gültig ist und welche Impfungen im Land verlangt werden.',
]

/** Archives pages without a declared language. */
async function keepAll({ keep }: IndexedSites, texts: Record<string, string>): Promise<void> {
  for (const [url, text] of Object.entries(texts)) await keep(url, `<title>A page</title><p>${text}</p>`)
}

const byName = (host: string, texts: string[]) => Object.fromEntries(texts.map((text, i) => [`${host}/${i + 1}`, text]))

async function languageOf({ index }: IndexedSites, url: string): Promise<string | null | undefined> {
  const { hits } = await index.find(makeIndexQuery(null, { now: 0, limit: 100, groupsSimilar: false }))
  return hits.find((hit) => hit.url === `http://${url}`)?.lang
}

onEveryIndex('a short page is in the language of its site, whichever is indexed first', async (sites) => {
  await keepAll(sites, { 'a/first': SHORT, 'b/first': SHORT })
  await sites.catchUp()
  assert.equal(await languageOf(sites, 'a.test/first'), await languageOf(sites, 'b.test/first'))
  assert.notEqual(await languageOf(sites, 'a.test/first'), 'en')
  await keepAll(sites, { ...byName('a', ENGLISH), 'a/last': `${SHORT} New.` })
  await sites.catchUp()
  assert.deepEqual([await languageOf(sites, 'a.test/first'), await languageOf(sites, 'a.test/last')], ['en', 'en'])
  // The words of the other site are still stemmed as in the most likely language.
  const { hits } = await sites.index.find(makeIndexQuery('hose', { now: 0, groupsSimilar: false }))
  assert.deepEqual(hits.map(({ url }) => url).sort(), ['http://a.test/first', 'http://a.test/last'])
})

onEveryIndex('a page that is clearly in another language than its site keeps it', async (sites) => {
  await keepAll(sites, { ...byName('a', ENGLISH), 'a/german': GERMAN[0] ?? '', 'a/short': SHORT })
  await sites.catchUp()
  assert.deepEqual([await languageOf(sites, 'a.test/german'), await languageOf(sites, 'a.test/short')], ['de', 'en'])
})

onEveryIndex('when most pages of a site are in another language, or gone, short ones follow', async (sites) => {
  await keepAll(sites, { ...byName('a', ENGLISH.slice(0, 2)), 'a/short': '12 345 67 890 12 345 67 890' })
  await sites.catchUp()
  assert.equal(await languageOf(sites, 'a.test/short'), 'en')
  const german = GERMAN.map((text, i) => [`a/de-${i}`, text] as const)
  await keepAll(sites, Object.fromEntries(german))
  await sites.catchUp()
  assert.equal(await languageOf(sites, 'a.test/short'), 'de')
  // New versions whose text has no language.
  await keepAll(sites, Object.fromEntries(german.map(([url]) => [url, '1 2 3 4 5 6 7 8 9 10 11 12 13 14'])))
  await sites.catchUp()
  assert.equal(await languageOf(sites, 'a.test/short'), 'en')
})
