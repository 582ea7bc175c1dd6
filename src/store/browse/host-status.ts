// How hosts are treated: their pace, whether they are blocked, and their robots.txt.

import type { HostStatus } from '../../ports/browse.ts'
import type { BrowseDb, Row } from './browse-db.ts'

interface Host {
  id: number
  name: string
}

/** Null if the store does not know the host name. */
export async function readHostStatus(db: BrowseDb, crawlId: string, name: string): Promise<HostStatus | null> {
  const { rowId } = await db.crawl(crawlId)
  const [row] = await db.rows('select id from hosts where name = $1', [name])
  if (row === undefined) return null
  const id = Number(row['id'])
  return (await readHostStatuses(db, rowId, [{ id, name }]))(id)
}

/** Statuses by host id. */
export async function readHostStatuses(
  db: BrowseDb,
  crawl: number,
  hosts: Host[],
): Promise<(id: number) => HostStatus> {
  const { dialect } = db
  const ids = dialect.list(hosts.map(({ id }) => id))
  const paces = await db.rows(
    `select id, name, gap_ms, strikes, next_at from hosts where ${dialect.isIn('id', '$1', 'number')}`,
    [ids],
  )
  const copies = await db.rows(
    `select origin, asked_at, status, problem from robots where ${dialect.isIn('origin', '$1', 'text')}`,
    [dialect.list(hosts.flatMap(({ name }) => originsOf(name)))],
  )
  const blocked = await db.rows(
    `select host from blocked_hosts where crawl = $1 and ${dialect.isIn('host', '$2', 'number')}`,
    [crawl, ids],
  )
  const rowOf = new Map(paces.map((row) => [Number(row['id']), row]))
  const copyOf = new Map(copies.map((row) => [String(row['origin']), row]))
  const isBlocked = new Set(blocked.map((row) => Number(row['host'])))
  return (id) => {
    const row = rowOf.get(id) ?? {}
    const known = originsOf(String(row['name'] ?? '')).map((origin) => copyOf.get(origin))
    const robots = known.filter((copy) => copy !== undefined).map(toCopy)
    return { ...toPace(row), isBlocked: isBlocked.has(id), robots }
  }
}

function originsOf(host: string): string[] {
  return [`http://${host}`, `https://${host}`]
}

function toPace(row: Row): Pick<HostStatus, 'gapMs' | 'strikes' | 'nextAt'> {
  const nextAt = Number(row['next_at'] ?? 0)
  return {
    gapMs: Number(row['gap_ms'] ?? 0),
    strikes: Number(row['strikes'] ?? 0),
    nextAt: nextAt === 0 ? null : nextAt,
  }
}

function toCopy(row: Row): HostStatus['robots'][number] {
  return {
    origin: String(row['origin']),
    askedAt: Number(row['asked_at']),
    status: row['status'] as number | null,
    problem: row['problem'] as string | null,
  }
}
