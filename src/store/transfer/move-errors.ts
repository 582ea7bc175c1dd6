import { AppError } from '../../lib/errors.ts'

/** Thrown when the store is opened for anything but a transfer. */
export function moveUnfinishedError(place: string): AppError {
  return new AppError(
    'MOVE_UNFINISHED',
    `A move into ${place} is under way or was cut off, so nothing there is complete. The same command, orbweaver move, starts it over.`,
  )
}

export function storeNotEmptyError(place: string): AppError {
  return new AppError('STORE_NOT_EMPTY', `There are crawls in ${place} already. Name an empty place with --to.`)
}
