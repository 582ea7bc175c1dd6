// What crawlers from outside need of the store beside the frontier.

/** A visit that was given out and not reported yet. */
export interface OutsideVisit {
  crawlId: string
  urlId: number
  /** Of the url, before this one. */
  attempts: number
}

/** How long a document waits for the report it belongs to. */
export const DOCUMENT_MS = 86_400_000

export interface Outside {
  /** What signs the ids of tasks: the same for all processes of the store. The first that is offered stays. */
  secret(offer: string): Promise<string>
  /** A document that came before the report of its visit; a later one takes its place. Those too old are forgotten. */
  keepDocument(visit: OutsideVisit, document: string, at: number): Promise<void>
  findDocument(visit: OutsideVisit): Promise<string | null>
}
