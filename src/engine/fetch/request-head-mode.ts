// Request heads for the archive.

import { parseCustomHeader } from '../../config/values/custom-header.ts'
import { isSecretName, REDACTED } from '../../lib/redact.ts'

/** Whether request heads are archived, and whether values that may be secret are masked. */
export type RequestHeadMode = 'off' | 'masked' | 'full'

/**
 * Filters the head of a request for the archive; null if it is not archived. `customHeaders` come from the owner of the
 * crawl.
 */
export function createHeadFilter(
  mode: RequestHeadMode,
  customHeaders: readonly string[],
): ((head: string) => string) | null {
  if (mode === 'off') return null
  if (mode === 'full') return withoutProxy
  const names = new Set(customHeaders.map((line) => parseCustomHeader(line)?.name.toLowerCase()))
  return (head) =>
    withoutProxy(head).replace(/^([^:\r\n]+): .*$/gm, (line, name: string) =>
      names.has(name.toLowerCase()) || isSecretName(name) ? `${name}: ${REDACTED}` : line,
    )
}

/** The head as it would be sent without a proxy, and without the empty line. */
function withoutProxy(head: string): string {
  return head
    .replace(/^GET https?:\/\/[^/ ]*/, 'GET ')
    .replace(/^proxy-authorization: .*\r?\n/im, '')
    .replace(/[\r\n]+$/, '')
}
