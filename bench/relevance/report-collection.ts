// Measures a judged collection on each engine, in each shape, and prints one table.

import { formatCount, formatFixed, printTable } from '../../test/testing/table.ts'
import { makeCollectionSite, type Shape } from './collection-site.ts'
import type { Engine } from './engines.ts'
import { type CollectionScores, measureCollection } from './measure-collection.ts'
import { readCollection } from './read-collection.ts'

export interface CollectionRow extends CollectionScores {
  engine: string
  shape: Shape
}

const COLUMNS = ['engine', 'shape', 'nDCG@10', 'MAP', 'recall@100', 'empty', 'CPU p50', 'CPU p95']

export async function reportCollection(folder: string, engines: Engine[], shapes: Shape[]): Promise<CollectionRow[]> {
  const collection = readCollection(folder)
  const rows: CollectionRow[] = []
  for (const engine of engines) {
    for (const shape of shapes) {
      const search = await engine.open(makeCollectionSite(collection, shape))
      try {
        rows.push({ engine: engine.name, shape, ...(await measureCollection(collection, search, engine.readCpuMs)) })
      } finally {
        await search.close()
      }
    }
  }
  const { name, documents, queries } = collection
  printTable(
    `${name}: ${formatCount(queries.length)} queries, ${formatCount(documents.length)} documents, CPU in ms per query`,
    COLUMNS,
    rows.map(toCells),
  )
  return rows
}

function toCells({ engine, shape, ndcg10, map, recall100, empty, cpuP50Ms, cpuP95Ms }: CollectionRow): string[] {
  const scores = [ndcg10, map, recall100].map((score) => formatFixed(score, 4))
  return [engine, shape, ...scores, formatCount(empty), formatFixed(cpuP50Ms, 1), formatFixed(cpuP95Ms, 1)]
}
