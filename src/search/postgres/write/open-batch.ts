// A batch of claimed pages: a transaction that stays open until the batch is finished.

import { randomUUID } from 'node:crypto'
import type { FeedPage, PageResult } from '../../../ports/index-feed.ts'
import type { Connection } from '../../../store/postgres/query.ts'
import { readIndexEra } from './anchors.ts'
import type { QueuedPage } from './index-queue.ts'

export interface OpenBatch {
  token: string
  /** Era of the index when the batch was taken. */
  era: number
  connection: Connection
  waiting: QueuedPage[]
  /** Empty if only links are read. */
  pages: FeedPage[]
  /** Written at the end, because writing locks rows that other indexers need. */
  results: PageResult[]
}

/** Turns claimed pages into a result. The transaction stays open if it calls `open`, and is committed otherwise. */
export type LoadBatch<T> = (
  waiting: QueuedPage[],
  open: (pages: FeedPage[]) => { token: string; epoch: number },
  connection: Connection,
) => Promise<T>

export async function claimBatch<T>(
  pool: { connect(): Promise<Connection> },
  claim: (connection: Connection) => Promise<QueuedPage[]>,
  load: LoadBatch<T>,
): Promise<{ loaded: T; openBatch: OpenBatch | null }> {
  const connection = await pool.connect()
  let openBatch: OpenBatch | null = null
  try {
    // Read before the claim: if the index is cleared in between, `finish` notices.
    const era = await readIndexEra(connection)
    await connection.query({ text: 'begin' })
    const waiting = await claim(connection)
    const open = (pages: FeedPage[]) => {
      const token = randomUUID()
      openBatch = { token, era, connection, waiting, pages, results: [] }
      return { token, epoch: era }
    }
    const loaded = await load(waiting, open, connection)
    if (openBatch === null) {
      await connection.query({ text: 'commit' })
      connection.release()
    }
    return { loaded, openBatch }
  } catch (error) {
    connection.release(true)
    throw error
  }
}
