// The URL that a crawl thread is processing, in memory shared with its process: a thread that hangs cannot be asked
// for it.

import type { StepRecorder } from '../../engine/crawl/visit/visit-processor.ts'
import type { StalledVisit } from '../../engine/crawl/visit/visit-reports.ts'
import { MAX_URL_LENGTH } from '../../engine/url/normalise-url.ts'
import type { LeasedUrl } from '../../ports/leases.ts'

/** Layout: token, URL id, attempts and URL length as numbers, then the URL, which is ASCII. */
const NUMBERS = 4
const URL_AT = NUMBERS * Float64Array.BYTES_PER_ELEMENT

export function newStepCell(): SharedArrayBuffer {
  return new SharedArrayBuffer(URL_AT + MAX_URL_LENGTH)
}

/** Written by the thread. Tokens start at 1, so 0 means that no step is running. */
export class StepCell implements StepRecorder {
  readonly #numbers: Float64Array
  readonly #url: Buffer

  constructor(cell: SharedArrayBuffer) {
    this.#numbers = new Float64Array(cell, 0, NUMBERS)
    this.#url = Buffer.from(cell, URL_AT)
  }

  begin(token: number, { id, url, attempts }: LeasedUrl): void {
    this.#numbers[1] = id
    this.#numbers[2] = attempts
    this.#numbers[3] = this.#url.write(url, 'latin1')
    this.#numbers[0] = token
  }

  end(): void {
    this.#numbers[0] = 0
  }
}

/** Read by the process when the thread is silent or gone; null if no step was running. */
export function readStepCell(cell: SharedArrayBuffer): (StalledVisit & { url: string }) | null {
  const [token = 0, urlId = 0, attempts = 0, length = 0] = new Float64Array(cell, 0, NUMBERS)
  if (token === 0) return null
  return { token, urlId, attempts, url: Buffer.from(cell, URL_AT, length).toString('latin1') }
}
