// Known-item search: the queries that people type when they look for a page they know. Prints how often the right page is
// the first hit or among the first ten, every query where it is not the first, and what the queries cost.

import { readFileSync } from 'node:fs'
import { formatCount, formatFixed, printTable } from '../../test/testing/table.ts'
import type { Engine } from './engines.ts'
import { makeFolderSite } from './folder-site.ts'
import { measureQueries, type QueryCosts } from './measure-queries.ts'
import { mean, reciprocalRankAt } from './metrics.ts'

interface KnownItem {
  query: string
  /** The ends of the paths of the right pages; any of them will do. */
  answers: string[]
}

interface KnownItemResult {
  query: string
  /** Rank starting at 1; null if no right page is among the first hits. */
  rank: number | null
  /** The path of the first hit; null without hits. */
  first: string | null
}

export interface KnownItemRow {
  engine: string
  mrr10: number
  success1: number
  success10: number
  empty: number
  items: KnownItemResult[]
  /** Costs by name of the query set. */
  costs: Record<string, QueryCosts>
}

/** Depth of the search for the right page, so that a near miss differs from a far one. */
const DEPTH = 100

/** `questions` are additional queries, run only to measure their cost. */
export async function reportKnownItems(
  file: string,
  { folders, questions }: { folders: string[]; questions: string[] },
  engines: Engine[],
): Promise<KnownItemRow[]> {
  const knownItems = JSON.parse(readFileSync(file, 'utf8')) as KnownItem[]
  const site = makeFolderSite('known-items', folders)
  const lost = knownItems.filter(({ answers }) => !site.paths.some((path) => isAnswer(path, answers)))
  if (lost.length > 0) throw new Error(`The folders lack the pages of: ${lost.map(({ query }) => query).join(', ')}`)
  const rows: KnownItemRow[] = []
  for (const engine of engines) {
    const search = await engine.open(site)
    const items: KnownItemResult[] = []
    const costs: KnownItemRow['costs'] = {}
    try {
      const sets = { 'known items': knownItems.map(({ query }) => query), questions }
      for (const [name, queries] of Object.entries(sets)) {
        if (queries.length > 0) costs[name] = await measureQueries(queries, search, engine.readCpuMs)
      }
      for (const { query, answers } of knownItems) {
        const paths = (await search.find(query, DEPTH)).map(({ url }) => new URL(url).pathname)
        const index = paths.findIndex((path) => isAnswer(path, answers))
        items.push({ query, rank: index === -1 ? null : index + 1, first: paths[0] ?? null })
      }
    } finally {
      await search.close()
    }
    rows.push({ ...summarise(engine.name, items), costs })
  }
  print(rows, knownItems.length)
  return rows
}

function isAnswer(path: string, answers: readonly string[]): boolean {
  return answers.some((answer) => path.endsWith(`/${answer}`))
}

function summarise(engine: string, items: KnownItemResult[]): Omit<KnownItemRow, 'costs'> {
  const shareWithin = (depth: number) => mean(items.map(({ rank }) => (rank !== null && rank <= depth ? 1 : 0)))
  return {
    engine,
    mrr10: mean(items.map(({ rank }) => reciprocalRankAt(10, rank))),
    success1: shareWithin(1),
    success10: shareWithin(10),
    empty: items.filter(({ first }) => first === null).length,
    items,
  }
}

function print(rows: KnownItemRow[], queries: number): void {
  printTable(
    `Known items: ${formatCount(queries)} queries`,
    ['engine', 'MRR@10', 'success@1', 'success@10', 'empty'],
    rows.map(({ engine, mrr10, success1, success10, empty }) => [
      engine,
      ...[mrr10, success1, success10].map((share) => formatFixed(share, 4)),
      formatCount(empty),
    ]),
  )
  printTable(
    'Cost, CPU in ms per query, and overlap with a search that scores every match',
    ['engine', 'queries', 'number', 'CPU p50', 'CPU p95', 'overlap@10', 'least'],
    rows.flatMap(({ engine, costs }) =>
      Object.entries(costs).map(([name, cost]) => [
        engine,
        name,
        formatCount(cost.queries),
        formatFixed(cost.cpuP50Ms, 1),
        formatFixed(cost.cpuP95Ms, 1),
        formatFixed(cost.overlap, 3),
        formatFixed(cost.leastOverlap, 1),
      ]),
    ),
  )
  for (const { engine, items } of rows) {
    const misses = items.filter(({ rank }) => rank !== 1)
    printTable(
      `Not first on ${engine}`,
      ['query', 'rank', 'first hit'],
      misses.map(({ query, rank, first }) => [query, String(rank ?? '-'), first ?? 'none']),
    )
  }
}
