// The cookies of crawls. Every change gets the next version of its crawl, so that readers can request newer changes
// only.

import type { DatabaseSync } from 'node:sqlite'
import { type CookieExchange, type Cookies, MAX_COOKIES } from '../../ports/cookies.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toStoredCookie } from './stored-cookie.ts'

export function makeCookies(db: DatabaseSync, transactions: Transactions): Cookies {
  const find = db.prepare(
    `select c.id, coalesce((select max(version) from cookies where crawl = c.id), 0) as version
     from crawls c where c.uuid = ? and c.closing is not '${REMOVING}'`,
  )
  const save = db.prepare(
    `insert or replace into cookies
       (crawl, domain, path, name, value, is_host_only, is_secure, expires_at, created_at, version)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const trim = db.prepare(
    `delete from cookies where crawl = :crawl and version <= coalesce(
       (select version from cookies where crawl = :crawl order by version desc limit 1 offset ${MAX_COOKIES}), 0)`,
  )
  const newer = db.prepare('select * from cookies where crawl = ? and version > ? order by version')

  const run = ({ crawlId, changes, since }: CookieExchange) => {
    const row = find.get(crawlId)
    if (row === undefined) return { version: since, cookies: [] }
    const crawl = Number(row['id'])
    let version = Number(row['version'])
    for (const { domain, path, name, value, isHostOnly, isSecure, expiresAt, createdAt } of changes) {
      version += 1
      const flags = [Number(isHostOnly), Number(isSecure)]
      save.run(crawl, domain, path, name, value, ...flags, expiresAt, createdAt, version)
    }
    if (changes.length > 0) trim.run({ crawl })
    return { version: Math.max(version, since), cookies: newer.all(crawl, since).map(toStoredCookie) }
  }
  return {
    async exchange(cookieExchange) {
      return cookieExchange.changes.length === 0 ? run(cookieExchange) : transactions.run(() => run(cookieExchange))
    },
  }
}
