// A client for OpenSearch and Elasticsearch: JSON requests over reused connections. Every request may be repeated, so
// a request that fails because of the network or an overload is retried on the next node.

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchLocation } from '../../config/values/search-url.ts'
import { AppError } from '../../lib/errors.ts'
import { HttpConnections, type HttpResponse } from '../../lib/http-connections.ts'

/** A response that is not a success. */
export class SearchEngineError extends Error {
  override readonly name = 'SearchEngineError'
  readonly status: number
  /** Error type of the server, such as index_not_found_exception. */
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

export interface ClientOptions {
  /** Timeout without a byte in either direction. */
  idleMs: number
  /** Attempts per request. */
  attempts: number
}

const FIRST_RETRY_MS = 200
const MAX_RETRY_MS = 5000
const TRANSIENT_STATUSES = [429, 502, 503, 504]

/** Overload, a full disk, or a node that starts or stops: the same request may succeed later. */
export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.includes(status)
}

export class SearchClient {
  readonly #location: SearchLocation
  readonly #options: ClientOptions
  readonly #connections = new HttpConnections()
  readonly #headers: Record<string, string>
  #node = 0

  constructor(location: SearchLocation, options: ClientOptions) {
    this.#location = location
    this.#options = options
    const { user, password } = location
    const login = Buffer.from(`${user}:${password}`).toString('base64')
    this.#headers = user === '' ? {} : { authorization: `Basic ${login}` }
  }

  get prefix(): string {
    return this.#location.prefix
  }

  /** Null if the path does not exist. */
  async getOrNull<T>(path: string): Promise<T | null> {
    try {
      return await this.send<T>('GET', path)
    } catch (error) {
      if (error instanceof SearchEngineError && error.status === 404) return null
      throw error
    }
  }

  /** `body` is JSON, or lines of JSON. */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
    for (let attempt = 1; ; attempt++) {
      const response = await this.#try({ method, path, text, type })
      const isOver = attempt >= this.#options.attempts
      if (!(response instanceof Error) && !isTransientStatus(response.status)) return readResponse(response, path)
      if (isOver) throw this.#awayError(response)
      this.#node += 1
      await sleep(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2))
    }
  }

  close(): void {
    this.#connections.close()
  }

  async #try(request: { method: string; path: string; text: string | null; type: string }) {
    const { method, path, text, type } = request
    const bytes = text === null ? null : Buffer.from(text)
    const url = new URL(this.#nodeUrl())
    const length: Record<string, string> =
      bytes === null ? {} : { 'content-type': type, 'content-length': String(bytes.length) }
    const headers = { ...this.#headers, host: url.host, accept: 'application/json', ...length }
    const { idleMs } = this.#options
    try {
      const body = bytes === null ? null : Readable.from([bytes], { objectMode: false })
      return await this.#connections.send({ method, url, target: path, headers, body, idleMs })
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #nodeUrl(): string {
    const { nodes } = this.#location
    return nodes[this.#node % nodes.length] ?? ''
  }

  #awayError(response: HttpResponse | Error): AppError {
    const isError = response instanceof Error
    const problem = isError
      ? `does not respond: ${response.message || response.name}`
      : `is not available: status ${response.status}, ${explain(response).message}`
    return new AppError('SEARCH_AWAY', `The search engine at ${this.#nodeUrl()} ${problem}`, {
      cause: isError ? response : undefined,
    })
  }
}

function readResponse<T>(response: HttpResponse, path: string): T {
  if (response.status < 300) return JSON.parse(response.body.toString('utf8')) as T
  const { type, message } = explain(response)
  if (response.status === 401 || response.status === 403)
    throw new AppError(
      'SEARCH_REFUSED',
      `The search engine refused access: status ${response.status}. ${message}`.trim(),
    )
  const [place = ''] = path.split('?')
  throw new SearchEngineError(response.status, type, `${place}: status ${response.status}, ${message}`)
}

function explain({ body }: HttpResponse): { type: string; message: string } {
  const text = body.toString('utf8', 0, 4096)
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { type?: string; reason?: string } | string }
    if (typeof error === 'object') return { type: error.type ?? '', message: `${error.type}: ${error.reason}` }
  } catch {
    // A proxy in between may send HTML.
  }
  return { type: '', message: text.slice(0, 200) }
}
