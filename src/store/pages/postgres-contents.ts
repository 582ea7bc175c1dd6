// Archived payloads, looked up by digest and by fingerprint.

import type { ContentQuery, Contents, KnownContent } from '../../ports/pages.ts'
import type { Queryable } from '../postgres/query.ts'
import { toKnownPayload } from './known-payload.ts'
import { type DamagedRecord, markDamaged } from './postgres-damage.ts'
import { NearDuplicates, toTextFingerprint } from './postgres-near-duplicates.ts'

/** An unused payload may be deleted before a report that relies on it arrives. */
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

  async find(wanted: ContentQuery[]): Promise<KnownContent[]> {
    const digests = wanted.map(({ digest }) => Buffer.from(digest, 'hex'))
    const fingerprints = wanted.flatMap(({ url, fingerprint }) => toTextFingerprint(url, fingerprint) ?? [])
    const nearDuplicates = new NearDuplicates()
    const [{ rows }] = await Promise.all([
      this.#db.query({ ...BY_DIGEST, values: [digests] }),
      nearDuplicates.load(this.#db, fingerprints),
    ])
    const known = new Map(rows.map((row) => [String(row['digest']), row]))
    return wanted.map(({ url, digest, fingerprint }) => {
      const textFingerprint = toTextFingerprint(url, fingerprint)
      return {
        ...toKnownPayload(known.get(digest)),
        resembles: textFingerprint === null ? null : nearDuplicates.find(textFingerprint).page,
      }
    })
  }

  markDamaged(places: DamagedRecord[]): Promise<number> {
    return markDamaged(this.#db, places)
  }
}
