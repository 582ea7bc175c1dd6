// Who may read figures and pages on the health port. Whether a process is alive and ready anybody may ask.
//
// A page in somebody's browser can have its own name point to this machine and would then be answered as a neighbour;
// but the name it was loaded from is in its Host. A caller with the shared secret is no such page.

import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { type HealthResponse, textResponse } from './record-route.ts'

export interface HealthAccess {
  /** That callers send as a bearer token; null: none is wanted. */
  secret: string | null
  /** Hosts under which this process is known besides the name and the addresses of its machine. */
  hosts: readonly string[]
}

/** Null: it may. */
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
  return textResponse(421, 'This process is not known under that name: use its address, or name it with --address.')
}

const OWN_NAMES = ['localhost']

/** No page can be loaded from another site under an address of this machine. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => hash('sha256', text, 'buffer'))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
