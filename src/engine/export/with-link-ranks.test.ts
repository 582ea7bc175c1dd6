import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from './csv.ts'
import { toGraphml } from './graphml.ts'
import { toJsonl } from './jsonl.ts'
import { joinChunks, manyRows, sampleRow, stream } from './testing/sample-rows.ts'
import { type LinkRankSource, withLinkRanks } from './with-link-ranks.ts'
import { withParentUrls } from './with-parent-urls.ts'

/** Ranks for every third URL; counts the queries. */
function thirds(urls: number): LinkRankSource & { queries: number } {
  const all = Array.from({ length: urls }, (_, i) => ({ urlId: i + 1, linkRank: (i + 1) / urls }))
  const source = {
    queries: 0,
    async linkRanks(_crawlId: string, after: number, limit: number) {
      source.queries += 1
      return all.filter(({ urlId }) => urlId % 3 === 0 && urlId > after).slice(0, limit)
    },
  }
  return source
}

test('every URL has its own rank, and those without one have none', async () => {
  const index = thirds(9000)
  let seen = 0
  for await (const { id, linkRank } of withLinkRanks(manyRows(9000), 'c', index)) {
    assert.equal(linkRank, id % 3 === 0 ? id / 9000 : null)
    seen += 1
  }
  assert.deepEqual([seen, index.queries], [9000, 2])
})

test('ranks are found for rows that start in the middle and skip some', async () => {
  const rows = [5, 6, 12, 13, 8999, 9000].map((id) => sampleRow({ id }))
  const ranks: (number | null)[] = []
  for await (const { linkRank } of withLinkRanks(stream(rows), 'c', thirds(9000))) ranks.push(linkRank)
  assert.deepEqual(ranks, [null, 6 / 9000, 12 / 9000, null, null, 1])
})

test('the rank is a column of csv, json and graphml, empty if there is none', async () => {
  const rows = () => withLinkRanks(stream([sampleRow({ id: 2 }), sampleRow({ id: 3 })]), 'c', thirds(4))
  const csv = toCsv(withParentUrls(rows(), 'c', { urlsOf: async () => new Map() }))
  const [head = '', first = '', second = ''] = (await joinChunks(csv)).split('\r\n')
  assert.ok(head.includes(',link_rank,') && first.endsWith(',,,') && second.endsWith(',0.75,,'))
  const lines = (await joinChunks(toJsonl(rows()))).trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).link_rank),
    [null, 0.75],
  )
  const xml = await joinChunks(toGraphml(rows(), stream([])))
  assert.equal(xml.match(/<data key="link_rank">0\.75<\/data>/g)?.length, 1)
  assert.ok(xml.includes('<key id="link_rank" for="node" attr.name="link_rank" attr.type="double"/>'))
})

test('without an index no URL has a rank', async () => {
  for await (const { linkRank } of withLinkRanks(manyRows(3), 'c', null)) assert.equal(linkRank, null)
})
