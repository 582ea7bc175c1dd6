// The cookies of crawls. Every change gets the next version of its crawl, so that readers can request newer changes
// only. Writers lock the row of the crawl: versions are committed in order, and no reader skips one.

import { type Cookies, MAX_COOKIES } from '../../ports/cookies.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Database } from '../postgres/database.ts'
import type { Queryable } from '../postgres/query.ts'
import { toStoredCookie } from './stored-cookie.ts'

const FIND_CRAWL = `select id from crawls where uuid = $1 and closing is distinct from '${REMOVING}'`
const SAVE = `insert into cookies
    (crawl, domain, path, name, value, is_host_only, is_secure, expires_at, created_at, version)
  select $1, c.*, coalesce((select max(version) from cookies where crawl = $1), 0) + row_number() over ()
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::bigint[], $9::bigint[]) c
  on conflict (crawl, domain, path, name) do update set value = excluded.value, is_host_only = excluded.is_host_only,
    is_secure = excluded.is_secure, expires_at = excluded.expires_at, created_at = excluded.created_at,
    version = excluded.version`
const TRIM = `delete from cookies where crawl = $1 and version <=
  (select version from cookies where crawl = $1 order by version desc limit 1 offset ${MAX_COOKIES})`
const NEWER = {
  name: 'cookies_newer',
  text: 'select * from cookies where crawl = $1 and version > $2 order by version',
}

export function makeCookies(db: Database): Cookies {
  const readNewer = async (tx: Queryable, crawl: unknown, since: number) => {
    const { rows } = await tx.query({ ...NEWER, values: [crawl, since] })
    return { version: Number(rows.at(-1)?.['version'] ?? since), cookies: rows.map(toStoredCookie) }
  }
  return {
    exchange({ crawlId, changes, since }) {
      const work = async (tx: Queryable, lock: string) => {
        const [row] = (await tx.query({ text: `${FIND_CRAWL}${lock}`, values: [crawlId] })).rows
        if (row === undefined) return { version: since, cookies: [] }
        const { id } = row
        if (changes.length > 0) {
          const columns = [
            changes.map(({ domain }) => domain),
            changes.map(({ path }) => path),
            changes.map(({ name }) => name),
            changes.map(({ value }) => value),
            changes.map(({ isHostOnly }) => isHostOnly),
            changes.map(({ isSecure }) => isSecure),
            changes.map(({ expiresAt }) => expiresAt),
            changes.map(({ createdAt }) => createdAt),
          ]
          await tx.query({ text: SAVE, values: [id, ...columns] })
          await tx.query({ text: TRIM, values: [id] })
        }
        return readNewer(tx, id, since)
      }
      return db.withRetries(() =>
        changes.length === 0 ? work(db.pool, '') : db.transaction((tx) => work(tx, ' for no key update')),
      )
    },
  }
}
