// What crawlers from outside need of the store beside the frontier.

/** A visit that was given out and not reported yet. */
export interface ExternalVisit {
  crawlId: string
  urlId: number
  /** Of the url, before this one. */
  attempts: number
}

/** How long a document waits for the report it belongs to. */
export const DOCUMENT_RETENTION_MS = 86_400_000

export interface ExternalCrawlers {
  /** What signs the ids of tasks: the same for all processes of the store. The first that is offered stays. */
  getOrCreateSecret(offer: string): Promise<string>
  /** A document that came before the report of its visit; a later one takes its place. Those too old are forgotten. */
  saveDocument(visit: ExternalVisit, document: string, at: number): Promise<void>
  findDocument(visit: ExternalVisit): Promise<string | null>
}
