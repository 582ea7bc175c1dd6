// The address at which other processes reach this one.

import { hostname } from 'node:os'
import { AppError } from '../../lib/errors.ts'

const ALL_INTERFACES = ['0.0.0.0', '::', '[::]']

/** A process that listens on all interfaces is reached by the name of its machine. */
export function addressOf(host: string, port: number): string {
  const name = ALL_INTERFACES.includes(host) ? hostname() : host
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

export function checkAddress(address: string): string {
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/') return url.origin
  throw new AppError('BAD_CONFIG', `--address must be a URL such as http://10.0.0.5:8081; it is "${address}".`)
}

/** A loopback address works only on the worker's own machine. */
export function isReachable(address: string, isSameMachine: boolean): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return isSameMachine || !/^(127\.|localhost$|\[::1\]$)/.test(host)
}
