// Moves a store with all its crawls.

import type { MoveEvent, MoveSummary } from '../cli/io.ts'
import { withAdvice } from '../cli/with-advice.ts'
import { AppError } from '../lib/errors.ts'
import { type MoveSettings, toMoveConfig } from './options.ts'

export interface MoveOptions extends MoveSettings {
  /** An abort takes effect between two batches and throws INTERRUPTED. */
  signal?: AbortSignal
  onProgress?(event: MoveEvent): void
}

/**
 * Copies all crawls of a data directory to an empty Postgres database, or back. The source is only read, and the target
 * can be opened when everything is copied and verified.
 */
export async function moveStore(from: string, to: string, options: MoveOptions = {}): Promise<MoveSummary> {
  const { signal = new AbortController().signal, onProgress = () => undefined, ...settings } = options
  const request = toMoveConfig(from, to, settings)
  const { moveStore: move } = await import('../setup/move-store.ts')
  const advice =
    'Copy the segments there, name their folder with data or their bucket with archiveStore, or pass force: true to move the store without them.'
  try {
    return await withAdvice('SEGMENTS_ELSEWHERE', advice, () => move(request, onProgress, signal))
  } catch (error) {
    if (!signal.aborted) throw error
    throw new AppError('INTERRUPTED', 'Aborted. The source is unchanged; move it again to start over.', {
      cause: error,
    })
  }
}
