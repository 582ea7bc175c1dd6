import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeRobots, MAX_ROBOTS_BYTES } from './decode-robots.ts'

describe('decodeRobots', () => {
  it('a complete or truncated byte order mark is dropped, and only at the start', () => {
    assert.equal(decodeRobots(Buffer.from('\xef\xbb\xbfa', 'latin1')), 'a')
    assert.equal(decodeRobots(Buffer.from('\xef\xbba', 'latin1')), 'a')
    assert.equal(decodeRobots(Buffer.from('\xefa', 'latin1')), 'a')
    assert.equal(decodeRobots('\ufeffa'), 'a')
    assert.equal(decodeRobots(Buffer.from('\xef\x11\xbfa', 'latin1')), '\x11\xbfa')
    assert.equal(decodeRobots(Buffer.from('a\n\xef\xbb\xbfb', 'latin1')), 'a\n\xef\xbb\xbfb')
  })

  it('UTF-16 with a byte order mark becomes UTF-8 octets', () => {
    const little = Buffer.from('\ufeff/ツ', 'utf16le')
    assert.equal(decodeRobots(little), '/\xe3\x83\x84')
    assert.equal(decodeRobots(Buffer.from(little).swap16()), '/\xe3\x83\x84')
  })

  it('bytes that are not UTF-8 stay unchanged', () => {
    assert.equal(decodeRobots(Buffer.from('/caf\xe9', 'latin1')), '/caf\xe9')
  })

  it('a body that is too long ends with the last whole line', () => {
    const line = 'Disallow: /a\n'
    const whole = line.repeat(Math.ceil((MAX_ROBOTS_BYTES + 1000) / line.length))
    const kept = decodeRobots(whole)
    assert.ok(kept.length > 500 * 1024 && kept.length <= MAX_ROBOTS_BYTES)
    assert.ok(kept.endsWith('\nDisallow: /a'))
  })

  it('a line that ends exactly at the limit is complete', () => {
    const head = 'a'.repeat(MAX_ROBOTS_BYTES)
    assert.equal(decodeRobots(`${head}\nrest`).length, MAX_ROBOTS_BYTES)
    assert.equal(decodeRobots(head).length, MAX_ROBOTS_BYTES)
    assert.equal(decodeRobots(`${head}aaaa`), '')
  })
})
