// Why a crawl or a url ended, in words.

const END_WORDS: Record<string, string> = {
  max_pages: 'the limit of pages was reached',
  cancelled: 'it was cancelled',
}

/** After "Ended before it ran out of urls:". */
export function endText(reason: string): string {
  return END_WORDS[reason] ?? reason.replaceAll('_', ' ')
}

/** What helps when this reason kept a crawl from everything. */
export function adviceFor(reason: string): string {
  return reason.includes('address_blocked')
    ? 'Addresses that are not public need Allow private or Allow.'
    : 'Check the start url, and whether this machine can reach it.'
}
