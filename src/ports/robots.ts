// Copies of robots.txt files, kept with the hosts so that a restart, another thread or another crawl asks nothing twice.

export interface RobotsCopy {
  origin: string
  /** When the origin was last asked, and until when that answer holds. */
  askedAt: number
  expiresAt: number
  /** What came of it: a status, or the name of the problem. */
  status: number | null
  problem: string | null
  /** The last good answer: kept while the origin fails. Null when there was none, or it set no rules. */
  body: Uint8Array | null
  goodAt: number | null
}

export interface RobotsCopies {
  find(origin: string): Promise<RobotsCopy | null>
  save(copy: RobotsCopy): Promise<void>
}
