// The benchmark of judged collections, on a collection of three documents.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeCollectionSite, SHAPES } from '../../bench/relevance/collection-site.ts'
import { startEngine } from '../../bench/relevance/engines.ts'
import { measureCollection } from '../../bench/relevance/measure-collection.ts'
import { readCollection } from '../../bench/relevance/read-collection.ts'

const DOCUMENTS = [
  { _id: 'birds', title: 'Migration of storks', text: 'Storks fly to Africa in autumn & return in spring.' },
  { _id: 'code', title: 'Parsing <html>', text: 'A tokenizer reads characters and emits tags.' },
  { _id: 'bread', title: '', text: 'Sourdough rises for a night before it is baked.' },
]
const QUERIES = [
  { _id: '1', text: 'storks africa' },
  { _id: '2', text: 'sourdough' },
  { _id: '3', text: 'zeppelin' },
  { _id: '4', text: 'a query without judgments' },
]
const JUDGMENTS = ['query-id\tcorpus-id\tscore', '1\tbirds\t2', '1\tcode\t0', '2\tbread\t1', '3\tcode\t1']

it('scores a collection in both shapes, and reuses the crawled data', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-collection-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const toLines = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(join(folder, 'corpus.jsonl'), toLines(DOCUMENTS))
  writeFileSync(join(folder, 'queries.jsonl'), toLines(QUERIES))
  writeFileSync(join(folder, 'qrels.tsv'), JUDGMENTS.join('\n'))
  const collection = readCollection(folder)
  assert.deepEqual(
    collection.queries.map(({ id }) => id),
    ['1', '2', '3'],
  )
  const engine = await startEngine('sqlite', { data: join(folder, 'data'), isKept: true, reindex: false })
  for (const shape of SHAPES) {
    const site = makeCollectionSite(collection, shape)
    await (await engine.open(site)).close()
    const respond = () => assert.fail('The site was crawled again.')
    const search = await engine.open({ ...site, respond })
    const scores = await measureCollection(collection, search, engine.readCpuMs)
    await search.close()
    assert.deepEqual(
      scores.queries.map(({ query, hits, ndcg10 }) => [query, hits > 0, ndcg10]),
      [
        ['1', true, 1],
        ['2', true, 1],
        ['3', false, 0],
      ],
    )
    assert.equal(scores.empty, 1)
  }
})
