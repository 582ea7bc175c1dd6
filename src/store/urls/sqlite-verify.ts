// Checks the invariants of counters and rows by recounting. Each rule is one query that must find nothing.

import type { DatabaseSync } from 'node:sqlite'
import type { FailedCheck } from '../../ports/urls.ts'
import {
  BLOCKED_HOST,
  QUEUED,
  REMOVING,
  REQUISITE_KIND,
  SITEMAP_KIND,
  stateCode,
  TERMINAL_CODES,
  TOO_DEEP,
} from '../encoding/state-codes.ts'
import { IS_KNOWN_PAGE_SQL } from '../frontier/revisit-row.ts'

/** Each statement finds broken rows: their number, and one id as an example. `?` is the crawl. */
const RULES: [rule: string, sql: string][] = [
  [
    'a finished URL has a visit, or a reason for having none',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = ? and u.state not in (${QUEUED}, ${stateCode('excluded')})
       and not (u.state = ${stateCode('failed')} and (u.reason like 'host_unresponsive%' or u.reason like 'host_overloaded%'))
       and not exists (select 1 from visits v where v.url_id = u.id and v.state = u.state
         and (v.attempt = u.attempts or exists (select 1 from revisits r where r.url_id = u.id)))`,
  ],
  [
    'an excluded URL has a reason',
    `select count(*) as n, min(id) as id from urls where crawl = ? and state = ${stateCode('excluded')} and reason is null`,
  ],
  [
    'a limit does not exclude a URL that was visited',
    `select count(*) as n, min(u.id) as id from urls u join revisits r on r.url_id = u.id where u.crawl = ?
       and u.state = ${stateCode('excluded')} and u.reason in ('${TOO_DEEP}', '${BLOCKED_HOST}', 'max_pages') and r.visits > 0`,
  ],
  [
    'every URL has a known state',
    `select count(*) as n, min(id) as id from urls where crawl = ? and state not in
       (${QUEUED}, ${TERMINAL_CODES.map(([, code]) => code).join(', ')})`,
  ],
  [
    'a URL has as many visits as attempts',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = ?
       and u.attempts <> (select count(*) from visits v where v.url_id = u.id)`,
  ],
  [
    // The parent may have become a redirect, or may no longer be one, when it was visited again.
    'a URL is one step deeper than its parent',
    `select count(*) as n, min(u.id) as id from urls u join urls p on p.id = u.parent where u.crawl = ?
       and (p.crawl <> u.crawl or u.depth <> p.depth + (p.state <> ${stateCode('redirected')}))
       and not (u.kind = ${SITEMAP_KIND} and p.kind = ${SITEMAP_KIND} and u.depth = p.depth)
       and not (u.kind = ${REQUISITE_KIND} and u.depth = 0)
       and not (exists (select 1 from revisits r where r.url_id = p.id) and u.depth in (p.depth, p.depth + 1))`,
  ],
  [
    'only seeds have no parent',
    `select count(*) as n, min(id) as id from urls where crawl = ? and parent is null and depth <> 0`,
  ],
  [
    'a URL has one row',
    `select count(*) as n, min(id) as id from (select min(id) as id from urls where crawl = ? group by url having count(*) > 1)`,
  ],
  [
    'a URL has a known host',
    `select count(*) as n, min(u.id) as id from urls u where u.crawl = ? and not exists (select 1 from hosts h where h.id = u.host)`,
  ],
  [
    'a finished crawl has no open URLs',
    `select count(*) as n, min(u.id) as id from urls u join crawls c on c.id = u.crawl
       where u.crawl = ? and u.state = ${QUEUED} and c.status not in ('running', 'paused')`,
  ],
]

/** URLs that are queued for a revisit have no due time. */
const REVISITS = `select coalesce(sum(r.due_at is null), 0) as open_revisits, coalesce(sum(${IS_KNOWN_PAGE_SQL}), 0) as known_pages
  from revisits r join urls u on u.id = r.url_id where r.crawl = ?`

const REQUISITES = `select count(*) as requisites from urls
  where crawl = ? and state = ${stateCode('visited')} and kind = ${REQUISITE_KIND}`

export function verifyCrawl(db: DatabaseSync, crawl: number): FailedCheck[] {
  const findings: FailedCheck[] = []
  // One read transaction, so that all rules see the same state of a running crawl.
  db.exec('begin')
  try {
    // In a partly removed crawl, URLs lack rows that were deleted before them.
    const isRemoving =
      db.prepare('select 1 from crawls where id = ? and closing = ?').get(crawl, REMOVING) !== undefined
    for (const [rule, sql] of isRemoving ? [] : RULES) {
      const row = db.prepare(sql).get(crawl)
      const count = Number(row?.['n'] ?? 0)
      if (count > 0) findings.push({ rule, detail: `${count} rows break this rule, for example URL id ${row?.['id']}` })
    }
    findings.push(...recount(db, crawl), ...checkIntegrity(db))
  } finally {
    db.exec('commit')
  }
  return findings
}

/** G4: the counters of the crawl equal a recount of its rows. */
function recount(db: DatabaseSync, crawl: number): FailedCheck[] {
  const rows = db.prepare('select state, count(*) as n from urls where crawl = ? group by state').all(crawl)
  const counted = new Map(rows.map((row) => [Number(row['state']), Number(row['n'])]))
  const counters = db.prepare('select * from crawls where id = ?').get(crawl)
  const states: [string, number][] = [['open', QUEUED], ...TERMINAL_CODES]
  const revisits = db.prepare(REVISITS).get(crawl)
  const counts: [string, number][] = [
    ...states.map(([name, code]): [string, number] => [name, counted.get(code) ?? 0]),
    ...['open_revisits', 'known_pages'].map((name): [string, number] => [name, Number(revisits?.[name])]),
    ['requisites', Number(db.prepare(REQUISITES).get(crawl)?.['requisites'])],
  ]
  return counts.flatMap(([name, count]) => {
    const counter = Number(counters?.[name])
    if (counter === count) return []
    return [{ rule: 'counters equal a recount', detail: `${name} is ${counter}, counted ${count}` }]
  })
}

function checkIntegrity(db: DatabaseSync): FailedCheck[] {
  const rows = db.prepare('pragma quick_check(5)').all()
  return rows
    .map((row) => String(row['quick_check']))
    .filter((text) => text !== 'ok')
    .map((detail) => ({ rule: 'the file is intact', detail }))
}
