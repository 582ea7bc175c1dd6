// Authorizes requests and sockets. The checks, in this order: Host, Origin, token, scope, rate limit.
//
// Without tokens, only this machine can reach the server and every client is an admin. A page of another site in the
// owner's browser could reach it too: through DNS rebinding, so the Host must be ours, or with plain requests, so the
// Origin must be ours.

import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { TokenRow } from '../../ports/access.ts'
import { SCOPES, type Scope } from '../contract/route.ts'
import { RequestError } from '../requests/request-error.ts'
import { hostnameOf, isLoopbackName } from './loopback.ts'
import { RateLimiter } from './rate-limiter.ts'
import { readSessionToken } from './session-cookie.ts'
import type { TokenCache } from './tokens.ts'

export interface RequiredAccess {
  scope: Scope
  /** Whether the route needs no token. */
  isOpen: boolean
}

export interface AuthResult extends ClientIdentity {
  /** Null for a request without a token, which only open routes allow if the server requires tokens. */
  scope: Scope | null
  /** The URL of this server as the client knows it, without a path. */
  baseUrl: string
  /** For long-lived connections: false if the token has been revoked or has expired. Not counted as a request. */
  isStillValid(): Promise<boolean>
}

/** The client of a request as far as known, also if the request is rejected. */
export interface ClientIdentity {
  tokenId: string | null
  address: string
}

export interface RequestGuardSettings {
  needsToken: boolean
  /** The URL at which users reach the server, such as https://crawl.example.com; null for the address it listens on. */
  publicUrl: string | null
  /** Requests per second for each token, or for each address without a token. */
  ratePerSecond: number
}

/** Limit for wrong tokens from one address. */
const FAILED_TOKEN_RATE = { perSecond: 0.2, burst: 10 }
const BURST_SECONDS = 2
const MAX_TOKEN = 200

export class RequestGuard {
  readonly #settings: RequestGuardSettings
  readonly #tokens: TokenCache
  readonly #requestRate: RateLimiter
  readonly #failureRate: RateLimiter
  readonly #results = new WeakMap<IncomingMessage, Promise<AuthResult>>()
  readonly #identities = new WeakMap<IncomingMessage, ClientIdentity>()

  constructor(settings: RequestGuardSettings, dependencies: { tokens: TokenCache; clock: Clock }) {
    this.#settings = settings
    this.#tokens = dependencies.tokens
    const perSecond = settings.ratePerSecond
    this.#requestRate = new RateLimiter({ perSecond, burst: perSecond * BURST_SECONDS }, dependencies.clock)
    this.#failureRate = new RateLimiter(FAILED_TOKEN_RATE, dependencies.clock)
  }

  get needsToken(): boolean {
    return this.#settings.needsToken
  }

  /** Counts a request once, even if it is called several times for the same request. */
  authorise(request: IncomingMessage, requiredAccess: RequiredAccess): Promise<AuthResult> {
    const known = this.#results.get(request) ?? this.#authorise(request, requiredAccess)
    this.#results.set(request, known)
    return known
  }

  clientIdentityOf(request: IncomingMessage): ClientIdentity {
    return this.#identities.get(request) ?? { tokenId: null, address: remoteAddressOf(request) }
  }

  async #authorise(request: IncomingMessage, requiredAccess: RequiredAccess): Promise<AuthResult> {
    const address = remoteAddressOf(request)
    const bearer = readBearerToken(request)
    const token = bearer ?? readSessionToken(request.headers.cookie)
    // Looked up first, so that the log names the token even if the request is rejected.
    const known = token === null ? null : await this.#tokens.find(token)
    if (known !== null) this.#identities.set(request, { tokenId: known.id, address })
    this.checkHost(request)
    this.#checkOrigin(request)
    // Cookies ignore ports: the session cookie of another server on this machine is sent here too and must be ignored.
    const isOptional = requiredAccess.isOpen || (bearer === null && !this.needsToken)
    const row = token === null ? null : this.#acceptToken(known, address, isOptional)
    const scope = row?.scope ?? (this.needsToken ? null : 'admin')
    if (row !== null || this.needsToken) this.checkRate(row?.id ?? address)
    if (!requiredAccess.isOpen) requireScope(scope, requiredAccess.scope)
    const isStillValid = async () => token === null || row === null || this.#isValid(await this.#tokens.find(token))
    const baseUrl = originOf(this.#settings.publicUrl) ?? `http://${request.headers.host ?? ''}`
    return { scope, tokenId: row?.id ?? null, address, baseUrl, isStillValid }
  }

  /** Checks a token that does not authorize the current request. */
  async verifyToken(token: string, address: string): Promise<TokenRow> {
    const row = this.#acceptToken(await this.#tokens.find(token), address, false)
    if (row === null) throw wrongTokenError()
    return row
  }

  /** Null if the token is invalid and optional. */
  #acceptToken(row: TokenRow | null, address: string, isOptional: boolean): TokenRow | null {
    if (row !== null && this.#isValid(row)) return row
    if (isOptional) return null
    // An expired token is not a guess, so it does not count as a failed attempt.
    if (row !== null) {
      this.checkRate(row.id)
      throw expiredTokenError(row)
    }
    this.#countFailure(address)
    throw wrongTokenError()
  }

  #isValid(row: TokenRow | null): boolean {
    return row !== null && !this.#tokens.isExpired(row)
  }

  /** Also applies to paths that are authorised by a token in the path. */
  checkHost({ headers }: IncomingMessage): void {
    if (this.needsToken) return
    const name = hostnameOf(headers.host ?? '')
    if (name !== null && isLoopbackName(name)) return
    throw new AppError(
      'HOST_REFUSED',
      'Without tokens, this server only accepts local host names such as localhost or 127.0.0.1.',
    )
  }

  #checkOrigin({ method, headers }: IncomingMessage): void {
    const { origin } = headers
    if (origin === undefined) return checkFetchSite(method, headers)
    const { publicUrl } = this.#settings
    const url = URL.parse(origin)
    const isOurs = url !== null && (url.host === hostOf(headers.host) || url.origin === originOf(publicUrl))
    if (!isOurs) throw new AppError('ORIGIN_REFUSED', `Pages of ${origin} are not allowed to call this server.`)
  }

  /** Also applies to requests made on behalf of a token, without it. */
  checkRate(name: string): void {
    const waitSeconds = this.#requestRate.take(name)
    if (waitSeconds > 0) throw rateLimitError(waitSeconds)
  }

  /** Limits only failures, because behind a proxy all clients share one address. */
  #countFailure(address: string): void {
    const waitSeconds = this.#failureRate.take(address)
    if (waitSeconds > 0) throw rateLimitError(waitSeconds)
  }
}

/**
 * A page of another site that embeds a resource sends no Origin, but browsers send Sec-Fetch-Site. Following a link is
 * allowed; submitting a form is not, with or without an Origin.
 */
function checkFetchSite(method: string | undefined, headers: IncomingMessage['headers']): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (isLink && (method === 'GET' || method === 'HEAD')) return
  throw new AppError('ORIGIN_REFUSED', 'Pages of other sites are not allowed to call this server.')
}

export function includesScope(granted: Scope, required: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(required)
}

/** Throws if the scope is not enough. */
export function requireScope(granted: Scope | null, required: Scope): void {
  if (granted === null) {
    throw new RequestError(
      'TOKEN_MISSING',
      'This server requires a token: send it as Authorization: Bearer.',
      authChallenge(),
    )
  }
  if (includesScope(granted, required)) return
  throw new AppError('SCOPE_MISSING', `This requires a token with ${required} scope; yours has ${granted} scope.`)
}

/** Null if there is no bearer token. Other schemes may be meant for a proxy. */
function readBearerToken({ headers }: IncomingMessage): string | null {
  const token = /^Bearer\b(.*)$/i.exec(headers.authorization ?? '')?.[1]
  return token?.trim().slice(0, MAX_TOKEN) ?? null
}

function remoteAddressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

function hostOf(header: string | undefined): string | null {
  return URL.parse(`http://${header ?? ''}`)?.host ?? null
}

function originOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? null)
}

function wrongTokenError(): RequestError {
  return new RequestError('TOKEN_WRONG', 'The token is unknown or was revoked.', authChallenge())
}

function expiredTokenError({ id, expiresAt }: TokenRow): RequestError {
  const at = new Date(expiresAt ?? 0).toISOString()
  return new RequestError(
    'TOKEN_EXPIRED',
    `The token ${id} expired at ${at}. Ask an admin for a new one.`,
    authChallenge(),
  )
}

function rateLimitError(waitSeconds: number): RequestError {
  const headers = { 'retry-after': String(waitSeconds) }
  return new RequestError('RATE_LIMITED', `Too many requests. Try again in ${waitSeconds} s.`, { headers })
}

function authChallenge(): { headers: Record<string, string> } {
  return { headers: { 'www-authenticate': 'Bearer realm="orbweaver"' } }
}
