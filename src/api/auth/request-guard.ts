// Who may call. The same questions for requests and for sockets, in this order: is it our host, is it our page, whose
// token is it, does it allow this, is it too much.
//
// Without tokens only this machine can reach the server, and every caller is an admin. A page of another site that the
// owner's browser shows could reach it too: by its own name made to point here (so the Host must be ours) or by plain
// requests (so the Origin must be ours).

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
  /** Anybody may. */
  isOpen: boolean
}

export interface AuthResult extends ClientIdentity {
  /** Null: no token was shown, on an open route of a server that wants one. */
  scope: Scope | null
  /** For what stays open: false when the token was revoked or has expired since. Does not count as a request. */
  isStillValid(): Promise<boolean>
}

/** Whose a request is, as far as it is known: also of one that is refused. */
export interface ClientIdentity {
  tokenId: string | null
  address: string
}

export interface RequestGuardSettings {
  needsToken: boolean
  /** Where people reach the server, such as https://crawl.example.com; null: where it listens. */
  publicUrl: string | null
  /** Requests a second for each token, and for each address without one. */
  ratePerSecond: number
}

/** Wrong tokens from one address. */
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

  constructor(settings: RequestGuardSettings, parts: { tokens: TokenCache; clock: Clock }) {
    this.#settings = settings
    this.#tokens = parts.tokens
    const perSecond = settings.ratePerSecond
    this.#requestRate = new RateLimiter({ perSecond, burst: perSecond * BURST_SECONDS }, parts.clock)
    this.#failureRate = new RateLimiter(FAILED_TOKEN_RATE, parts.clock)
  }

  get needsToken(): boolean {
    return this.#settings.needsToken
  }

  /** A request counts once, however often it is asked about. */
  authorise(request: IncomingMessage, requiredAccess: RequiredAccess): Promise<AuthResult> {
    const known = this.#results.get(request) ?? this.#authorise(request, requiredAccess)
    this.#results.set(request, known)
    return known
  }

  /** For the log. */
  clientIdentityOf(request: IncomingMessage): ClientIdentity {
    return this.#identities.get(request) ?? { tokenId: null, address: remoteAddressOf(request) }
  }

  async #authorise(request: IncomingMessage, requiredAccess: RequiredAccess): Promise<AuthResult> {
    const address = remoteAddressOf(request)
    const bearer = readBearerToken(request)
    const token = bearer ?? readSessionToken(request.headers.cookie)
    // First, so that the log can name it whatever becomes of the request.
    const known = token === null ? null : await this.#tokens.find(token)
    if (known !== null) this.#identities.set(request, { tokenId: known.id, address })
    this.#checkHost(request)
    this.#checkOrigin(request)
    // Ports do not tell cookies apart: the session of another server on this machine comes here too, and is none of ours.
    const mayBeWrong = requiredAccess.isOpen || (bearer === null && !this.needsToken)
    const row = token === null ? null : this.#acceptToken(known, address, mayBeWrong)
    const scope = row?.scope ?? (this.needsToken ? null : 'admin')
    if (row !== null || this.needsToken) this.#checkRate(row?.id ?? address)
    if (!requiredAccess.isOpen) checkScope(scope, requiredAccess.scope)
    const isStillGood = async () => token === null || row === null || this.#isValid(await this.#tokens.find(token))
    return { scope, tokenId: row?.id ?? null, address, isStillValid: isStillGood }
  }

  /** A token that is given to be checked, and not to be used. */
  async verifyToken(token: string, address: string): Promise<TokenRow> {
    const row = this.#acceptToken(await this.#tokens.find(token), address, false)
    if (row === null) throw wrongTokenError()
    return row
  }

  /** Null: there is none, or none that is good, where that may be. */
  #acceptToken(row: TokenRow | null, address: string, mayBeWrong: boolean): TokenRow | null {
    if (row !== null && this.#isValid(row)) return row
    if (mayBeWrong) return null
    // An expired token is not a guess, so it does not count as a failed attempt.
    if (row !== null) {
      this.#checkRate(row.id)
      throw expiredTokenError(row)
    }
    this.#countFailure(address)
    throw wrongTokenError()
  }

  #isValid(row: TokenRow | null): boolean {
    return row !== null && !this.#tokens.isExpired(row)
  }

  #checkHost({ headers }: IncomingMessage): void {
    if (this.needsToken) return
    const name = hostnameOf(headers.host ?? '')
    if (name !== null && isLoopbackName(name)) return
    throw new AppError(
      'HOST_REFUSED',
      'Without tokens this server answers only under a name of this machine, such as localhost or 127.0.0.1.',
    )
  }

  #checkOrigin({ method, headers }: IncomingMessage): void {
    const { origin } = headers
    if (origin === undefined) return checkFetchSite(method, headers)
    const { publicUrl } = this.#settings
    const url = URL.parse(origin)
    const isOurs = url !== null && (url.host === hostOf(headers.host) || url.origin === originOf(publicUrl))
    if (!isOurs) throw new AppError('ORIGIN_REFUSED', `Pages of ${origin} may not call this server.`)
  }

  #checkRate(name: string): void {
    const waitSeconds = this.#requestRate.take(name)
    if (waitSeconds > 0) throw rateLimitError(waitSeconds)
  }

  /** Only those who are wrong are slowed: behind a proxy all callers have one address. */
  #countFailure(address: string): void {
    const waitSeconds = this.#failureRate.take(address)
    if (waitSeconds > 0) throw rateLimitError(waitSeconds)
  }
}

/**
 * A page of another site that only embeds something sends no Origin, but browsers say so. To follow a link is fine; to send
 * a form is not, whether or not its Origin came along.
 */
function checkFetchSite(method: string | undefined, headers: IncomingMessage['headers']): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (isLink && (method === 'GET' || method === 'HEAD')) return
  throw new AppError('ORIGIN_REFUSED', 'Pages of other sites may not call this server.')
}

export function includesScope(has: Scope, wanted: Scope): boolean {
  return SCOPES.indexOf(has) >= SCOPES.indexOf(wanted)
}

function checkScope(has: Scope | null, wanted: Scope): void {
  if (has === null) {
    throw new RequestError(
      'TOKEN_MISSING',
      'This server wants a token: send it as Authorization: Bearer.',
      authChallenge(),
    )
  }
  if (includesScope(has, wanted)) return
  throw new AppError('SCOPE_MISSING', `This needs a token with the scope ${wanted}; this one has ${has}.`)
}

/** Null: none is given. Other schemes are for a proxy in between. */
function readBearerToken({ headers }: IncomingMessage): string | null {
  const given = /^Bearer\b(.*)$/i.exec(headers.authorization ?? '')?.[1]
  return given?.trim().slice(0, MAX_TOKEN) ?? null
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
  return new RequestError('TOKEN_WRONG', 'This token is not known here, or was revoked.', authChallenge())
}

function expiredTokenError({ id, expiresAt }: TokenRow): RequestError {
  const at = new Date(expiresAt ?? 0).toISOString()
  return new RequestError(
    'TOKEN_EXPIRED',
    `The token ${id} expired at ${at}. Ask an admin for another.`,
    authChallenge(),
  )
}

function rateLimitError(waitSeconds: number): RequestError {
  const headers = { 'retry-after': String(waitSeconds) }
  return new RequestError('RATE_LIMITED', `Too many requests: go on after ${waitSeconds} s.`, { headers })
}

function authChallenge(): { headers: Record<string, string> } {
  return { headers: { 'www-authenticate': 'Bearer realm="orbweaver"' } }
}
