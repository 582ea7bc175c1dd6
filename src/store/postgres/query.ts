// What the parts of the store need of a connection or of the pool.

export type Row = Record<string, unknown>

export interface Statement {
  /** Prepared once a connection when it has a name. */
  name?: string
  text: string
  values?: unknown[]
  /** How long to wait for the answer, in ms, where that is not the usual time. As the driver calls it. */
  query_timeout?: number
}

export interface Queryable {
  query(statement: Statement): Promise<{ rows: Row[]; rowCount: number | null }>
}

export interface Connection extends Queryable {
  /** With true it is not used again. */
  release(isBroken?: boolean): void
}

/** The pool: a statement runs on any connection that is free, a transaction on one of its own. */
export interface Connections extends Queryable {
  connect(): Promise<Connection>
}

/** However long the server takes; a connection that is lost without a word is found by the system's probes. */
export const NO_TIMEOUT_MS = 86_400_000

/** For a statement that may touch every row of a crawl, inside a transaction. */
export async function withoutTimeout(tx: Queryable, statement: Statement): ReturnType<Queryable['query']> {
  await tx.query({ text: 'set local statement_timeout = 0' })
  return tx.query({ ...statement, query_timeout: NO_TIMEOUT_MS })
}

/** Text as Postgres can hold it: any but the character zero. */
export function toPostgresText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

export function toPostgresTextOrNull(text: string | null): string | null {
  return text === null ? null : toPostgresText(text)
}
