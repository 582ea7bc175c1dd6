import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { Openers, StoreOwner } from './io.ts'

/** The process that has the data directory, if that is why something failed. Throws any other error. */
export async function findOwner(
  error: unknown,
  config: Config,
  { openControlSession }: Pick<Openers, 'openControlSession'>,
): Promise<StoreOwner> {
  if (!isInUse(error, config)) throw error
  const controlSession = await openControlSession({ ...config, policies: null }, false)
  await controlSession.close()
  // It has ended meanwhile.
  if (controlSession.owner === null) throw error
  return controlSession.owner
}

export function isInUse(error: unknown, { store }: Pick<Config, 'store'>): boolean {
  return store === null && error instanceof AppError && error.code === 'DATA_IN_USE'
}
