// Copies of robots.txt files, stored per origin so that a restart, another thread or another crawl does not fetch them
// again.

export interface RobotsCopy {
  origin: string
  /** When robots.txt was last requested, and how long that result is valid. */
  askedAt: number
  expiresAt: number
  /** The result: an HTTP status, or the name of the problem. */
  status: number | null
  problem: string | null
  /** The last good response, kept while the origin fails. Null if there was none, or it had no rules. */
  body: Uint8Array | null
  goodAt: number | null
}

export interface RobotsCopies {
  find(origin: string): Promise<RobotsCopy | null>
  save(copy: RobotsCopy): Promise<void>
}
