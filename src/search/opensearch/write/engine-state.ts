// What the store knows about the search engine: one row, written with the rows of documents.

import { AppError } from '../../../lib/errors.ts'
import type { Queryable } from '../../../store/postgres/query.ts'

export interface EngineState {
  /** Id of the store, which is also written into the indices. */
  storeId: string
  /** The generation that indexers write to. */
  generation: number
  /** The generation that searches use. */
  serving: number
}

const COLUMNS = 'store_id, generation, serving'
const READ = { name: 'engine_read', text: `select ${COLUMNS} from search_engine` }
/** Held until the end of the transaction, so that the engine does not start over while documents are written. */
const LOCK = { name: 'engine_lock', text: `select ${COLUMNS} from search_engine for share` }
/** Like LOCK, and prevents writes of documents, too. */
const LOCK_ALONE = { name: 'engine_lock_alone', text: `select ${COLUMNS} from search_engine for update` }
const CREATE = {
  name: 'engine_create',
  text: `insert into search_engine select true where not exists (select 1 from documents) on conflict do nothing`,
}
/** $1: whether searches use the new index at once. */
const START_OVER = {
  name: 'engine_start_over',
  text: `insert into search_engine as e (is_only) values (true) on conflict (is_only)
    do update set generation = e.generation + 1, serving = case when $1 then e.generation + 1 else e.serving end`,
}
const PUBLISH = {
  name: 'engine_publish',
  text: `update search_engine set serving = generation where generation = $1 and serving <> generation
    and not exists (select 1 from index_queue where due_at = 0)`,
}

const IN_TABLES = {
  name: 'engine_in_tables',
  text: 'select 1 from documents where not exists (select 1 from search_engine) limit 1',
}

/** Fails if the tables have the documents. */
export async function assertInEngine(db: Queryable): Promise<void> {
  if ((await db.query(IN_TABLES)).rows.length > 0) fail()
}

/** Null if the documents are in the tables, or nothing is indexed yet. */
async function readState(db: Queryable): Promise<EngineState | null> {
  return toState((await db.query(READ)).rows)
}

/** If nothing is indexed yet, the first use binds the engine to this store. */
export async function openState(db: Queryable): Promise<EngineState> {
  const known = await readState(db)
  if (known !== null) return known
  await db.query(CREATE)
  return (await readState(db)) ?? fail()
}

export async function lockState(tx: Queryable): Promise<EngineState> {
  return toState((await tx.query(LOCK)).rows) ?? fail()
}

/** Null if nothing is indexed yet. */
export async function lockStateAlone(tx: Queryable): Promise<EngineState | null> {
  return toState((await tx.query(LOCK_ALONE)).rows)
}

export async function startOver(tx: Queryable, isServed: boolean): Promise<void> {
  await tx.query({ ...START_OVER, values: [isServed] })
}

/** Returns whether searches use the generation from now on: every page is indexed, and they did not yet. */
export async function publish(db: Queryable, generation: number): Promise<boolean> {
  return ((await db.query({ ...PUBLISH, values: [generation] })).rowCount ?? 0) > 0
}

function toState([row]: Record<string, unknown>[]): EngineState | null {
  if (row === undefined) return null
  const [generation, serving] = [Number(row['generation']), Number(row['serving'])]
  return { storeId: String(row['store_id']), generation, serving }
}

function fail(): never {
  throw new AppError(
    'INDEX_ELSEWHERE',
    'The pages of this store are indexed in Postgres. Build the index in the search engine: orbweaver index rebuild --search URL.',
  )
}
