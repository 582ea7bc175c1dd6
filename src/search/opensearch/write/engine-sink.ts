// Writes documents to the search engine, as the feed of the store says.

import { AppError } from '../../../lib/errors.ts'
import type { IndexDocument } from '../../../ports/search.ts'
import type { Database } from '../../../store/postgres/database.ts'
import type { Queryable, Row } from '../../../store/postgres/query.ts'
import type { DocumentSink, SinkDocument } from '../../postgres/write/document-sink.ts'
import type { SearchClient } from '../client.ts'
import { DocumentIndexer, type StoredDocument, toStoredDocument } from '../document-source.ts'
import type { Indices } from '../indices.ts'
import { indexName, type Place, readPlace, routingOf, writePlace } from '../place.ts'
import { readDocuments } from '../read-documents.ts'
import { type BulkAction, writeBulk } from './bulk-writer.ts'
import { type EngineState, lockState, lockStateAlone, openState, publish, startOver } from './engine-state.ts'
import { nextVersions, recordWrite, undoFailedWrites } from './engine-writes.ts'

export interface SinkDependencies {
  client: SearchClient
  indices: Indices
  db: Database
}

interface EngineWrite {
  /** Places of the documents to write. */
  places: Iterable<Place>
  /** Documents that are new according to the rows, by key. */
  added: ReadonlyMap<string, Place>
  actions: Iterable<BulkAction>
}

/** Documents that are read together to be rewritten. */
const REWRITTEN_AT_ONCE = 200

const RANKS = {
  name: 'engine_ranks',
  text: `select url_key, link_rank, inlinks from url_ranks where url_key = any($1::uuid[])`,
}
const CHANGED = {
  name: 'engine_changed',
  text: `select d.url_key, d.place, d.expires_at, r.link_rank, r.inlinks
    from documents d join url_ranks r on r.url_key = d.url_key
    where d.url_key = any($1::uuid[]) and d.place is not null order by d.url_key`,
}

export class EngineSink implements DocumentSink {
  readonly #dependencies: SinkDependencies
  readonly #documentIndexer = new DocumentIndexer()
  #isChecked = false
  /** There may be writes that are not visible to searches yet. */
  #hasPending = true

  constructor(dependencies: SinkDependencies) {
    this.#dependencies = dependencies
  }

  async check(): Promise<void> {
    const { db, indices, client } = this.#dependencies
    // Runs every time, since another indexer may have been killed in the meantime.
    if (this.#isChecked) return undoFailedWrites(db, client)
    const state = await db.withRetries(() => openState(db.pool))
    await this.#assertOwn(state)
    await this.removeUnused()
    await undoFailedWrites(db, client)
    await indices.refresh()
    this.#isChecked = true
  }

  async placeOf(tx: Queryable, documents: readonly IndexDocument[]): Promise<string[]> {
    if (documents.length === 0) return []
    const { generation } = await lockState(tx)
    const { prefix } = this.#dependencies.client
    return documents.map(({ visitedAt, host }) =>
      writePlace({ index: indexName(prefix, generation, visitedAt), routing: routingOf(host) }),
    )
  }

  async write(
    tx: Queryable,
    written: readonly SinkDocument[],
    formerPlaces: ReadonlyMap<string, string>,
  ): Promise<void> {
    const keys = written.map(({ key }) => key)
    const places = await this.placeOf(
      tx,
      written.map(({ document }) => document),
    )
    const newPlaces = new Map(keys.map((key, i) => [key, readPlace(places[i] ?? '')]))
    const moved = [...formerPlaces].map(([id, place]) => ({ id, place: readPlace(place), document: null }))
    const ranks = await readRanks(tx, keys)
    const toIndexed = (document: IndexDocument, key: string) =>
      this.#documentIndexer.toIndexed({ ...toStoredDocument(document), ...ranks.get(key) })
    function* listActions(): Generator<BulkAction> {
      yield* moved.filter(isOnOtherShard(newPlaces))
      for (const [i, { key, document }] of written.entries())
        yield { id: key, place: readPlace(places[i] ?? ''), document: toIndexed(document, key) }
      // Former places are deleted last: a search in between finds a document twice rather than not at all, and drops
      // one of the two.
      yield* moved.filter(isElsewhere(newPlaces))
    }
    const added = new Map([...newPlaces].filter(([key, place]) => formerPlaces.get(key) !== writePlace(place)))
    if (written.length + moved.length > 0)
      await this.#send(tx, { places: newPlaces.values(), added, actions: listActions() })
  }

  async rewrite(tx: Queryable, urlKeys: readonly string[]): Promise<void> {
    if (urlKeys.length === 0) return
    const { rows } = await tx.query({ ...CHANGED, values: [urlKeys] })
    for (let i = 0; i < rows.length; i += REWRITTEN_AT_ONCE) {
      const some = rows.slice(i, i + REWRITTEN_AT_ONCE).map((row) => ({
        id: toId(row),
        place: readPlace(String(row['place'])),
        changes: { ...toRank(row), expires_at: row['expires_at'] === null ? null : Number(row['expires_at']) },
      }))
      const stored = await readDocuments<StoredDocument>(this.#dependencies.client, some)
      const actions = some.flatMap(({ id, place, changes }, n) => {
        const document = stored[n]
        if (document === undefined) return []
        return [{ id, place, document: this.#documentIndexer.toIndexed({ ...document, ...changes }) }]
      })
      if (actions.length > 0)
        await this.#send(tx, { places: actions.map(({ place }) => place), added: new Map(), actions })
    }
  }

  async startOver(tx: Queryable, isServed: boolean): Promise<void> {
    await startOver(tx, isServed)
    await this.#assertOwn(await lockState(tx))
    this.#isChecked = false
  }

  async removeUnused(): Promise<void> {
    const { db, indices } = this.#dependencies
    const unused = await db.withRetries(() => db.transaction((tx) => this.#serveLocked(tx)))
    await indices.remove(unused)
  }

  /**
   * Must hold the lock: another process may start over in the meantime, and its new indices would seem to be unused.
   */
  async #serveLocked(tx: Queryable): Promise<string[]> {
    const state = await lockStateAlone(tx)
    if (state === null) return []
    await this.#assertOwn(state)
    const { generation, serving } = state
    return this.#dependencies.indices.serve(serving, [serving, generation])
  }

  async settle(): Promise<void> {
    const { db, indices } = this.#dependencies
    if (!this.#hasPending) return
    await indices.refresh()
    const state = await db.withRetries(() => openState(db.pool))
    const { generation, serving } = state
    // The row is locked by indexers that write, and they create indices under this lock.
    if (generation !== serving && (await db.withRetries(() => publish(db.pool, generation)))) await this.removeUnused()
    this.#hasPending = (await db.withRetries(() => openState(db.pool))).serving !== generation
  }

  async #send(tx: Queryable, { places, added, actions }: EngineWrite): Promise<void> {
    const { client, indices, db } = this.#dependencies
    const { storeId, generation, serving } = await lockState(tx)
    const used = new Set([...places].map(({ index }) => index))
    for (const index of used) await indices.create(index, { storeId, isServed: generation === serving })
    this.#hasPending = true
    const { version, undoVersion } = await nextVersions(tx)
    await recordWrite(tx, db.pool, { undoVersion, places: added })
    await writeBulk(client, version, actions)
  }

  async #assertOwn({ storeId }: EngineState): Promise<void> {
    const other = await this.#dependencies.indices.readStoreId()
    if (other === null || other === storeId) return
    const { prefix } = this.#dependencies.client
    throw new AppError(
      'SEARCH_REFUSED',
      `The indices ${prefix}-* belong to another store. Delete them if it is gone, or name another prefix: --search opensearch://HOST/PREFIX.`,
    )
  }
}

type MovedDocument = Pick<BulkAction, 'id' | 'place'>

/** The URL has no document in this index any more. */
function isElsewhere(newPlaces: ReadonlyMap<string, Place>): (moved: MovedDocument) => boolean {
  return ({ id, place }) => newPlaces.get(id)?.index !== place.index
}

/** Whether the domain of a document has changed with a newer list of public suffixes. The new shard may be the same. */
function isOnOtherShard(newPlaces: ReadonlyMap<string, Place>): (moved: MovedDocument) => boolean {
  return ({ id, place: { index, routing } }) => {
    const place = newPlaces.get(id)
    return place?.index === index && place.routing !== routing
  }
}

async function readRanks(tx: Queryable, keys: string[]) {
  if (keys.length === 0) return new Map<string, ReturnType<typeof toRank>>()
  const { rows } = await tx.query({ ...RANKS, values: [keys] })
  return new Map(rows.map((row) => [toId(row), toRank(row)]))
}

function toRank(row: Row) {
  return { link_rank: Number(row['link_rank']), inlinks: Number(row['inlinks']) }
}

function toId(row: Row): string {
  return String(row['url_key']).replaceAll('-', '')
}
