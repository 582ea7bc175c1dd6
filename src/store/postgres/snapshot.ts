// Reads a consistent snapshot while others write.

import { type Connection, type Connections, NO_TIMEOUT_MS, type Row, type Statement } from './query.ts'

const FETCH = 5000

/** A long read may take its time and scan whole tables; commits must not. */
export const BEGIN_LONG_READ = `begin isolation level repeatable read read only; set local statement_timeout = 0;
  set local enable_seqscan = on; set local enable_bitmapscan = on; set local enable_hashjoin = on;
  set local enable_mergejoin = on`

export async function inSnapshot<T>(db: Connections, read: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = withoutQueryTimeout(await db.connect())
  let isBroken = true
  try {
    await connection.query({ text: BEGIN_LONG_READ })
    const result = await read(connection)
    await connection.query({ text: 'commit' })
    isBroken = false
    return result
  } finally {
    connection.release(isBroken)
  }
}

/** Waits for responses as long as the server takes. */
function withoutQueryTimeout(connection: Connection): Connection {
  return {
    query: (statement) => connection.query({ query_timeout: NO_TIMEOUT_MS, ...statement }),
    release: (isBroken) => connection.release(isBroken),
  }
}

/** Runs a statement that reads every row of a crawl. */
export function readInSnapshot(db: Connections, statement: Statement): Promise<Row[]> {
  return inSnapshot(db, async (connection) => (await connection.query(statement)).rows)
}

/** The rows of a statement, a few thousand in memory at a time. Must be consumed inside the snapshot. */
export async function* streamRows(
  connection: Connection,
  { text, values = [] }: Statement,
  fetch = FETCH,
): AsyncGenerator<Row> {
  await connection.query({ text: `declare rows no scroll cursor for ${text}`, values })
  for (;;) {
    const { rows } = await connection.query({ text: `fetch ${fetch} from rows` })
    yield* rows
    if (rows.length < fetch) break
  }
  await connection.query({ text: 'close rows' })
}
