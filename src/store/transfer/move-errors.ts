import { AppError } from '../../lib/errors.ts'

/** Thrown when the store is opened for anything but a transfer. */
export function moveUnfinishedError(place: string): AppError {
  return new AppError(
    'MOVE_UNFINISHED',
    `A move into ${place} is running or was interrupted, so its data is incomplete. Run the same orbweaver move command again to start over.`,
  )
}

export function storeNotEmptyError(place: string): AppError {
  return new AppError('STORE_NOT_EMPTY', `${place} contains crawls already. Choose an empty store with --to.`)
}
