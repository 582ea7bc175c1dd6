import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { HostsFile, parseHosts } from './hosts-file.ts'
import { findAddresses, openTestResolver, writeHosts } from './testing/test-resolver.ts'

describe('parseHosts', () => {
  it('parses names, aliases and comments with any spacing', () => {
    const table = parseHosts(
      '\uFEFF127.0.0.1\tlocalhost\r\n::1 localhost # both\n\n#10.0.0.1 off\n  10.0.0.2  One.Example. two\n10.0.0.2 two\n',
    )
    assert.deepEqual(Object.fromEntries(table), {
      localhost: [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
      'one.example': [{ address: '10.0.0.2', family: 4 }],
      two: [{ address: '10.0.0.2', family: 4 }],
    })
  })

  it('a comment ends with its line, whatever it contains', () => {
    assert.deepEqual([...parseHosts('10.0.0.1 a # note\rb\u2028c\n10.0.0.2 d').keys()], ['a', 'd'])
  })

  it('skips lines without an address', () => {
    assert.equal(parseHosts('name 10.0.0.1\n10.0.0 short\n10.0.0.1\n\n999.0.0.1 x').size, 0)
  })
})

describe('HostsFile', () => {
  const checked = (hosts: HostsFile) => new Promise<void>((resolve) => hosts.check(resolve))

  it('is read again if it has changed, five seconds after the last check', async (t) => {
    const path = await writeHosts(t, '10.0.0.1 a.test')
    const clock = new ManualClock()
    const hosts = new HostsFile(path, clock)
    await Promise.all([checked(hosts), checked(hosts)])
    await writeFile(path, '10.0.0.22 a.test')
    clock.advance(4_999)
    await checked(hosts)
    assert.equal(hosts.find('a.test')?.[0]?.address, '10.0.0.1')
    clock.advance(1)
    await checked(hosts)
    assert.equal(hosts.find('a.test')?.[0]?.address, '10.0.0.22')
  })

  it('is empty if the file is missing or was deleted', async (t) => {
    const path = await writeHosts(t, '10.0.0.1 a.test')
    const clock = new ManualClock()
    const hosts = new HostsFile(path, clock)
    await checked(hosts)
    assert.notEqual(hosts.find('a.test'), null)
    await rm(path)
    clock.advance(5_000)
    await checked(hosts)
    assert.equal(hosts.find('a.test'), null)
  })
})

describe('a name in the hosts file', () => {
  it('is not queried, even if the servers know it', async (t) => {
    const hostsPath = await writeHosts(t, '10.0.0.1 www.test\n10.0.0.9 box box.local localhost\n')
    const { server, resolver, systemLookups } = await openTestResolver(t, { hostsPath })
    server.set('www.test', { a: ['192.0.2.1'] })
    assert.deepEqual(await findAddresses(resolver, 'WWW.test.'), ['10.0.0.1'])
    assert.deepEqual(resolver.peek('www.test'), { address: '10.0.0.1', chain: [], chainEnd: 'unknown' })
    for (const name of ['box', 'box.local', 'localhost'])
      assert.deepEqual(await findAddresses(resolver, name), ['10.0.0.9'])
    assert.deepEqual([server.asked('www.test'), systemLookups], [0, []])
  })

  it('takes precedence over a cached result', async (t) => {
    const hostsPath = await writeHosts(t, '')
    const { server, clock, resolver } = await openTestResolver(t, { hostsPath })
    server.set('www.test', { a: ['192.0.2.1'] })
    await findAddresses(resolver, 'www.test')
    await writeFile(hostsPath, '10.0.0.1 www.test')
    clock.advance(5_000)
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['10.0.0.1'])
  })
})
