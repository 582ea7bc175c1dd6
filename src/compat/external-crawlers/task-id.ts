// A task id contains everything needed to process its report: the lease and the URL. It is signed, so that it cannot be
// forged and the server keeps no state for it.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ExternalCrawlers } from '../../ports/external.ts'
import type { Lease, LeasedUrl } from '../../ports/leases.ts'

export interface TaskClaim {
  crawlId: string
  crawlerId: string
  lease: Omit<Lease, 'urls'>
  url: LeasedUrl
  /** The Crawl-delay of robots.txt, if it was known. */
  crawlDelayMs: number
}

export const MAX_TASK_ID = 8192

export class TaskIdCodec {
  readonly #external: Pick<ExternalCrawlers, 'getOrCreateSecret'>
  #secret: Promise<string> | null = null

  constructor(external: Pick<ExternalCrawlers, 'getOrCreateSecret'>) {
    this.#external = external
  }

  async encode(claim: TaskClaim): Promise<string> {
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url')
    return `${text}.${await this.#sign(text)}`
  }

  /** Null if the signature is invalid. */
  async decode(taskId: string): Promise<TaskClaim | null> {
    const [text = '', signature = ''] = taskId.split('.')
    const actual = Buffer.from(signature)
    const expected = Buffer.from(await this.#sign(text))
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as TaskClaim
  }

  async #sign(text: string): Promise<string> {
    // All processes of a store share one secret, created by the first.
    this.#secret ??= this.#external.getOrCreateSecret(randomBytes(32).toString('hex'))
    try {
      return createHmac('sha256', await this.#secret)
        .update(text)
        .digest('base64url')
    } catch (error) {
      this.#secret = null
      throw error
    }
  }
}
