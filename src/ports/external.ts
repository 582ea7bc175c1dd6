// What external crawlers need of the store besides the frontier.

/** A task that was handed out and not reported yet. */
export interface ExternalVisit {
  crawlId: string
  urlId: number
  /** Visits of the URL before this one. */
  attempts: number
}

/** How long a document waits for the report of its visit. */
export const DOCUMENT_RETENTION_MS = 86_400_000

export interface ExternalCrawlers {
  /** The secret that signs task ids, the same for all processes of the store. The first offer is stored. */
  getOrCreateSecret(offer: string): Promise<string>
  /** Stores a document that arrived before the report of its visit. A later one replaces it. Old ones are deleted. */
  saveDocument(visit: ExternalVisit, document: string, at: number): Promise<void>
  findDocument(visit: ExternalVisit): Promise<string | null>
}
