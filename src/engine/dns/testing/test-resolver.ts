// A resolver with its own DNS server and a manual clock, for tests.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../lib/clock.ts'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { DNS_DEFAULTS, type DnsSettings, type DnsSources, NameResolver } from '../name-resolver.ts'
import { type DnsServer, openDnsServer } from './dns-server.ts'

export interface TestResolver {
  server: DnsServer
  clock: ManualClock
  resolver: NameResolver
  /** Names looked up with the system. */
  systemLookups: string[]
}

export async function openTestResolver(t: TestContext, settings: Partial<DnsSettings> = {}): Promise<TestResolver> {
  const server = await openDnsServer(t)
  const clock = new ManualClock()
  const systemLookups: string[] = []
  const sources: DnsSources = {
    servers: () => [server.address],
    system(name, done) {
      systemLookups.push(name)
      done({ kind: 'found', addresses: [{ address: '10.0.0.1', family: 4 }], ttlMs: 60_000 })
    },
  }
  return { server, clock, resolver: openResolver(t, settings, sources, clock), systemLookups }
}

export function openResolver(
  t: TestContext,
  settings: Partial<DnsSettings>,
  sources: DnsSources,
  clock: Clock,
): NameResolver {
  const unhurried = { ...DNS_DEFAULTS, hostsPath: '/nowhere/hosts', timeoutMs: 30_000 }
  const resolver = new NameResolver({ ...unhurried, ...settings }, sources, clock)
  t.after(() => resolver.close())
  return resolver
}

/** The addresses, or the error code. */
export function findAddresses(resolver: NameResolver, name: string): Promise<string[] | string> {
  return new Promise((resolve) => {
    resolver.lookup(name, (error, { addresses }) => {
      if (error === null) resolve(addresses.map(({ address }) => address))
      else resolve('code' in error ? String(error.code) : error.name)
    })
  })
}

export async function writeHosts(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'hosts')
  await writeFile(path, text)
  return path
}

/** Waits until a condition becomes true; gives up when the test does. */
export async function until(t: TestContext, isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    t.signal.throwIfAborted()
    await setImmediate()
  }
}
