// The heads of requests as they go out. undici, and our HTTP/2, tell them on a channel of the thread, in the same breath in
// which they have told a request that it begins: whoever began last is meant.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { HIDDEN, isSecretName } from '../../lib/redact.ts'

/** Whether they are wanted, and if so with the values of headers that may be secret. */
export type SentHeads = 'off' | 'masked' | 'full'

const CHANNEL = 'undici:client:sendHeaders'

interface Beginning {
  sent: string | null
}

export class SentWatch {
  #beginning: Beginning | null = null
  readonly #mask: (head: string) => string
  readonly #onSent = (message: unknown) => this.#note(message)

  /** `given` are lines of headers that the owner of the crawl added. */
  constructor(which: SentHeads, given: string[]) {
    this.#mask = which === 'full' ? (head) => head : masking(given)
    if (which !== 'off') subscribe(CHANNEL, this.#onSent)
  }

  begin(request: Beginning): void {
    this.#beginning = request
  }

  close(): void {
    unsubscribe(CHANNEL, this.#onSent)
  }

  #note(message: unknown): void {
    const request = this.#beginning
    this.#beginning = null
    // Another client on this thread has sent it.
    if (request === null) return
    const { headers } = message as { headers: string }
    request.sent = this.#mask(headers.replace(/[\r\n]+$/, ''))
  }
}

function masking(given: string[]): (head: string) => string {
  const names = new Set(given.map((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase()))
  return (head) =>
    head.replace(/^([^:\r\n]+): .*$/gm, (line, name: string) =>
      names.has(name.toLowerCase()) || isSecretName(name) ? `${name}: ${HIDDEN}` : line,
    )
}
