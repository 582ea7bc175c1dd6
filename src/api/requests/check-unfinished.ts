// Rules for changing a crawl, shared by the API and the command line.

import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { AppError } from '../../lib/errors.ts'
import { isUnfinished } from '../../lib/states.ts'
import type { Crawl } from '../../ports/crawls.ts'

export function checkUnfinished({ id, status }: Crawl): void {
  if (isUnfinished(status)) return
  throw new AppError('CRAWL_CLOSED', `Crawl ${id} is ${status} and can no longer be changed.`)
}

/** A crawl that is ending cannot be paused. */
export function checkPausable(crawl: Crawl): void {
  checkUnfinished(crawl)
  if (crawl.reason === null) return
  throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ending: ${crawl.reason.replaceAll('_', ' ')}.`)
}

export function checkResumable({ id, status, settings }: Crawl): void {
  if (!isUnfinished(status))
    throw new AppError('NOTHING_TO_RESUME', `Crawl ${id} is ${status}; there is nothing to resume.`)
  // The patterns may come from an older version that allowed more.
  const patternError = findPatternError(settings)
  if (patternError !== null)
    throw new AppError(patternError.code, `Crawl ${id} cannot be resumed: ${patternError.message}`)
}
