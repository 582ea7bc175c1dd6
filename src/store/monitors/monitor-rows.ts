// Converts the rows of monitors, protected documents and hits.

import type {
  Evidence,
  Hit,
  MonitorChanges,
  MonitorCounts,
  MonitorRow,
  MonitorRule,
  ProtectedDocument,
  SeenState,
} from '../../ports/monitors.ts'

type Row = Record<string, unknown>

const OWN_COLUMNS = ['id', 'monitor', 'page', 'url', 'version', 'title', 'visited_at', 'at', 'evidence', 'is_muted']
export const HIT_COLUMNS = ['c.uuid as crawl', ...[...OWN_COLUMNS, 'acknowledged_at'].map((name) => `h.${name}`)].join(
  ', ',
)

export function toMonitor(row: Row): MonitorRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    rule: JSON.parse(String(row['rule'])) as MonitorRule,
    crawlIds: JSON.parse(String(row['crawls'])) as string[],
    include: JSON.parse(String(row['include'])) as string[],
    exclude: JSON.parse(String(row['exclude'])) as string[],
    isMuted: Boolean(row['is_muted']),
    createdAt: Number(row['created_at']),
  }
}

/** Columns and values of the fields that are there. */
export function toMonitorColumns({ name, rule, crawlIds, include, exclude, isMuted }: MonitorChanges): {
  column: string
  value: string | boolean
}[] {
  const json = (column: string, value: unknown) =>
    value === undefined ? [] : [{ column, value: JSON.stringify(value) }]
  return [
    ...(name === undefined ? [] : [{ column: 'name', value: name }]),
    ...json('rule', rule),
    ...json('crawls', crawlIds),
    ...json('include', include),
    ...json('exclude', exclude),
    ...(isMuted === undefined ? [] : [{ column: 'is_muted', value: isMuted }]),
  ]
}

export interface CountRows {
  monitors: Row[]
  hits: Row[]
  documents: Row[]
  mutes: Row[]
}

export function toMonitorCounts({ monitors, hits, documents, mutes }: CountRows): Record<string, MonitorCounts> {
  const counts: Record<string, MonitorCounts> = {}
  for (const row of monitors) {
    const deleted = { deletedHits: Number(row['deleted_hits']), droppedHits: Number(row['dropped_hits']) }
    const none = { hits: 0, openHits: 0, lastHitAt: null, documents: 0, words: 0, mutedUrls: [] }
    counts[String(row['id'])] = { ...none, ...deleted }
  }
  const of = (row: Row) => counts[String(row['monitor'])]
  for (const row of hits) {
    const last = row['last'] === null ? null : Number(row['last'])
    Object.assign(of(row) ?? {}, { hits: Number(row['hits']), openHits: Number(row['open']), lastHitAt: last })
  }
  for (const row of documents) {
    Object.assign(of(row) ?? {}, { documents: Number(row['documents']), words: Number(row['words']) })
  }
  for (const row of mutes) of(row)?.mutedUrls.push(String(row['url']))
  return counts
}

export function toDocument(row: Row): ProtectedDocument {
  return {
    id: String(row['id']),
    monitorId: String(row['monitor']),
    title: String(row['title']),
    url: row['url'] as string | null,
    words: Number(row['words']),
    addedAt: Number(row['added_at']),
  }
}

export function toHit(row: Row): Hit {
  const acknowledgedAt = row['acknowledged_at']
  return {
    id: Number(row['id']),
    monitorId: String(row['monitor']),
    crawlId: String(row['crawl']),
    pageId: Number(row['page']),
    url: String(row['url']),
    version: Number(row['version']),
    title: row['title'] as string | null,
    visitedAt: Number(row['visited_at']),
    at: Number(row['at']),
    evidence: JSON.parse(String(row['evidence'])) as Evidence,
    isMuted: Boolean(row['is_muted']),
    acknowledgedAt: acknowledgedAt === null ? null : Number(acknowledgedAt),
  }
}

export function toSeenStates(rows: Row[]): Record<string, SeenState> {
  return Object.fromEntries(
    rows.map((row) => {
      const seen = { visitedAt: Number(row['visited_at']), pageId: Number(row['page']), state: String(row['state']) }
      return [String(row['monitor']), seen]
    }),
  )
}
