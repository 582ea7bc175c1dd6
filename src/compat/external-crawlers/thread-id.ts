// An external crawler holds leases like a crawl thread, under a separate id. The prefix is stored, so it keeps its old
// name.

const PREFIX = 'outside-'

export function threadIdOf(crawlerId: string): string {
  return `${PREFIX}${crawlerId}`
}

export function isExternalThread(threadId: string): boolean {
  return threadId.startsWith(PREFIX)
}

/** The name that the crawler chose for itself; for our own crawlers, the thread id. */
export function crawlerIdOf(threadId: string): string {
  return isExternalThread(threadId) ? threadId.slice(PREFIX.length) : threadId
}
