// Advisory locks of the database: every class of them, each with a first number of its own ("Orbw" and those after it).
// What the second number is stands beside it.

export const ADVISORY_LOCKS = {
  /** One of STORE_LOCKS. */
  store: 0x4f726277,
  /** The hash of a url of which a version is kept. */
  urls: 0x4f726278,
  /** A segment: shared by those who point at it. */
  segments: 0x4f726279,
  /** A crawl whose shorter ways are passed on. */
  detours: 0x4f72627a,
  /** A slot of the counts that indexers keep. */
  indexSlots: 0x4f72627b,
  /** The hash of a url whose document is written. */
  indexedUrls: 0x4f72627c,
  /** A crawl whose settings change: shared by those who go by them and must not miss it. */
  settings: 0x4f72627d,
  /** A crawl whose held links are judged. */
  heldLinks: 0x4f72627e,
} as const

export const STORE_LOCKS = {
  /** While the tables are changed. */
  migration: 0,
  /** Shared by every process that has the store open; a move has it alone. */
  atWork: 1,
} as const
