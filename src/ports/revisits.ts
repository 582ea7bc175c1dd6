// Visiting URLs again. Between visits a URL counts under its last outcome; when it is due, it is queued again.

export interface RequeuedRevisits {
  /** URLs that were queued again. */
  requeued: number
  /** Another call finds more to do at once. */
  hasMore: boolean
}

export interface Revisits {
  /**
   * Queues URLs that are due, in all active crawls with --recrawl, at most `limit` per crawl and as many as its budget
   * allows. After a change of settings it also plans the visits of URLs that are known already. Any number of processes
   * may call it at the same time.
   */
  requeueDue(limit: number): Promise<RequeuedRevisits>
}
