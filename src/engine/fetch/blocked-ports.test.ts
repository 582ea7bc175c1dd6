import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isBlockedPort } from './blocked-ports.ts'

it('blocks ports of other protocols, as number and as text', () => {
  for (const port of [0, 1, 7, 21, 22, 23, 25, 53, 110, 143, 389, 465, 587, 993, 2049, 4190, 6000, 6667, 6697, 10080]) {
    assert.deepEqual([isBlockedPort(port), isBlockedPort(String(port))], [true, true], String(port))
  }
  assert.equal(Array.from({ length: 65_536 }, (_, port) => port).filter(isBlockedPort).length, 83)
})

it('allows the ports of web servers, and the omitted default port', () => {
  for (const port of [80, 443, 81, 591, 3000, 4433, 5000, 8000, 8008, 8080, 8081, 8443, 8888, 9443, 65_535]) {
    assert.deepEqual([isBlockedPort(port), isBlockedPort(String(port))], [false, false], String(port))
  }
  for (const url of ['http://a.example/', 'http://a.example:80/', 'https://a.example:443/']) {
    assert.equal(isBlockedPort(new URL(url).port), false, url)
  }
})
