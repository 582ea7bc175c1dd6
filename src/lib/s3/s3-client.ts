// A client for one bucket of an S3-compatible object storage. It does what an archive of immutable files needs: PUT with
// checksums, ranged GET, HEAD, LIST and DELETE.

import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpConnections, type HttpResponse } from '../http-connections.ts'
import { CredentialChain, readProfile } from './credentials.ts'
import { CredentialsError, type Environment } from './expiring-credentials.ts'
import { type S3Location, showLocation } from './location.ts'
import { S3Error, toS3Error } from './s3-error.ts'
import { canonicalQuery, EMPTY_SHA256, encodePath, signRequest } from './sign-request.ts'
import { elementsOf, textOf } from './xml-text.ts'

export interface ListedObject {
  key: string
  bytes: number
  /** Ms since 1970. */
  modifiedAt: number
}

export interface FileToPut {
  path: string
  bytes: number
  /** SHA-256 of the bytes in hex. The server rejects other bytes. */
  sha256: string
}

interface Attempt {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: FileToPut | Buffer
}

const IDLE_MS = 15_000
const ATTEMPTS = 3
const FIRST_RETRY_MS = 100

export class S3Client {
  readonly #location: S3Location
  readonly #env: Environment
  readonly #credentials: CredentialChain
  readonly #connections = new HttpConnections()
  #target: Promise<{ base: URL; path: string; region: string }> | null = null

  /** Keys are relative to the prefix of the location. */
  constructor(location: S3Location, env: Environment) {
    this.#location = location
    this.#env = env
    this.#credentials = new CredentialChain(env, Date.now)
  }

  get name(): string {
    return showLocation(this.#location)
  }

  /** Tries once with a file, which may be large: the caller knows whether and when to try again. */
  async put(key: string, body: FileToPut | Buffer): Promise<void> {
    const sha256 = Buffer.isBuffer(body) ? hash('sha256', body, 'hex') : body.sha256
    const headers = {
      'content-length': String(Buffer.isBuffer(body) ? body.length : body.bytes),
      'x-amz-content-sha256': sha256,
      'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
    }
    const attempt: Attempt = { method: 'PUT', key, headers, body }
    await (Buffer.isBuffer(body) ? this.#sendWithRetries(attempt) : this.#send(attempt))
  }

  /** `length` bytes from `offset`; fewer at the end of the object. */
  async read(key: string, offset: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0)
    const headers = { range: `bytes=${offset}-${offset + length - 1}` }
    try {
      const { status, body } = await this.#sendWithRetries({ method: 'GET', key, headers })
      // A server that ignores the range sends everything.
      return status === 206 ? body : body.subarray(offset, offset + length)
    } catch (error) {
      if (error instanceof S3Error && error.serverCode === 'InvalidRange') return Buffer.alloc(0)
      throw error
    }
  }

  async readAll(key: string): Promise<Buffer> {
    return (await this.#sendWithRetries({ method: 'GET', key })).body
  }

  /** Null if the object does not exist. */
  async sizeOf(key: string): Promise<number | null> {
    try {
      const { headers } = await this.#sendWithRetries({ method: 'HEAD', key })
      return Number(headers['content-length'] ?? Number.NaN)
    } catch (error) {
      if (error instanceof S3Error && error.failure === 'missing') return null
      throw error
    }
  }

  /** No error if there is none. */
  async delete(key: string): Promise<void> {
    try {
      await this.#sendWithRetries({ method: 'DELETE', key })
    } catch (error) {
      if (!(error instanceof S3Error && error.failure === 'missing')) throw error
    }
  }

  /** Objects in order of their keys. */
  async *list(): AsyncGenerator<ListedObject> {
    const { prefix } = this.#location
    let token: string | null = null
    do {
      const page = await this.#listPage(token, 1000)
      for (const entry of elementsOf(page, 'Contents')) {
        const key = textOf(entry, 'Key')
        if (!key?.startsWith(prefix)) continue
        const modifiedAt = Date.parse(textOf(entry, 'LastModified') ?? '')
        yield { key: key.slice(prefix.length), bytes: Number(textOf(entry, 'Size')), modifiedAt }
      }
      token = textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : null
    } while (token !== null)
  }

  /** Throws if the bucket cannot be listed: wrong name, region, endpoint or credentials, or out of reach. */
  async check(): Promise<void> {
    await this.#listPage(null, 1)
  }

  close(): void {
    this.#connections.close()
  }

  async #listPage(token: string | null, maxKeys: number): Promise<string> {
    const more = token === null ? {} : { 'continuation-token': token }
    const query = { 'list-type': '2', 'max-keys': String(maxKeys), prefix: this.#location.prefix, ...more }
    const { body } = await this.#sendWithRetries({ method: 'GET', key: '', query })
    return body.toString('utf8')
  }

  async #sendWithRetries(attempt: Attempt): Promise<HttpResponse> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#send(attempt)
      } catch (error) {
        if (tries === ATTEMPTS || !(error instanceof S3Error) || error.failure !== 'away') throw error
        await sleep(FIRST_RETRY_MS * 4 ** (tries - 1))
      }
    }
  }

  async #send({ method, key, query = {}, headers = {}, body }: Attempt): Promise<HttpResponse> {
    const isBucket = key === ''
    const what = `${method} ${this.name}${key}`
    this.#target ??= findTarget(this.#location, this.#env)
    const { base, path: bucketPath, region } = await this.#target
    const path = encodePath(isBucket ? bucketPath || '/' : `${bucketPath}/${this.#location.prefix}${key}`)
    const unsigned = { host: base.host, 'x-amz-content-sha256': EMPTY_SHA256, ...headers }
    try {
      const credentials = await this.#credentials.get()
      const signed = signRequest({ method, path, query, headers: unsigned }, { credentials, region, now: Date.now() })
      const search = canonicalQuery(query)
      const response = await this.#connections.send({
        method,
        url: base,
        target: search === '' ? path : `${path}?${search}`,
        headers: signed,
        body: body === undefined ? null : toStream(body),
        idleMs: IDLE_MS,
      })
      if (response.status >= 200 && response.status < 300) return response
      throw toS3Error(response, what)
    } catch (error) {
      if (error instanceof S3Error) {
        if (error.serverCode === 'ExpiredToken') this.#credentials.forget()
        throw error
      }
      const message = error instanceof Error ? error.message || error.name : String(error)
      const failure = error instanceof CredentialsError ? 'refused' : 'away'
      throw new S3Error(failure, `${what} at ${base.origin}: ${message}`, '', { cause: error })
    }
  }
}

async function findTarget(location: S3Location, env: Environment) {
  const profile = await readProfile(env)
  const region = location.region ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || profile['region'] || 'us-east-1')
  const endpoint =
    location.endpoint ?? (env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || profile['endpoint_url'] || null)
  // A certificate for *.host does not cover a bucket with dots.
  const isPath =
    location.style === null ? endpoint !== null || location.bucket.includes('.') : location.style === 'path'
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (!isPath) base.host = `${location.bucket}.${base.host}`
  return { base, path: isPath ? `/${location.bucket}` : '', region }
}

function toStream(body: FileToPut | Buffer) {
  if (!Buffer.isBuffer(body)) return createReadStream(body.path, { end: Math.max(0, body.bytes - 1) })
  return Readable.from([body], { objectMode: false })
}
