import type { Config } from '../config/schema.ts'
import type { Io, Reader } from './io.ts'

/** Opens the store for looking, and closes it however the look ends. */
export async function withReader<T>(config: Config, io: Io, look: (reader: Reader) => Promise<T>): Promise<T> {
  const reader = await io.openReader(config)
  try {
    return await look(reader)
  } finally {
    await reader.close()
  }
}
