// Every broken promise of the program is an AppError with one of these codes. The table is the only place that maps a
// code to an exit code and to a status of HTTP; docs/reference/errors.md is made from it.

export const EXIT = { completed: 0, failed: 1, usage: 2, interrupted: 3 } as const

export const ERRORS = {
  USAGE: {
    exit: EXIT.usage,
    http: 400,
    help: 'The command line is wrong: an unknown command or flag, or a missing argument.',
  },
  BAD_CONFIG: { exit: EXIT.usage, http: 422, help: 'A setting has an impossible value; every bad field is named.' },
  BAD_SEED: { exit: EXIT.usage, http: 422, help: 'A seed is not an http or https URL, or the seed list is empty.' },
  FILE_UNREADABLE: { exit: EXIT.usage, http: 422, help: 'A file named on the command line cannot be read or written.' },
  CRAWL_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'No crawl has this id in the data directory.' },
  CRAWL_AMBIGUOUS: { exit: EXIT.usage, http: 409, help: 'More than one crawl has an id that begins like this.' },
  CRAWL_RUNNING: {
    exit: EXIT.failed,
    http: 409,
    help: 'The crawl is at work; this can only be done while it is stopped.',
  },
  CRAWL_CLOSED: {
    exit: EXIT.usage,
    http: 409,
    help: 'The crawl was ended by a limit or by its owner and does not go on.',
  },
  WORKER_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'No worker has this id in the store.' },
  PAGE_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'No page of this url, or no such version of it, was kept.' },
  PAGE_NOT_KEPT: { exit: EXIT.failed, http: 410, help: 'The page was seen but its bytes were not kept.' },
  PATTERN_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no pattern of urls with this name.' },
  NOTHING_TO_RESUME: { exit: EXIT.usage, http: 409, help: 'The crawl is finished, or there is no unfinished crawl.' },
  NOTHING_REACHED: { exit: EXIT.failed, http: 502, help: 'The crawl ended and not one of its urls gave an answer.' },
  DATA_NOT_FOUND: { exit: EXIT.usage, http: 500, help: 'There is no data directory at this place.' },
  DATA_FOREIGN: { exit: EXIT.usage, http: 500, help: 'The directory holds something that Orbweaver did not make.' },
  DATA_NEWER: { exit: EXIT.usage, http: 500, help: 'The data directory was made by a newer version.' },
  DATA_IN_USE: {
    exit: EXIT.failed,
    http: 503,
    help: 'Another process works in the store; of a data directory its pid is named.',
  },
  STORE_NOT_EMPTY: { exit: EXIT.usage, http: 409, help: 'A store can only be moved to where no crawls are yet.' },
  MOVE_UNFINISHED: {
    exit: EXIT.failed,
    http: 503,
    help: 'A move into this store was cut off or is under way; the same command starts it over.',
  },
  SEGMENTS_ELSEWHERE: {
    exit: EXIT.failed,
    http: 500,
    help: 'Segments of the archive that a move needs are not in the folder it looks in; --force leaves them where they are.',
  },
  DATA_UNWRITABLE: { exit: EXIT.failed, http: 507, help: 'The data directory cannot be written.' },
  DISK_FULL: {
    exit: EXIT.failed,
    http: 507,
    help: 'The disk is full; nothing is damaged and the crawl can be resumed.',
  },
  STORE_FAILED: {
    exit: EXIT.failed,
    http: 500,
    help: 'The store cannot be read or written, or is damaged; docs/guides/recovery.md tells what to do.',
  },
  STORE_AWAY: {
    exit: EXIT.failed,
    http: 503,
    help: 'The database server cannot be reached; the crawl can be resumed once it can.',
  },
  PORT_TAKEN: { exit: EXIT.failed, http: 500, help: 'A port this program shall listen on cannot be opened.' },
  ARCHIVE_BROKEN: {
    exit: EXIT.failed,
    http: 500,
    help: 'The archive cannot be read or written as it should; the message says where.',
  },
  ARCHIVE_AWAY: {
    exit: EXIT.failed,
    http: 503,
    help: 'What is asked for is kept in the folder of a worker that cannot be asked now; the message names it.',
  },
  CLOCK_DOUBTFUL: {
    exit: EXIT.failed,
    http: 503,
    help: 'Nothing is dropped from the archive, since the clock is more than 400 days past the last time that was done.',
  },
  LEDGER_BROKEN: { exit: EXIT.failed, http: 500, help: 'verify found rows or counters that do not agree.' },
  URL_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl has no url with this id.' },
  HOST_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The crawl knows no host of this name.' },
  TERM_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'No page in the index has this term.' },
  WEBHOOK_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no webhook with this id.' },
  TOKEN_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'There is no token with this id or name.' },
  ROUTE_NOT_FOUND: { exit: EXIT.usage, http: 404, help: 'The API has no such path.' },
  METHOD_NOT_ALLOWED: {
    exit: EXIT.usage,
    http: 405,
    help: 'The path does not take this method; the answer names those it takes.',
  },
  BAD_REQUEST: { exit: EXIT.usage, http: 400, help: 'A request does not fit its schema; every bad field is named.' },
  BAD_CURSOR: { exit: EXIT.usage, http: 400, help: 'The cursor or version is not one that this list gave out.' },
  BODY_TOO_LARGE: { exit: EXIT.usage, http: 413, help: 'The body of a request is larger than the API takes.' },
  UNSUPPORTED_TYPE: { exit: EXIT.usage, http: 415, help: 'The body of a request must be JSON.' },
  TOO_LARGE: {
    exit: EXIT.failed,
    http: 422,
    help: 'There is too much to sort or compare at once; narrow it down with filters.',
  },
  SETTING_FIXED: { exit: EXIT.usage, http: 409, help: 'The setting cannot change once a crawl has begun.' },
  FORBIDDEN_SETTING: {
    exit: EXIT.usage,
    http: 403,
    help: 'Only an admin may set this, such as leave to visit private addresses, or more than the server lets crawl tokens ask for.',
  },
  IDEMPOTENCY_CONFLICT: { exit: EXIT.failed, http: 409, help: 'The Idempotency-Key was used for another request.' },
  TOKEN_MISSING: {
    exit: EXIT.failed,
    http: 401,
    help: 'The server wants a token: send Authorization: Bearer, or use --token.',
  },
  TOKEN_WRONG: { exit: EXIT.failed, http: 401, help: 'The token is not known here, or was revoked.' },
  TOKEN_EXPIRED: { exit: EXIT.failed, http: 401, help: 'The time of the token is over; make another.' },
  SCOPE_MISSING: {
    exit: EXIT.failed,
    http: 403,
    help: 'The token does not allow this; the answer names the scope that does.',
  },
  RATE_LIMITED: {
    exit: EXIT.failed,
    http: 429,
    help: 'Too many requests from this token or address; Retry-After says when to go on.',
  },
  HOST_REFUSED: {
    exit: EXIT.failed,
    http: 421,
    help: 'The request came under a host name that this server does not serve.',
  },
  ORIGIN_REFUSED: { exit: EXIT.failed, http: 403, help: 'The request was made by a page of another site.' },
  ADDRESS_OPEN: {
    exit: EXIT.usage,
    http: 500,
    help: 'Others could reach this address, so there must be a token first: orbweaver token create.',
  },
  INDEX_OFF: { exit: EXIT.failed, http: 409, help: 'Nothing is indexed here: no process has the role indexer.' },
  LEASE_LOST: {
    exit: EXIT.failed,
    http: 409,
    help: 'The task was taken back and may be in other hands; the report changes nothing.',
  },
  SERVER_AWAY: { exit: EXIT.failed, http: 503, help: 'The server that --server names cannot be reached.' },
  INTERRUPTED: { exit: EXIT.failed, http: 503, help: 'The program is stopping; what was asked for was not done.' },
  INTERNAL: { exit: EXIT.failed, http: 500, help: 'A defect in Orbweaver itself; please report it with the message.' },
} as const

export type ErrorCode = keyof typeof ERRORS

export class AppError extends Error {
  override readonly name = 'AppError'
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

/** Turns anything thrown into an AppError, so that a boundary has one kind to report. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new AppError('INTERNAL', message, { cause: thrown })
}
