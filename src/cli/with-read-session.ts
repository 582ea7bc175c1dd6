import type { Config } from '../config/schema.ts'
import type { Io, ReadSession } from './io.ts'

/** Opens the store for reading and closes it afterwards, also on failure. */
export async function withReadSession<T>(
  config: Config,
  io: Io,
  read: (readSession: ReadSession) => Promise<T>,
): Promise<T> {
  const readSession = await io.openReadSession(config)
  try {
    return await read(readSession)
  } finally {
    await readSession.close()
  }
}
