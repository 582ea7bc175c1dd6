// The id of a task says everything that a report needs to be judged: the lease it was given under, and the url. It is
// signed, so that nobody can report what was not given out, and nothing about it has to be remembered.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'
import type { KnownRequests } from '../../../ports/access.ts'
import type { Lease, LeasedUrl } from '../../../ports/frontier.ts'

export interface TaskClaim {
  crawlId: string
  crawlerId: string
  lease: Omit<Lease, 'urls'>
  url: LeasedUrl
  /** The gap that robots.txt asks for, as far as it was known. */
  crawlDelayMs: number
}

export const MAX_TASK_ID = 8192

/** No idempotency key looks like this: they have colons. */
const SECRET_NAME = 'crawler-tasks'
/** Never forgotten: the last time that a date can name. */
const FOR_EVER = 8.64e15

export class TaskIds {
  readonly #known: KnownRequests
  #secret: Promise<string> | null = null

  constructor(known: KnownRequests) {
    this.#known = known
  }

  async write(claim: TaskClaim): Promise<string> {
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url')
    return `${text}.${await this.#sign(text)}`
  }

  /** Null when it was not made here. */
  async read(taskId: string): Promise<TaskClaim | null> {
    const [text = '', signature = ''] = taskId.split('.')
    const given = Buffer.from(signature)
    const right = Buffer.from(await this.#sign(text))
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as TaskClaim
  }

  async #sign(text: string): Promise<string> {
    this.#secret ??= this.#findSecret()
    try {
      return createHmac('sha256', await this.#secret)
        .update(text)
        .digest('base64url')
    } catch (error) {
      this.#secret = null
      throw error
    }
  }

  /** One for all processes of a store: whoever is first makes it. */
  async #findSecret(): Promise<string> {
    const found = await this.#known.find(SECRET_NAME)
    if (found !== null) return found.answer
    const answer = randomBytes(32).toString('hex')
    await this.#known.save(SECRET_NAME, { fingerprint: '', answer, at: FOR_EVER })
    const saved = await this.#known.find(SECRET_NAME)
    if (saved === null) throw new AppError('STORE_FAILED', 'The secret that signs tasks could not be stored.')
    return saved.answer
  }
}
