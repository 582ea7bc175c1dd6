// Decides who may read metrics and archived pages on the health port. Liveness and readiness are open to all.
//
// Without a secret, the Host header must name this process. This stops DNS rebinding: a web page can make its own host
// name resolve to this machine, but its requests still carry that name in the Host header. A caller with the secret is
// not such a page.

import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { ipVersion } from '../../lib/ip-version.ts'
import { type HealthResponse, textResponse } from './record-route.ts'

export interface HealthAccess {
  /** Callers send it as a bearer token; null if none is required. */
  secret: string | null
  /** Host names of this process besides the name and the addresses of its machine. */
  hosts: readonly string[]
}

/** The error response; null if access is allowed. */
export function denyAccess({ headers }: Pick<IncomingMessage, 'headers'>, access: HealthAccess): HealthResponse | null {
  if (access.secret !== null) {
    const given = /^Bearer\s+(.*)$/i.exec(headers.authorization ?? '')?.[1]
    if (given !== undefined && isSame(given.trim(), access.secret)) return null
    return {
      ...textResponse(401, 'Send the --health-secret of this process as Authorization: Bearer.'),
      isChallenge: true,
    }
  }
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  if (isAddress(name) || [...OWN_NAMES, hostname(), ...access.hosts].some((own) => isSameName(own, name))) return null
  return textResponse(421, 'Unknown host name. Use the address of this process, or set its name with --address.')
}

const OWN_NAMES = ['localhost']

/** A page of another site cannot have an IP address of this machine in its Host header. */
function isAddress(name: string): boolean {
  return ipVersion(name.replace(/^\[|\]$/g, '')) !== 0
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => hash('sha256', text, 'buffer'))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
