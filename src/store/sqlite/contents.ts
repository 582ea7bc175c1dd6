// Which payloads the archive holds, by digest and by likeness, and the page versions that point at them.

import type { DatabaseSync } from 'node:sqlite'
import type { Contents, KnownContent, PageReport, WantedContent } from '../../ports/pages.ts'
import { urlHash } from './url-hash.ts'

/** Fingerprints that differ in so many bits at most are of the same text. */
const NEAR_BITS = 3
/** Candidates compared for one page: some texts, such as that of an empty shop, share a quarter with thousands. */
const MAX_CANDIDATES = 200

export interface KeptVisit {
  urlId: number
  url: string
  attempt: number
  visitedAt: number
}

export class SqliteContents implements Contents {
  readonly #byDigest
  readonly #candidates
  readonly #segment
  readonly #addSegment
  readonly #addContent
  readonly #contentId
  readonly #lastVersion
  readonly #addPage
  readonly #addQuarter

  constructor(db: DatabaseSync) {
    this.#byDigest = db.prepare(
      'select u.url, c.fetched_at from contents c join urls u on u.id = c.url_id where c.digest = ?',
    )
    this.#candidates = db.prepare(
      `select fingerprint, page from fingerprints where quarter = ? limit ${MAX_CANDIDATES}`,
    )
    this.#segment = db.prepare('select id from segments where name = ?')
    this.#addSegment = db.prepare('insert into segments (name) values (?) returning id')
    this.#addContent = db.prepare(
      `insert into contents (digest, segment, offset, length, url_id, fetched_at) values (?, ?, ?, ?, ?, ?)
       on conflict (digest) do nothing`,
    )
    this.#contentId = db.prepare('select id from contents where digest = ?')
    this.#lastVersion = db.prepare(
      `select p.content, p.changes, p.first_seen_at from pages p join urls u on u.id = p.url_id
       where p.url_hash = ? and u.url = ? order by p.visited_at desc limit 1`,
    )
    this.#addPage = db.prepare(
      `insert into pages (url_id, attempt, url_hash, visited_at, content, wire_bytes, charset, lang, description, keywords,
         words, fingerprint, resembles, note, changes, first_seen_at, segment, offset, length)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
         coalesce(?16, (select first_seen_at from urls where id = ?1)), ?17, ?18, ?19)
       returning id`,
    )
    this.#addQuarter = db.prepare('insert or ignore into fingerprints (quarter, fingerprint, page) values (?, ?, ?)')
    for (const statement of [this.#candidates, this.#lastVersion]) statement.setReadBigInts(true)
  }

  async find(wanted: WantedContent[]): Promise<KnownContent[]> {
    return wanted.map(({ digest, fingerprint }) => {
      const row = this.#byDigest.get(Buffer.from(digest, 'hex'))
      const sameAs = row === undefined ? null : { url: String(row['url']), fetchedAt: Number(row['fetched_at']) }
      return { sameAs, resembles: fingerprint === null ? null : this.#nearest(fingerprint) }
    })
  }

  /** Writes one version of a url; the payload it points at is written once. */
  add(visit: KeptVisit, page: PageReport): void {
    const digest = Buffer.from(page.digest, 'hex')
    const segment = page.position === null ? null : this.#segmentId(page.position.segment)
    if (page.position !== null && page.hasPayload) {
      const { offset, length } = page.position
      this.#addContent.run(digest, segment, offset, length, visit.urlId, visit.visitedAt)
    }
    const content = page.position === null ? null : Number(this.#contentId.get(digest)?.['id'])
    const hash = urlHash(visit.url)
    const last = this.#lastVersion.get(hash, visit.url)
    const isChanged = last !== undefined && Number(last['content']) !== content
    const resembles = page.resembles ?? (page.fingerprint === null ? null : this.#nearest(page.fingerprint))
    const row = this.#addPage.get(
      visit.urlId,
      visit.attempt,
      hash,
      visit.visitedAt,
      content,
      page.wireBytes,
      page.charset,
      page.lang,
      page.description,
      page.keywords,
      page.words,
      page.fingerprint,
      resembles,
      page.note,
      last === undefined ? 0 : Number(last['changes']) + (isChanged ? 1 : 0),
      last === undefined ? null : Number(last['first_seen_at']),
      segment,
      page.position?.offset ?? null,
      page.position?.length ?? null,
    )
    // A page that resembles another adds nothing to be found: what resembles it resembles that other one too, nearly.
    if (page.fingerprint !== null && resembles === null && row !== undefined) {
      for (const quarter of quartersOf(page.fingerprint))
        this.#addQuarter.run(quarter, page.fingerprint, Number(row['id']))
    }
  }

  #segmentId(name: string): number {
    return Number((this.#segment.get(name) ?? this.#addSegment.get(name))?.['id'])
  }

  #nearest(fingerprint: bigint): number | null {
    for (const quarter of quartersOf(fingerprint)) {
      for (const row of this.#candidates.iterate(quarter)) {
        if (bitsApart(fingerprint, row['fingerprint'] as bigint) <= NEAR_BITS) return Number(row['page'])
      }
    }
    return null
  }
}

/** Fourteen bits each of the 56 that a fingerprint has, told apart by the two above them. */
function quartersOf(fingerprint: bigint): number[] {
  const lo = Number(fingerprint & 0xfff_ffffn)
  const hi = Number((fingerprint >> 28n) & 0xfff_ffffn)
  return [lo & 0x3fff, (1 << 14) | (lo >>> 14), (2 << 14) | (hi & 0x3fff), (3 << 14) | (hi >>> 14)]
}

function bitsApart(a: bigint, b: bigint): number {
  const bits = BigInt.asUintN(64, a ^ b)
  return popcount(Number(bits & 0xffff_ffffn)) + popcount(Number(bits >> 32n))
}

function popcount(value: number): number {
  let v = value - ((value >>> 1) & 0x5555_5555)
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
