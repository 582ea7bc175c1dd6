// The hosts file of the system. It is checked for changes only when a name is looked up, at most once per CHECK_MS.

import { readFile, stat } from 'node:fs'
import type { Clock } from '../../lib/clock.ts'
import { ipVersion } from '../../lib/ip-version.ts'
import type { Address } from './dns-result.ts'

export const SYSTEM_HOSTS_PATH =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

const CHECK_MS = 5_000

export class HostsFile {
  readonly #path: string
  readonly #clock: Clock
  readonly #waiting: (() => void)[] = []
  #table = new Map<string, Address[]>()
  #version = ''
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(path: string, clock: Clock) {
    this.#path = path
    this.#clock = clock
  }

  find(name: string): readonly Address[] | null {
    return this.#table.get(name) ?? null
  }

  /** Calls back once the table is up to date; synchronously if it was checked recently. */
  check(done: () => void): void {
    if (this.#waiting.length > 0) {
      this.#waiting.push(done)
      return
    }
    if (this.#clock.now() - this.#checkedAt < CHECK_MS) return done()
    this.#waiting.push(done)
    stat(this.#path, (error, stats) => {
      const version = error === null ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
      if (version === this.#version) return this.#checked()
      // A missing or unreadable file has no hosts.
      readFile(this.#path, 'utf8', (_error, text = '') => {
        this.#version = version
        this.#table = parseHosts(text)
        this.#checked()
      })
    })
  }

  #checked(): void {
    this.#checkedAt = this.#clock.now()
    for (const done of this.#waiting.splice(0)) done()
  }
}

export function parseHosts(text: string): Map<string, Address[]> {
  const table = new Map<string, Address[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/s, '').trim().split(/\s+/)
    const family = ipVersion(address)
    if (family !== 4 && family !== 6) continue
    for (const name of names) add(table, name, { address, family })
  }
  return table
}

function add(table: Map<string, Address[]>, spelling: string, address: Address): void {
  const name = spelling.toLowerCase().replace(/\.$/, '')
  const known = table.get(name)
  if (known === undefined) table.set(name, [address])
  else if (!known.some((other) => other.address === address.address)) known.push(address)
}
