// Every reported failure is an AppError with one of these codes. This table is the only place that maps a code to an exit
// code and an HTTP status; docs/reference/errors.md is generated from it.

export const EXIT = { completed: 0, failed: 1, usage: 2, interrupted: 3, overBudget: 4 } as const

export const ERRORS = {
  USAGE: {
    exit: EXIT.usage,
    http: 400,
    help: 'The command line is wrong: an unknown command or flag, or a missing argument.',
  },
  BAD_CONFIG: {
    exit: EXIT.usage,
    http: 422,
    help: 'A setting has an invalid value; the message lists every bad field.',
  },
  BAD_SEED: { exit: EXIT.usage, http: 422, help: 'A seed is not an http or https URL, or the seed list is empty.' },
  FILE_UNREADABLE: { exit: EXIT.usage, http: 422, help: 'A file named on the command line cannot be read or written.' },
  CRAWL_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The store has no crawl with this id.' },
  CRAWL_AMBIGUOUS: { exit: EXIT.usage, http: 409, help: 'The id is a prefix of more than one crawl id.' },
  CRAWL_RUNNING: {
    exit: EXIT.failed,
    http: 409,
    help: 'The crawl is running; stop it first.',
  },
  CRAWL_CLOSED: {
    exit: EXIT.usage,
    http: 409,
    help: 'The crawl was ended by a limit or by its owner, and cannot be changed or resumed.',
  },
  LAST_WORKER: {
    exit: EXIT.usage,
    http: 409,
    help: 'No other worker is running, so all crawls would wait. Repeat the request with `force` if that is intended.',
  },
  WORKER_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The store has no worker with this id.' },
  PAGE_NOT_FOUND: {
    exit: EXIT.usage,
    http: 404,
    help: 'The archive has no page with this URL, or not this version of it.',
  },
  CHANGE_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no change with this id, or it has expired.' },
  PAGE_NOT_KEPT: { exit: EXIT.failed, http: 410, help: 'The page was visited, but its content was not archived.' },
  PATTERN_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no such URL pattern.' },
  NOTHING_TO_RESUME: { exit: EXIT.usage, http: 409, help: 'The crawl is finished, or there is no unfinished crawl.' },
  PROXY_FAILED: { exit: EXIT.failed, http: 502, help: 'No proxy of the crawl has worked. The crawl can be resumed.' },
  NOTHING_REACHED: { exit: EXIT.failed, http: 502, help: 'The crawl completed, but no page could be visited.' },
  DATA_NOT_FOUND: { exit: EXIT.usage, http: 500, help: 'The data directory does not exist.' },
  DATA_FOREIGN: { exit: EXIT.usage, http: 500, help: 'The directory contains files that Orbweaver did not create.' },
  DATA_NEWER: { exit: EXIT.usage, http: 500, help: 'The data directory was created by a newer version.' },
  DATA_IN_USE: {
    exit: EXIT.failed,
    http: 503,
    help: 'Another process is using the store; for a data directory, the message names its pid.',
  },
  STORE_NOT_EMPTY: { exit: EXIT.usage, http: 409, help: 'The target of a move already contains crawls.' },
  MOVE_UNFINISHED: {
    exit: EXIT.failed,
    http: 503,
    help: 'A move into this store was interrupted or is in progress; run the same command to start over.',
  },
  SEGMENTS_ELSEWHERE: {
    exit: EXIT.failed,
    http: 500,
    help: 'Archive segments that a move needs are missing in the source folder; --force moves the store without them.',
  },
  DATA_UNWRITABLE: { exit: EXIT.failed, http: 507, help: 'The data directory is not writable.' },
  DISK_FULL: {
    exit: EXIT.failed,
    http: 507,
    help: 'The disk is full; nothing is damaged and the crawl can be resumed.',
  },
  STORE_FAILED: {
    exit: EXIT.failed,
    http: 500,
    help: 'The store cannot be read or written, or is damaged; see docs/guides/recovery.md.',
  },
  STORE_AWAY: {
    exit: EXIT.failed,
    http: 503,
    help: 'The database server cannot be reached; resume the crawl when it is available again.',
  },
  SEARCH_AWAY: {
    exit: EXIT.failed,
    http: 503,
    help: 'The search engine of --search cannot be reached or is overloaded; indexing continues when it is available again.',
  },
  SEARCH_REFUSED: {
    exit: EXIT.failed,
    http: 500,
    help: 'The search engine of --search refused a request: wrong credentials, or the indices of another store; the message says which.',
  },
  INDEX_ELSEWHERE: {
    exit: EXIT.usage,
    http: 500,
    help: 'The pages of the store are indexed in a different engine than the one named by --search; build the index again with "index rebuild".',
  },
  PORT_TAKEN: {
    exit: EXIT.failed,
    http: 500,
    help: 'A port cannot be opened, usually because another program uses it.',
  },
  ARCHIVE_BROKEN: {
    exit: EXIT.failed,
    http: 500,
    help: 'The archive cannot be read or written, or is damaged; the message says where.',
  },
  ARCHIVE_AWAY: {
    exit: EXIT.failed,
    http: 503,
    help: 'The record is in the archive of a worker, or in object storage, that cannot be reached now; the message names it.',
  },
  ARCHIVE_STORE_REFUSED: {
    exit: EXIT.failed,
    http: 500,
    help: 'The object storage refused a request: wrong bucket, region or credentials; the message has its response.',
  },
  CLOCK_DOUBTFUL: {
    exit: EXIT.failed,
    http: 503,
    help: 'Retention is suspended, because the clock is more than 400 days past the last retention run.',
  },
  LEDGER_BROKEN: { exit: EXIT.failed, http: 500, help: 'Rows or counters of a crawl are inconsistent.' },
  URL_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no URL with this id.' },
  FOLDER_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no folder with this label.' },
  HOST_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no host with this name.' },
  POLICY_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no policy for this host or pattern.' },
  TERM_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'No page in the index has this term.' },
  WEBHOOK_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no webhook with this id.' },
  MONITOR_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no monitor with this id.' },
  DOCUMENT_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The monitor has no document with this id.' },
  HIT_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no hit of a monitor with this id.' },
  AUDIT_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no finished audit.' },
  AUDIT_FAILED: { exit: EXIT.failed, http: 500, help: 'The audit did not finish; the message says why.' },
  MONITOR_LIMIT: {
    exit: EXIT.failed,
    http: 409,
    help: 'There are too many monitors, protected documents or muted URLs; the message names the limit.',
  },
  TOKEN_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no token with this id or name.' },
  ROUTE_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The API has no such path.' },
  METHOD_NOT_ALLOWED: {
    exit: EXIT.usage,
    http: 405,
    help: 'The path does not support this method; the response lists the methods it supports.',
  },
  BAD_REQUEST: {
    exit: EXIT.usage,
    http: 400,
    help: 'The request does not match its schema; the message lists every bad field.',
  },
  BAD_CURSOR: { exit: EXIT.usage, http: 400, help: 'The cursor or version was not issued by this list.' },
  BODY_TOO_LARGE: { exit: EXIT.usage, http: 413, help: 'The request body is larger than the API accepts.' },
  UNSUPPORTED_TYPE: { exit: EXIT.usage, http: 415, help: 'The request body must be JSON.' },
  TOO_LARGE: {
    exit: EXIT.failed,
    http: 422,
    help: 'There are too many rows to sort or compare at once; narrow them down with filters.',
  },
  SETTING_FIXED: { exit: EXIT.usage, http: 409, help: 'The setting cannot be changed after the crawl was created.' },
  FORBIDDEN_SETTING: {
    exit: EXIT.usage,
    http: 403,
    help: 'Only an admin token may use this value, such as private addresses or more than the limits for crawl tokens.',
  },
  IDEMPOTENCY_CONFLICT: {
    exit: EXIT.failed,
    http: 409,
    help: 'The Idempotency-Key was already used for a different request.',
  },
  TOKEN_MISSING: {
    exit: EXIT.failed,
    http: 401,
    help: 'The server requires a token: send Authorization: Bearer, or use --token.',
  },
  TOKEN_WRONG: { exit: EXIT.failed, http: 401, help: 'The token is unknown or was revoked.' },
  TOKEN_EXPIRED: { exit: EXIT.failed, http: 401, help: 'The token has expired; create a new one.' },
  SCOPE_MISSING: {
    exit: EXIT.failed,
    http: 403,
    help: 'The scope of the token is not sufficient; the response names the required scope.',
  },
  RATE_LIMITED: {
    exit: EXIT.failed,
    http: 429,
    help: 'Too many requests from this token or address; Retry-After says when to continue.',
  },
  HOST_REFUSED: {
    exit: EXIT.failed,
    http: 421,
    help: 'The Host header names a host that this server does not serve.',
  },
  ORIGIN_REFUSED: { exit: EXIT.failed, http: 403, help: 'The request was sent by a page of another site.' },
  ADDRESS_OPEN: {
    exit: EXIT.usage,
    http: 500,
    help: 'Other machines can reach this address, so a token is required first: orbweaver token create.',
  },
  INDEX_OFF: { exit: EXIT.failed, http: 409, help: 'There is no search index: no process has the indexer role.' },
  LEASE_LOST: {
    exit: EXIT.failed,
    http: 409,
    help: 'The lease of the task has expired and another crawler may have the task; the report was ignored.',
  },
  SERVER_AWAY: { exit: EXIT.failed, http: 503, help: 'The server named by --server cannot be reached.' },
  BROWSER_MISSING: {
    exit: EXIT.usage,
    http: 503,
    help: 'Rendering needs a browser, and none was found; the message says what to install.',
  },
  BROWSER_FAILED: {
    exit: EXIT.failed,
    http: 503,
    help: 'The browser for rendering cannot be started; the message has its last output.',
  },
  INTERRUPTED: {
    exit: EXIT.failed,
    http: 503,
    help: 'The process is stopping, or the program aborted the call. It can be repeated.',
  },
  INTERNAL: { exit: EXIT.failed, http: 500, help: 'A bug in Orbweaver; please report it with the message.' },
} as const

export type ErrorCode = keyof typeof ERRORS

export class AppError extends Error {
  /** The name under which the library exports the class. */
  override readonly name = 'OrbweaverError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  get httpStatus(): number {
    return ERRORS[this.code].http
  }

  get exitCode(): number {
    return ERRORS[this.code].exit
  }
}

/** Converts any thrown value to an AppError. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new AppError('INTERNAL', message, { cause: thrown })
}

/** The stack of a bug; null for errors with a code, whose messages are sufficient. */
export function bugStack(thrown: unknown): string | null {
  return thrown instanceof Error && asAppError(thrown).code === 'INTERNAL' ? (thrown.stack ?? null) : null
}
