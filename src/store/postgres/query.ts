// The interface of connections and pools that the store uses.

export type Row = Record<string, unknown>

export interface Statement {
  /** Prepared once per connection if it has a name. */
  name?: string
  text: string
  values?: unknown[]
  /** Timeout for the response in ms, if not the default. Named by the driver. */
  query_timeout?: number
  /** Rows as arrays instead of objects. Named by the driver. */
  rowMode?: 'array'
}

export interface Queryable {
  query(statement: Statement): Promise<{ rows: Row[]; rowCount: number | null }>
}

export interface Connection extends Queryable {
  /** True: the connection is not used again. */
  release(isBroken?: boolean): void
}

/** The pool: a statement runs on any free connection, a transaction on its own. */
export interface Connections extends Queryable {
  connect(): Promise<Connection>
}

/** However long the server takes. TCP keepalive finds a connection that is lost silently. */
export const NO_TIMEOUT_MS = 86_400_000

/** Runs a statement that may touch every row of a crawl, inside a transaction. */
export async function withoutTimeout(tx: Queryable, statement: Statement): ReturnType<Queryable['query']> {
  await tx.query({ text: 'set local statement_timeout = 0' })
  return tx.query({ ...statement, query_timeout: NO_TIMEOUT_MS })
}

/** Replaces the NUL character, which Postgres text cannot contain. */
export function toPostgresText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

export function toPostgresTextOrNull(text: string | null): string | null {
  return text === null ? null : toPostgresText(text)
}
