// Which payloads the archive holds, by digest and by likeness.

import type { Contents, KnownContent, WantedContent } from '../../ports/pages.ts'
import { toKnown } from '../rows/known-content.ts'
import { type DamagedPlace, markDamaged } from './damage.ts'
import { Likeness, printOf } from './likeness.ts'
import type { Queryable } from './query.ts'

/** A payload that no page has may go before a report that counts on it has come. */
const BY_DIGEST = {
  name: 'contents_by_digest',
  text: `select encode(c.digest, 'hex') as digest, coalesce(c.url, u.url) as url, c.fetched_at, c.is_damaged
    from contents c left join urls u on u.crawl = c.crawl and u.id = c.url_id and u.host = c.host
    where c.digest = any($1::bytea[]) and c.unused_since is null`,
}

export class PostgresContents implements Contents {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async find(wanted: WantedContent[]): Promise<KnownContent[]> {
    const digests = wanted.map(({ digest }) => Buffer.from(digest, 'hex'))
    const prints = wanted.flatMap(({ url, fingerprint }) => printOf(url, fingerprint) ?? [])
    const likeness = new Likeness()
    const [{ rows }] = await Promise.all([
      this.#db.query({ ...BY_DIGEST, values: [digests] }),
      likeness.look(this.#db, prints),
    ])
    const known = new Map(rows.map((row) => [String(row['digest']), row]))
    return wanted.map(({ url, digest, fingerprint }) => {
      const print = printOf(url, fingerprint)
      return { ...toKnown(known.get(digest)), resembles: print === null ? null : likeness.near(print).page }
    })
  }

  markDamaged(places: DamagedPlace[]): Promise<number> {
    return markDamaged(this.#db, places)
  }
}
