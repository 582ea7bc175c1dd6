// Which of several versions of a document is shown.

import assert from 'node:assert/strict'
import type { IndexQuery } from '../../search.ts'
import { makeDocument, makeIndexQuery, NOW, type TestIndex, termNode } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

const PRINT = 0xab_cdef_0123_4567n
/** Eight of 56 bits differ: not a near-duplicate. */
const EDITED = PRINT ^ 0x11_1100_0001_1110n
const OTHER = PRINT ^ 0x55_5555_5555_5555n

interface TestVersion {
  /** `host/path`. */
  at: string
  title?: string
  print?: bigint
  linkRank?: number
  changedAt?: number
  body?: string
}

async function writeVersions(testIndex: TestIndex, versions: TestVersion[]): Promise<void> {
  const documents = versions.map(({ at, title = 'os', print = PRINT, body = 'apple', ...changes }, i) => {
    const [host = ''] = at.split('/')
    const terms = { body, title: title.toLowerCase() }
    return makeDocument(i + 1, { url: `http://${at}`, host, title, fingerprint: String(print), terms, ...changes })
  })
  await testIndex.write(documents)
}

/** The URLs of hits without their scheme, each with the number of hits grouped under it. */
async function find({ index }: TestIndex, changes: Partial<IndexQuery> = {}): Promise<[string, number][]> {
  const { hits } = await index.find(makeIndexQuery('apple', changes))
  return hits.map(({ url, similar }) => [url.replace('http://', ''), similar])
}

export const VERSION_CASES: SearchCases = {
  async 'versions of a document are grouped under the newest, at the place of the best'(testIndex) {
    await writeVersions(testIndex, [
      { at: 'a.test/3.9/library/os.html', title: 'os - Python 3.9', print: EDITED, linkRank: 1 },
      { at: 'a.test/3.10/library/os.html', title: 'os - Python 3.10' },
      { at: 'a.test/3.2/library/os.html', title: 'os - Python 3.2', print: EDITED, linkRank: 0.2 },
      { at: 'b.test/3.11/library/os.html', title: 'os - Python 3.11', print: OTHER, linkRank: 0.5 },
    ])
    assert.deepEqual(await find(testIndex), [
      ['a.test/3.10/library/os.html', 2],
      ['b.test/3.11/library/os.html', 0],
    ])
    assert.equal((await find(testIndex, { groupsSimilar: false })).length, 4)
  },

  async 'the current version of a document comes before numbers'(testIndex) {
    await writeVersions(testIndex, [
      { at: 'a.test/docs/v2.4/x', linkRank: 1 },
      { at: 'a.test/docs/stable/x', print: EDITED },
      { at: 'a.test/docs/main/x', linkRank: 0.5 },
      { at: 'b.test/docs/v3/x', print: OTHER, linkRank: 1 },
      { at: 'b.test/docs/x', print: OTHER ^ 3n },
    ])
    assert.deepEqual((await find(testIndex)).sort(), [
      ['a.test/docs/stable/x', 2],
      ['b.test/docs/x', 1],
    ])
  },

  async 'without an order of versions, the near-duplicate with the most links is shown'(testIndex) {
    await writeVersions(testIndex, [
      { at: 'a.test/bookworm/x', body: 'apple apple apple' },
      { at: 'a.test/trixie/x', linkRank: 0.9 },
      { at: 'a.test/sid/x', linkRank: 0.1 },
      // Copies elsewhere do not take the place of the best.
      { at: 'b.test/copy/x', linkRank: 1 },
    ])
    assert.deepEqual(await find(testIndex), [['a.test/trixie/x', 3]])
  },

  async 'pages that are not versions of one document are not grouped'(testIndex) {
    await writeVersions(testIndex, [
      { at: 'a.test/1.1/x' },
      // Another text, another title, another page, another host; numbers of things.
      { at: 'a.test/1.2/x', print: OTHER },
      { at: 'a.test/1.3/x', print: EDITED, title: 'sys' },
      { at: 'a.test/1.4/y', print: EDITED ^ 0xf_0000n },
      { at: 'b.test/1.5/x', print: EDITED ^ 0xf0_0000n },
      { at: 'c.test/item/1200/x', print: PRINT ^ 0xff00_0000n },
      { at: 'c.test/item/1201/x', print: PRINT ^ 0xff_0000_0000n },
    ])
    assert.equal((await find(testIndex)).length, 7)
  },

  async 'a newer version is not shown if it is less about the query'(testIndex) {
    const long = Array.from({ length: 300 }, (_, i) => `w${i}`).join(' ')
    await writeVersions(testIndex, [
      { at: 'a.test/1.1/x', body: 'apple apple pear' },
      { at: 'a.test/1.2/x', body: 'pear' },
      { at: 'a.test/1.3/x', body: `apple ${long}` },
      { at: 'b.test/1', body: 'fig', print: OTHER },
    ])
    assert.deepEqual(await find(testIndex), [['a.test/1.1/x', 1]])
    const parts = [termNode('apple'), termNode('pear')]
    const { hits } = await testIndex.index.find(
      makeIndexQuery({ kind: 'and', parts }, { anyWord: { kind: 'or', parts } }),
    )
    assert.deepEqual(
      hits.map(({ url, similar }) => [url, similar]),
      [['http://a.test/1.1/x', 2]],
    )
  },

  async 'sorted by time, the version that changed last is shown'(testIndex) {
    await writeVersions(testIndex, [
      { at: 'a.test/1.1/x', changedAt: NOW - 1000 },
      { at: 'a.test/1.2/x', changedAt: NOW - 9000 },
      { at: 'b.test/1/x', print: OTHER, changedAt: NOW - 5000 },
    ])
    assert.deepEqual(await find(testIndex, { sort: 'newest' }), [
      ['a.test/1.1/x', 1],
      ['b.test/1/x', 0],
    ])
  },
}
