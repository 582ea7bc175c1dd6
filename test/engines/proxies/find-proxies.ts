// Finds the proxies that distributions have as packages: tinyproxy (HTTP) and microsocks (SOCKS5).

import { findProgram } from '../find-program.ts'

export const PROXY_PROGRAMS = ['tinyproxy', 'microsocks'] as const

/** Returns the paths of all of them, separated by colons. */
export async function findProxies(): Promise<string> {
  const paths = await Promise.all(PROXY_PROGRAMS.map(findProgram))
  const missing = PROXY_PROGRAMS.filter((_, i) => paths[i] === null)
  if (missing.length > 0) throw new Error(`Install ${missing.join(' and ')}, for example with apt-get.`)
  return paths.join(':')
}
