// Finds the proxies that distributions have as packages: tinyproxy (HTTP) and microsocks (SOCKS5).

import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

export const PROXY_PROGRAMS = ['tinyproxy', 'microsocks'] as const

/** Returns the paths of all of them, separated by colons. */
export async function findProxies(): Promise<string> {
  const paths = await Promise.all(PROXY_PROGRAMS.map(findProgram))
  const missing = PROXY_PROGRAMS.filter((_, i) => paths[i] === null)
  if (missing.length > 0) throw new Error(`Install ${missing.join(' and ')}, for example with apt-get.`)
  return paths.join(':')
}

async function findProgram(name: string): Promise<string | null> {
  for (const folder of [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']) {
    const file = join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return null
}
