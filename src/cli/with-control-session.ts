import type { ControlSession } from './io.ts'

/** Closes it afterwards, also on failure. */
export async function withControlSession<T>(
  opening: Promise<ControlSession>,
  use: (controlSession: ControlSession) => Promise<T>,
): Promise<T> {
  const controlSession = await opening
  try {
    return await use(controlSession)
  } finally {
    await controlSession.close()
  }
}
