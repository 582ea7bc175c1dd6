// Where a process can be reached, and from where.

import { hostname } from 'node:os'
import { AppError } from '../../lib/errors.ts'

const EVERYWHERE = ['0.0.0.0', '::', '[::]']

/** One that listens on every address of its machine is reached by the machine's name. */
export function addressOf(host: string, port: number): string {
  const name = EVERYWHERE.includes(host) ? hostname() : host
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

export function checkAddress(address: string): string {
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/') return url.origin
  throw new AppError('BAD_CONFIG', `--address must be a url such as http://10.0.0.5:8081; it is "${address}".`)
}

/** Loopback is another place on every machine: such an address is good only for those on the worker's own. */
export function isReachable(address: string, isSameMachine: boolean): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return isSameMachine || !/^(127\.|localhost$|\[::1\]$)/.test(host)
}
