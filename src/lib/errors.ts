// Every broken promise of the program is an AppError with one of these codes. The table is the only place that
// maps a code to an exit code; docs/errors.md is made from it.

export const EXIT = { completed: 0, failed: 1, usage: 2, interrupted: 3 } as const

export const ERRORS = {
  USAGE: { exit: EXIT.usage, help: 'The command line is wrong: an unknown command or flag, or a missing argument.' },
  BAD_CONFIG: { exit: EXIT.usage, help: 'A setting has an impossible value; every bad field is named.' },
  BAD_SEED: { exit: EXIT.usage, help: 'A seed is not an http or https URL, or the seed list is empty.' },
  FILE_UNREADABLE: { exit: EXIT.usage, help: 'A file named on the command line cannot be read or written.' },
  CRAWL_NOT_FOUND: { exit: EXIT.usage, help: 'No crawl has this id in the data directory.' },
  CRAWL_AMBIGUOUS: { exit: EXIT.usage, help: 'More than one crawl has an id that begins like this.' },
  CRAWL_RUNNING: { exit: EXIT.failed, help: 'The crawl is at work; this can only be done while it is stopped.' },
  CRAWL_CLOSED: { exit: EXIT.usage, help: 'The crawl was ended by a limit or by its owner and does not go on.' },
  WORKER_NOT_FOUND: { exit: EXIT.usage, help: 'No worker has this id in the store.' },
  PAGE_NOT_FOUND: { exit: EXIT.usage, help: 'No page of this url, or no such version of it, was kept.' },
  PAGE_NOT_KEPT: { exit: EXIT.failed, help: 'The page was seen but its bytes were not kept.' },
  PATTERN_NOT_FOUND: { exit: EXIT.usage, help: 'The crawl has no pattern of urls with this name.' },
  NOTHING_TO_RESUME: { exit: EXIT.usage, help: 'The crawl is finished, or there is no unfinished crawl.' },
  NOTHING_REACHED: { exit: EXIT.failed, help: 'The crawl ended and not one of its urls gave an answer.' },
  DATA_NOT_FOUND: { exit: EXIT.usage, help: 'There is no data directory at this place.' },
  DATA_FOREIGN: { exit: EXIT.usage, help: 'The directory holds something that Orbweaver did not make.' },
  DATA_NEWER: { exit: EXIT.usage, help: 'The data directory was made by a newer version.' },
  DATA_IN_USE: { exit: EXIT.failed, help: 'Another process works in the store; of a data directory its pid is named.' },
  STORE_NOT_EMPTY: { exit: EXIT.usage, help: 'A store can only be moved to where no crawls are yet.' },
  MOVE_UNFINISHED: {
    exit: EXIT.failed,
    help: 'A move into this store was cut off or is under way; the same command starts it over.',
  },
  SEGMENTS_ELSEWHERE: {
    exit: EXIT.failed,
    help: 'Segments of the archive that a move needs are not in the folder it looks in; --force leaves them where they are.',
  },
  DATA_UNWRITABLE: { exit: EXIT.failed, help: 'The data directory cannot be written.' },
  DISK_FULL: { exit: EXIT.failed, help: 'The disk is full; nothing is damaged and the crawl can be resumed.' },
  STORE_FAILED: { exit: EXIT.failed, help: 'The store could not read or write; the cause is in the message.' },
  STORE_AWAY: {
    exit: EXIT.failed,
    help: 'The database server cannot be reached; the crawl can be resumed once it can.',
  },
  PORT_TAKEN: { exit: EXIT.failed, help: 'A port this program shall listen on cannot be opened.' },
  ARCHIVE_BROKEN: {
    exit: EXIT.failed,
    help: 'The archive cannot be read or written as it should; the message says where.',
  },
  ARCHIVE_AWAY: {
    exit: EXIT.failed,
    help: 'What is asked for is kept in the folder of a worker that cannot be asked now; the message names it.',
  },
  CLOCK_DOUBTFUL: {
    exit: EXIT.failed,
    help: 'Nothing is dropped from the archive, since the clock is more than 400 days past the last time that was done.',
  },
  LEDGER_BROKEN: { exit: EXIT.failed, help: 'verify found rows or counters that do not agree.' },
  INTERNAL: { exit: EXIT.failed, help: 'A defect in Orbweaver itself; please report it with the message.' },
} as const

export type ErrorCode = keyof typeof ERRORS

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
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
