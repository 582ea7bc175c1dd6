import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BatchHostCounts } from './host-counts.ts'

it('a version takes the place of the one before, in the batch or from before it, and not of a later one', () => {
  const known = { lines: new Map([[1, 4]]), languages: new Map([['en', 4]]) }
  const hosts = new BatchHostCounts(new Map([['a.test', known]]))
  const counts = () => {
    const { lines, languages } = hosts.counterOf('a.test')
    return [Object.fromEntries(lines.counts), Object.fromEntries(languages.counts)]
  }
  const [url, before] = ['http://a.test/x', { version: 1, lines: [1], ownLang: 'en' }]
  assert.equal(hosts.removeUpToVersion(url, 2, before), true)
  hosts.add(url, { version: 2, lines: [1, 2], ownLang: 'de' })
  assert.deepEqual(counts(), [
    { 1: 4, 2: 1 },
    { en: 3, de: 1 },
  ])
  assert.equal(hosts.removeUpToVersion(url, 1, before), false)
  assert.equal(hosts.removeUpToVersion(url, 3, before), true)
  assert.deepEqual(counts(), [{ 1: 3 }, { en: 3 }])
  assert.equal(hosts.removeUpToVersion(url, 4, before), true)
  assert.deepEqual(counts(), [{ 1: 3 }, { en: 3 }])
})
