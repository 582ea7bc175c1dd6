// The heads of requests as archives keep them.

import { parseCustomHeader } from '../../config/values/custom-header.ts'
import { isSecretName, REDACTED } from '../../lib/redact.ts'

/** Whether they are wanted, and if so with the values of headers that may be secret. */
export type RequestHeadMode = 'off' | 'masked' | 'full'

/** What to keep of the head of a request; null when nothing is. `given` are the headers of the crawl's owner. */
export function createHeadFilter(which: RequestHeadMode, given: readonly string[]): ((head: string) => string) | null {
  if (which === 'off') return null
  if (which === 'full') return withoutEnd
  const names = new Set(given.map((line) => parseCustomHeader(line)?.name.toLowerCase()))
  return (head) =>
    withoutEnd(head).replace(/^([^:\r\n]+): .*$/gm, (line, name: string) =>
      names.has(name.toLowerCase()) || isSecretName(name) ? `${name}: ${REDACTED}` : line,
    )
}

function withoutEnd(head: string): string {
  return head.replace(/[\r\n]+$/, '')
}
