import type { Config } from '../config/schema.ts'
import type { Io, ReadSession } from './io.ts'

/** Opens the store for looking, and closes it however the look ends. */
export async function withReadSession<T>(
  config: Config,
  io: Io,
  look: (readSession: ReadSession) => Promise<T>,
): Promise<T> {
  const readSession = await io.openReadSession(config)
  try {
    return await look(readSession)
  } finally {
    await readSession.close()
  }
}
