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
import { Refusal } from '../requests/refusal.ts'
import { sessionToken } from './cookie.ts'
import { hostnameOf, isLoopbackName } from './loopback.ts'
import { RateLimit } from './rate.ts'
import type { TokenBook } from './tokens.ts'

export interface Need {
  scope: Scope
  /** Anybody may. */
  isOpen: boolean
}

export interface Pass extends Sender {
  /** Null: no token was shown, on an open route of a server that wants one. */
  scope: Scope | null
  /** For what stays open: false when the token was revoked or has expired since. Does not count as a request. */
  isStillGood(): Promise<boolean>
}

/** Whose a request is, as far as it is known: also of one that is refused. */
export interface Sender {
  tokenId: string | null
  address: string
}

export interface GuardSettings {
  needsToken: boolean
  /** Where people reach the server, such as https://crawl.example.com; null: where it listens. */
  publicUrl: string | null
  /** Requests a second for each token, and for each address without one. */
  ratePerSecond: number
}

/** Wrong tokens from one address. */
const FAILURES = { perSecond: 0.2, burst: 10 }
const BURST_SECONDS = 2
const MAX_TOKEN = 200

export class Guard {
  readonly #settings: GuardSettings
  readonly #tokens: TokenBook
  readonly #rate: RateLimit
  readonly #failures: RateLimit
  readonly #asked = new WeakMap<IncomingMessage, Promise<Pass>>()
  readonly #senders = new WeakMap<IncomingMessage, Sender>()

  constructor(settings: GuardSettings, parts: { tokens: TokenBook; clock: Clock }) {
    this.#settings = settings
    this.#tokens = parts.tokens
    const perSecond = settings.ratePerSecond
    this.#rate = new RateLimit({ perSecond, burst: perSecond * BURST_SECONDS }, parts.clock)
    this.#failures = new RateLimit(FAILURES, parts.clock)
  }

  get needsToken(): boolean {
    return this.#settings.needsToken
  }

  /** A request counts once, however often it is asked about. */
  authorise(request: IncomingMessage, need: Need): Promise<Pass> {
    const known = this.#asked.get(request) ?? this.#judge(request, need)
    this.#asked.set(request, known)
    return known
  }

  /** For the log. */
  senderOf(request: IncomingMessage): Sender {
    return this.#senders.get(request) ?? { tokenId: null, address: addressOf(request) }
  }

  async #judge(request: IncomingMessage, need: Need): Promise<Pass> {
    const address = addressOf(request)
    const bearer = bearerOf(request)
    const token = bearer ?? sessionToken(request.headers.cookie)
    // First, so that the log can name it whatever becomes of the request.
    const known = token === null ? null : await this.#tokens.find(token)
    if (known !== null) this.#senders.set(request, { tokenId: known.id, address })
    this.#checkHost(request)
    this.#checkOrigin(request)
    // Ports do not tell cookies apart: the session of another server on this machine comes here too, and is none of ours.
    const mayBeWrong = need.isOpen || (bearer === null && !this.needsToken)
    const row = token === null ? null : this.#accept(known, address, mayBeWrong)
    const scope = row?.scope ?? (this.needsToken ? null : 'admin')
    if (row !== null || this.needsToken) this.#checkRate(row?.id ?? address)
    if (!need.isOpen) checkScope(scope, need.scope)
    const isStillGood = async () => token === null || row === null || this.#isGood(await this.#tokens.find(token))
    return { scope, tokenId: row?.id ?? null, address, isStillGood }
  }

  /** A token that is given to be checked, and not to be used. */
  async identify(token: string, address: string): Promise<TokenRow> {
    const row = this.#accept(await this.#tokens.find(token), address, false)
    if (row === null) throw wrongToken()
    return row
  }

  /** Null: there is none, or none that is good, where that may be. */
  #accept(row: TokenRow | null, address: string, mayBeWrong: boolean): TokenRow | null {
    if (row !== null && this.#isGood(row)) return row
    if (mayBeWrong) return null
    // An expired token is not a guess, so it does not count as a failed attempt.
    if (row !== null) {
      this.#checkRate(row.id)
      throw expiredToken(row)
    }
    this.#countFailure(address)
    throw wrongToken()
  }

  #isGood(row: TokenRow | null): boolean {
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
    const waitSeconds = this.#rate.take(name)
    if (waitSeconds > 0) throw tooMany(waitSeconds)
  }

  /** Only those who are wrong are slowed: behind a proxy all callers have one address. */
  #countFailure(address: string): void {
    const waitSeconds = this.#failures.take(address)
    if (waitSeconds > 0) throw tooMany(waitSeconds)
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
    throw new Refusal('TOKEN_MISSING', 'This server wants a token: send it as Authorization: Bearer.', challenge())
  }
  if (includesScope(has, wanted)) return
  throw new AppError('SCOPE_MISSING', `This needs a token with the scope ${wanted}; this one has ${has}.`)
}

/** Null: none is given. Other schemes are for a proxy in between. */
function bearerOf({ headers }: IncomingMessage): string | null {
  const given = /^Bearer\b(.*)$/i.exec(headers.authorization ?? '')?.[1]
  return given?.trim().slice(0, MAX_TOKEN) ?? null
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

function hostOf(header: string | undefined): string | null {
  return URL.parse(`http://${header ?? ''}`)?.host ?? null
}

function originOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? null)
}

function wrongToken(): Refusal {
  return new Refusal('TOKEN_WRONG', 'This token is not known here, or was revoked.', challenge())
}

function expiredToken({ id, expiresAt }: TokenRow): Refusal {
  const at = new Date(expiresAt ?? 0).toISOString()
  return new Refusal('TOKEN_EXPIRED', `The token ${id} expired at ${at}. Ask an admin for another.`, challenge())
}

function tooMany(waitSeconds: number): Refusal {
  const headers = { 'retry-after': String(waitSeconds) }
  return new Refusal('RATE_LIMITED', `Too many requests: go on after ${waitSeconds} s.`, { headers })
}

function challenge(): { headers: Record<string, string> } {
  return { headers: { 'www-authenticate': 'Bearer realm="orbweaver"' } }
}
