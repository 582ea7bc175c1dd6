import type { Config } from '../config/schema.ts'
import type { Openers, ReadSession } from './io.ts'

/** Opens the store for reading and closes it afterwards, also on failure. */
export async function withReadSession<T>(
  config: Config,
  { openReadSession }: Pick<Openers, 'openReadSession'>,
  read: (readSession: ReadSession) => Promise<T>,
): Promise<T> {
  const readSession = await openReadSession(config)
  try {
    return await read(readSession)
  } finally {
    await readSession.close()
  }
}
