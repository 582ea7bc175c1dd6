// All classes of advisory locks in the database, each with its own first number ("Orbw" and up). The comments name
// the second number.

export const ADVISORY_LOCKS = {
  /** A value of STORE_LOCKS. */
  store: 0x4f726277,
  /** Hash of a URL whose version is being written. */
  urls: 0x4f726278,
  /** A segment; shared by transactions that refer to it. */
  segments: 0x4f726279,
  /** Id of a crawl whose shorter paths are being applied. */
  detours: 0x4f72627a,
  /** A slot of the indexers' counters. */
  indexSlots: 0x4f72627b,
  /** Hash of a URL whose document is being written. */
  indexedUrls: 0x4f72627c,
  /** Id of a crawl whose settings are changing; shared by transactions that depend on them. */
  settings: 0x4f72627d,
  /** Id of a crawl whose held links are being judged. */
  heldLinks: 0x4f72627e,
  /** Always 0: held while the link ranks of URLs change. */
  linkRanks: 0x4f72627f,
  /** A crawl to which URL patterns to render are added; shared by commits of pages that were not rendered. */
  renderPatterns: 0x4f726280,
  /** A write to the search engine. */
  engineWrites: 0x4f726281,
} as const

export const STORE_LOCKS = {
  /** Held while the schema is being changed. */
  migration: 0,
  /** Shared by every process that has the store open; exclusive for a transfer. */
  atWork: 1,
} as const
