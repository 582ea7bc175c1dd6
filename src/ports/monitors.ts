// Monitors watch the pages of crawls and store a hit for each page version that fulfils their rule. The rules are in
// src/monitor.

const MONITOR_KINDS = ['words', 'pattern', 'selector', 'copies'] as const
export type MonitorKind = (typeof MONITOR_KINDS)[number]

/** The value of a selector has changed, contains a text, or is a number above or below a limit. */
export type ValueCondition =
  | { kind: 'changed' }
  | { kind: 'contains'; text: string }
  | { kind: 'above' | 'below'; limit: number }

export type MonitorRule =
  /** Finds any of these words or phrases. */
  | { kind: 'words'; words: string[] }
  | { kind: 'pattern'; pattern: string }
  | { kind: 'selector'; selector: string; condition: ValueCondition }
  /** Passages of its protected documents, of about `minWords` words or more. */
  | { kind: 'copies'; minWords: number }

export interface MonitorRow {
  id: string
  name: string
  rule: MonitorRule
  /** Monitored crawls; empty for all. */
  crawlIds: string[]
  /** Patterns of URLs. Empty: all pages. */
  include: string[]
  exclude: string[]
  isMuted: boolean
  /** Page versions that were visited earlier are not examined. */
  createdAt: number
}

export interface MonitorCounts {
  hits: number
  /** Hits that have not been acknowledged. */
  openHits: number
  lastHitAt: number | null
  /** Hits deleted beyond the limits (`HIT_LIMITS`), and the number of them that webhooks were never notified of. */
  deletedHits: number
  droppedHits: number
  documents: number
  /** Words of all its documents. */
  words: number
  mutedUrls: string[]
}

export type MonitorChanges = Partial<Omit<MonitorRow, 'id' | 'createdAt'>>

export const MAX_MONITORS = 200
/** Limit per monitor. */
export const MAX_MUTED_URLS = 500
/** Approximate limits per monitor: they are checked whenever the id of a new hit is a multiple of `checkEvery`. */
export interface HitLimits {
  /** Beyond this number, the oldest hits that webhooks were notified of are deleted. */
  kept: number
  /** Beyond this number, the oldest hits are deleted even if no server has notified webhooks. */
  most: number
  checkEvery: number
}

export const HIT_LIMITS: HitLimits = { kept: 100_000, most: 200_000, checkEvery: 500 }

export interface Monitors {
  /** Oldest first. */
  list(): Promise<MonitorRow[]>
  /** Counts of all monitors, by id. */
  counts(): Promise<Record<string, MonitorCounts>>
  /** False if there are MAX_MONITORS. */
  add(monitor: MonitorRow): Promise<boolean>
  /** False if the monitor does not exist. A new rule starts without what the old one has seen. */
  change(id: string, changes: MonitorChanges): Promise<boolean>
  /** Removes a monitor with its documents and hits. */
  remove(id: string): Promise<boolean>
  /** False if the monitor does not exist, or has too many muted URLs. */
  muteUrl(id: string, url: string, isMuted: boolean): Promise<boolean>
  /** Increases with every change of a monitor or its documents. */
  revision(): Promise<number>
}

export interface ProtectedDocument {
  id: string
  monitorId: string
  title: string
  /** The archived page that it was read from; null if it was uploaded. */
  url: string | null
  words: number
  addedAt: number
}

/** Limit for all monitors together. An index of their passages is in memory: about 40 bytes per word. */
export const MAX_PROTECTED_WORDS = 1_000_000
export const MAX_DOCUMENTS = 10_000

export interface ProtectedDocuments {
  /** Documents of a monitor, oldest first. */
  list(monitorId: string): Promise<ProtectedDocument[]>
  /** `full`: the limits above would be exceeded. */
  add(document: ProtectedDocument & { text: string }): Promise<'added' | 'full' | 'no_monitor'>
  remove(monitorId: string, id: string): Promise<boolean>
  /** Null if the document is gone. */
  text(id: string): Promise<string | null>
}

/** A text with the parts to emphasise, by start and end. */
export interface Passage {
  text: string
  highlights: [start: number, end: number][]
}

export interface CopiedPassage {
  documentId: string
  title: string
  url: string | null
  /** Words of the passage on the page, and how many of them are the same in the document. */
  words: number
  same: number
  /** The matching passages of the page and the document, each with the differing words highlighted. */
  onPage: Passage
  inDocument: Passage
}

export type Evidence =
  | { kind: 'passages'; matches: number; passages: Passage[] }
  /** Null if the page has no such element. `before` is also null if the page was not seen before. */
  | { kind: 'value'; before: string | null; after: string | null }
  | { kind: 'copies'; matches: number; copies: CopiedPassage[] }

/** The page version that a monitor has examined. */
export interface ExaminedPage {
  pageId: number
  crawlId: string
  url: string
  version: number
  title: string | null
  visitedAt: number
}

export interface Hit extends ExaminedPage {
  id: number
  monitorId: string
  at: number
  evidence: Evidence
  /** The URL or monitor was muted, so no notification is sent. */
  isMuted: boolean
  acknowledgedAt: number | null
}

/** What a monitor last saw on a URL, in a form that only its rule understands. */
export interface SeenState {
  /** Visit time of the page version. Version numbers start again once all versions of a URL have expired. */
  visitedAt: number
  pageId: number
  state: string
}

export interface Finding {
  monitorId: string
  page: ExaminedPage
  /** Null if there is nothing to remember. */
  state: string | null
  /** Null if there is no hit. */
  evidence: Evidence | null
  at: number
}

export interface HitFilter {
  monitorId: string | null
  crawlId: string | null
  url: string | null
  isOpen: boolean | null
  /** True: only hits of muted URLs and monitors; false: only the others; null: all. */
  isMuted: boolean | null
  /** Only hits older than this one. */
  before: number | null
  limit: number
}

export interface MonitorHits {
  /** What each of these monitors has seen on a URL, by monitor. */
  seen(url: string, monitorIds: string[]): Promise<Record<string, SeenState>>
  /**
   * Records all findings or none. A finding is ignored if its monitor or crawl is gone, or if the monitor has
   * already seen this version of the URL or a later one. So a page version makes one hit per monitor, however often
   * it is examined. Returns the number of new hits. Deletes the oldest hits beyond the limits, and adds them to the
   * counts of their monitor.
   */
  record(findings: Finding[], limits?: HitLimits): Promise<number>
  /** Newest first. */
  list(filter: HitFilter): Promise<Hit[]>
  find(id: number): Promise<Hit | null>
  /**
   * Acknowledges open hits: the listed ones, or those of a monitor up to and including a hit. Returns their number.
   */
  acknowledge(which: { ids: number[] } | { monitorId: string; upTo: number }, at: number): Promise<number>
  /** Hits that webhooks have not been notified of, oldest first. Muted hits are never included. */
  unannounced(limit: number): Promise<Hit[]>
  markAnnounced(ids: number[]): Promise<void>
}
