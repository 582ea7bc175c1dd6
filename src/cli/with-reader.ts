import type { Config } from '../config/schema.ts'
import type { Io, Reader } from './io.ts'

/** Opens the data directory for looking, and closes it however the look ends. */
export async function withReader<T>(config: Config, io: Io, look: (reader: Reader) => Promise<T>): Promise<T> {
  const reader = io.openReader(config.data)
  try {
    return await look(reader)
  } finally {
    await reader.close()
  }
}
