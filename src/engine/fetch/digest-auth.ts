// Digest access authentication (RFC 7616) with MD5 and SHA-256, for servers that ask for it. The first request to an origin
// is answered with a challenge and sent again; later ones use its nonce until the server calls it stale.

import { hash, randomBytes } from 'node:crypto'
import type { DigestCredentials } from '../../config/values/auth-entry.ts'
import { allHeaders, type ResponseHeaders } from './headers.ts'

export interface DigestChallenge {
  /** Quoted strings, sent back with their escapes. */
  realm: string
  nonce: string
  opaque: string | null
  /** The algorithm as the server spells it; null if it names none, which means MD5. */
  algorithm: string | null
  hasQop: boolean
  isStale: boolean
}

export interface DigestRequest {
  /** The path with its query. */
  uri: string
  count: number
  clientNonce: string
}

const ALGORITHMS: Readonly<Record<string, 'md5' | 'sha256'>> = {
  md5: 'md5',
  'md5-sess': 'md5',
  'sha-256': 'sha256',
  'sha-256-sess': 'sha256',
}
const MAX_VALUE_CHARS = 4096
const MAX_ORIGINS = 1000

export class DigestAuth {
  readonly #credentialsFor: (origin: string) => DigestCredentials | null
  readonly #sessions = new Map<string, { challenge: DigestChallenge; count: number }>()

  constructor(credentialsFor: (origin: string) => DigestCredentials | null) {
    this.#credentialsFor = credentialsFor
  }

  /** The Authorization header; null until the server has sent a challenge. */
  headerFor(origin: string, uri: string): { value: string; challenge: DigestChallenge } | null {
    const session = this.#sessions.get(origin)
    const credentials = session === undefined ? null : this.#credentialsFor(origin)
    if (session === undefined || credentials === null) return null
    session.count += 1
    const { challenge, count } = session
    const clientNonce = randomBytes(16).toString('base64url')
    return { value: digestHeader(credentials, challenge, { uri, count, clientNonce }), challenge }
  }

  /** Whether a refused request should be sent again. `used` is the challenge that it responded to, if any. */
  accept(origin: string, used: DigestChallenge | null, headers: ResponseHeaders): boolean {
    if (this.#credentialsFor(origin) === null) return false
    const challenge = readDigestChallenge(headers)
    if (challenge === null) return false
    // The same realm again, with a nonce that is not stale: the credentials are wrong.
    if (used?.realm === challenge.realm && (!challenge.isStale || used.nonce === challenge.nonce)) return false
    if (this.#sessions.size >= MAX_ORIGINS) this.#sessions.clear()
    this.#sessions.set(origin, { challenge, count: 0 })
    return true
  }
}

/** The best challenge that can be answered; null if there is none. */
export function readDigestChallenge(headers: ResponseHeaders): DigestChallenge | null {
  const found = allHeaders(headers, 'www-authenticate').flatMap(parseChallenges)
  return found.find(({ algorithm }) => /^sha/i.test(algorithm ?? '')) ?? found[0] ?? null
}

/** A parameter, quoted or not, or the name of a scheme. */
const PART = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([\w!#$%&'*+.^`|~-]+)(?=\s|,|$)/g

function parseChallenges(text: string): DigestChallenge[] {
  const schemes: { name: string; parameters: Map<string, string> }[] = []
  for (const [, name, quoted, plain, scheme] of text.matchAll(PART)) {
    if (scheme !== undefined) schemes.push({ name: scheme.toLowerCase(), parameters: new Map() })
    else schemes.at(-1)?.parameters.set((name ?? '').toLowerCase(), quoted ?? plain ?? '')
  }
  return schemes.flatMap(({ name, parameters }) => (name === 'digest' ? toChallenge(parameters) : []))
}

function toChallenge(parameters: ReadonlyMap<string, string>): DigestChallenge[] {
  const [realm, nonce, opaque = null] = ['realm', 'nonce', 'opaque'].map((name) => parameters.get(name))
  const algorithm = parameters.get('algorithm') ?? null
  const qop = parameters.get('qop') ?? null
  const isOffered = qop === null || qop.split(',').some((each) => each.trim().toLowerCase() === 'auth')
  if (realm === undefined || nonce === undefined || nonce === '' || !isOffered) return []
  if (algorithm !== null && !Object.hasOwn(ALGORITHMS, algorithm.toLowerCase())) return []
  if ([realm, nonce, opaque ?? ''].some((value) => value.length > MAX_VALUE_CHARS)) return []
  const isStale = parameters.get('stale')?.toLowerCase() === 'true'
  return [{ realm, nonce, opaque, algorithm, hasQop: qop !== null, isStale }]
}

export function digestHeader(
  credentials: DigestCredentials,
  { realm, nonce, opaque, algorithm, hasQop }: DigestChallenge,
  { uri, count, clientNonce }: DigestRequest,
): string {
  const spelt = algorithm?.toLowerCase() ?? 'md5'
  // Headers have one character per byte.
  const digest = (...parts: string[]) => hash(ALGORITHMS[spelt] ?? 'md5', Buffer.from(parts.join(':'), 'latin1'), 'hex')
  const [user, password] = [credentials.user, credentials.password].map((text) => Buffer.from(text).toString('latin1'))
  const secret = digest(user ?? '', realm, password ?? '')
  const key = spelt.endsWith('-sess') ? digest(secret, nonce, clientNonce) : secret
  const counter = count.toString(16).padStart(8, '0')
  const request = digest('GET', uri)
  const response = hasQop ? digest(key, nonce, counter, clientNonce, 'auth', request) : digest(key, nonce, request)
  const parts = [
    `username="${user?.replace(/["\\]/g, '\\$&')}"`,
    `realm="${realm}"`,
    `uri="${uri}"`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    `nonce="${nonce}"`,
    ...(hasQop ? [`nc=${counter}`, 'qop=auth'] : []),
    ...(hasQop || spelt.endsWith('-sess') ? [`cnonce="${clientNonce}"`] : []),
    `response="${response}"`,
    ...(opaque === null ? [] : [`opaque="${opaque}"`]),
  ]
  return `Digest ${parts.join(', ')}`
}
