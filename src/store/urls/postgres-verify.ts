// Checks the invariants of counters and rows by recounting. Each rule is one query that must find nothing.

import type { FailedCheck } from '../../ports/urls.ts'
import {
  BLOCKED_HOST,
  IN_PROGRESS,
  QUEUED,
  REMOVING,
  REQUISITE_KIND,
  SITEMAP_KIND,
  stateCode,
  TERMINAL_CODES,
  TOO_DEEP,
} from '../encoding/state-codes.ts'
import { IS_KNOWN_PAGE_SQL } from '../frontier/revisit-row.ts'
import type { Connections, Queryable } from '../postgres/query.ts'
import { inSnapshot } from '../postgres/snapshot.ts'

const OPEN = `(${QUEUED}, ${IN_PROGRESS})`
const EXCLUDED = stateCode('excluded')
const IS_VISIT_OF_U = 'v.crawl = u.crawl and v.host = u.host and v.url_id = u.id'

/** Each statement finds broken rows: their number, and one id as an example. $1 is the crawl. */
const RULES: [rule: string, sql: string][] = [
  [
    'a finished URL has a visit, or a reason for having none',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = $1 and u.state not in ${OPEN} and u.state <> ${EXCLUDED}
       and not (u.state = ${stateCode('failed')} and coalesce(u.reason, '') ~ '^host_(unresponsive|overloaded)')
       and not exists (select 1 from visits v where ${IS_VISIT_OF_U} and v.state = u.state and (v.attempt = u.attempts
         or exists (select 1 from revisits r where r.crawl = u.crawl and r.host = u.host and r.url_id = u.id)))`,
  ],
  [
    'an excluded URL has a reason',
    `select count(*) as n, min(id) as id from urls where crawl = $1 and state = ${EXCLUDED} and reason is null`,
  ],
  [
    'a limit does not exclude a URL that was visited',
    `select count(*) as n, min(u.id) as id
       from urls u join revisits r on r.crawl = u.crawl and r.host = u.host and r.url_id = u.id
       where u.crawl = $1 and u.state = ${EXCLUDED} and u.reason in ('${TOO_DEEP}', '${BLOCKED_HOST}', 'max_pages')
         and r.visits > 0`,
  ],
  [
    'every URL has a known state',
    `select count(*) as n, min(id) as id from urls where crawl = $1
       and state not in (${QUEUED}, ${IN_PROGRESS}, ${TERMINAL_CODES.map(([, code]) => code).join(', ')})`,
  ],
  [
    'a URL has as many visits as attempts',
    `select count(*) as n, min(u.id) as id from urls u
       left join (select host, url_id, count(*) as visits from visits where crawl = $1 group by host, url_id) v
         on v.host = u.host and v.url_id = u.id
       where u.crawl = $1 and u.attempts <> coalesce(v.visits, 0)`,
  ],
  [
    // Behind a shorter path that is not applied yet, URLs still have their old depth. A parent may have become a redirect,
    // or may no longer be one, when it was visited again.
    'a URL is one step deeper than its parent',
    `select count(*) as n, min(u.id) as id from urls u join urls p on p.crawl = u.crawl and p.id = u.parent
       where u.crawl = $1 and u.depth <> p.depth + (p.state <> ${stateCode('redirected')})::int
       and not (u.kind = ${SITEMAP_KIND} and p.kind = ${SITEMAP_KIND} and u.depth = p.depth)
       and not (u.kind = ${REQUISITE_KIND} and u.depth = 0)
       and not (u.depth in (p.depth, p.depth + 1) and exists
         (select 1 from revisits r where r.crawl = p.crawl and r.host = p.host and r.url_id = p.id))
       and not exists (select 1 from detours d where d.crawl = p.crawl and d.host = p.host and d.url_id = p.id)`,
  ],
  [
    'the parent of a URL is in the same crawl',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = $1 and u.parent is not null
       and not exists (select 1 from urls p where p.crawl = u.crawl and p.id = u.parent)`,
  ],
  [
    'only seeds have no parent',
    'select count(*) as n, min(id) as id from urls where crawl = $1 and parent is null and depth <> 0',
  ],
  [
    'a URL has one row',
    `select count(*) as n, min(id) as id
       from (select min(id) as id from urls where crawl = $1 group by url having count(*) > 1) twice`,
  ],
  [
    'a URL has a known host',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = $1
       and not exists (select 1 from hosts h where h.id = u.host)`,
  ],
  [
    'a finished crawl has no open URLs',
    `select count(*) as n, min(u.id) as id from urls u join crawls c on c.id = u.crawl
       where u.crawl = $1 and u.state in ${OPEN} and c.status not in ('running', 'paused')`,
  ],
  [
    // An expired lease exists until its URLs are requeued.
    'a URL in progress has a lease on its host',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = $1 and u.state = ${IN_PROGRESS} and not exists
       (select 1 from leases l where l.token = u.lease and l.crawl = u.crawl and l.host = u.host)`,
  ],
  [
    'a host with queued URLs is in the queue',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = $1 and u.state = ${QUEUED} and not exists
       (select 1 from queues q where q.crawl = u.crawl and q.host = u.host)`,
  ],
  [
    'a finished crawl has no pending shorter paths',
    `select count(*) as n, min(d.url_id) as id from detours d join crawls c on c.id = d.crawl
       where d.crawl = $1 and c.status not in ('running', 'paused')`,
  ],
]

const REQUISITES = `select count(*) as requisites from urls
  where crawl = $1 and state = ${stateCode('visited')} and kind = ${REQUISITE_KIND}`

/** URLs that are queued for a revisit have no due time. */
const REVISITS = `select count(*) filter (where r.due_at is null) as open_revisits,
    count(*) filter (where ${IS_KNOWN_PAGE_SQL}) as known_pages
  from revisits r join urls u on u.crawl = r.crawl and u.id = r.url_id and u.host = r.host where r.crawl = $1`

export function verifyCrawl(db: Connections, crawl: number): Promise<FailedCheck[]> {
  return inSnapshot(db, async (connection) => {
    const findings: FailedCheck[] = []
    // In a partly removed crawl, URLs lack rows that were deleted before them.
    for (const [rule, text] of (await isRemoving(connection, crawl)) ? [] : RULES) {
      const [row] = (await connection.query({ text, values: [crawl] })).rows
      const count = Number(row?.['n'] ?? 0)
      if (count > 0) findings.push({ rule, detail: `${count} rows break this rule, for example URL id ${row?.['id']}` })
    }
    return [...findings, ...(await recount(connection, crawl))]
  })
}

async function isRemoving(db: Queryable, crawl: number): Promise<boolean> {
  const text = `select 1 from crawls where id = $1 and closing = '${REMOVING}'`
  return (await db.query({ text, values: [crawl] })).rows.length > 0
}

/** G4: the counters of the crawl, over all threads, equal a recount of its rows. */
async function recount(db: Queryable, crawl: number): Promise<FailedCheck[]> {
  const text = 'select state, count(*) as n from urls where crawl = $1 group by state'
  const { rows } = await db.query({ text, values: [crawl] })
  const counted = new Map(rows.map((row) => [Number(row['state']), Number(row['n'])]))
  const countOf = (codes: number[]) => codes.reduce((sum, code) => sum + (counted.get(code) ?? 0), 0)
  const [revisits] = (await db.query({ text: REVISITS, values: [crawl] })).rows
  const [requisites] = (await db.query({ text: REQUISITES, values: [crawl] })).rows
  const states: [string, number[]][] = [
    ['open', [QUEUED, IN_PROGRESS]],
    ['in_progress', [IN_PROGRESS]],
    ...TERMINAL_CODES.map(([name, code]): [string, number[]] => [name, [code]]),
  ]
  const counts: [string, number][] = [
    ...states.map(([name, codes]): [string, number] => [name, countOf(codes)]),
    ...['open_revisits', 'known_pages'].map((name): [string, number] => [name, Number(revisits?.[name])]),
    ['requisites', Number(requisites?.['requisites'])],
  ]
  const sums = counts.map(([name]) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ')
  const [counters] = (await db.query({ text: `select ${sums} from counters where crawl = $1`, values: [crawl] })).rows
  return counts.flatMap(([name, count]) => {
    const counter = Number(counters?.[name])
    if (counter === count) return []
    return [{ rule: 'counters equal a recount', detail: `${name} is ${counter}, counted ${count}` }]
  })
}
