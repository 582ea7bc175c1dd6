// The heads of requests as archives keep them.

import { HIDDEN, isSecretName } from '../../lib/redact.ts'
import { parseGivenHeader } from './given-headers.ts'

/** Whether they are wanted, and if so with the values of headers that may be secret. */
export type SentHeads = 'off' | 'masked' | 'full'

/** What to keep of the head of a request; null when nothing is. `given` are the headers of the crawl's owner. */
export function headKeeper(which: SentHeads, given: readonly string[]): ((head: string) => string) | null {
  if (which === 'off') return null
  if (which === 'full') return withoutEnd
  const names = new Set(given.map((line) => parseGivenHeader(line)?.name.toLowerCase()))
  return (head) =>
    withoutEnd(head).replace(/^([^:\r\n]+): .*$/gm, (line, name: string) =>
      names.has(name.toLowerCase()) || isSecretName(name) ? `${name}: ${HIDDEN}` : line,
    )
}

function withoutEnd(head: string): string {
  return head.replace(/[\r\n]+$/, '')
}
