// The id of a task says everything that a report needs to be judged: the lease it was given under, and the url. It is
// signed, so that nobody can report what was not given out, and nothing about it has to be remembered.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ExternalCrawlers } from '../../ports/external.ts'
import type { Lease, LeasedUrl } from '../../ports/frontier.ts'

export interface TaskClaim {
  crawlId: string
  crawlerId: string
  lease: Omit<Lease, 'urls'>
  url: LeasedUrl
  /** The gap that robots.txt asks for, as far as it was known. */
  crawlDelayMs: number
}

export const MAX_TASK_ID = 8192

export class TaskIdCodec {
  readonly #external: Pick<ExternalCrawlers, 'getOrCreateSecret'>
  #secret: Promise<string> | null = null

  constructor(outside: Pick<ExternalCrawlers, 'getOrCreateSecret'>) {
    this.#external = outside
  }

  async encode(claim: TaskClaim): Promise<string> {
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url')
    return `${text}.${await this.#sign(text)}`
  }

  /** Null when it was not made here. */
  async decode(taskId: string): Promise<TaskClaim | null> {
    const [text = '', signature = ''] = taskId.split('.')
    const given = Buffer.from(signature)
    const right = Buffer.from(await this.#sign(text))
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as TaskClaim
  }

  async #sign(text: string): Promise<string> {
    // One for all processes of a store: that of whoever was first.
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
