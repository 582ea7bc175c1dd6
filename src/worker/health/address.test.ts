import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, it } from 'node:test'
import { addressOf, checkAddress, isReachable } from './address.ts'

describe('the address of a worker', () => {
  it('is that of its health port, or the name of its machine if it listens on all interfaces', () => {
    assert.equal(addressOf('127.0.0.1', 8081), 'http://127.0.0.1:8081')
    assert.equal(addressOf('10.0.0.5', 80), 'http://10.0.0.5:80')
    assert.equal(addressOf('fd00::5', 80), 'http://[fd00::5]:80')
    assert.equal(addressOf('0.0.0.0', 8081), `http://${hostname()}:8081`)
    assert.equal(addressOf('::', 8081), `http://${hostname()}:8081`)
  })

  it('must be valid if it is given', () => {
    assert.equal(checkAddress('http://w1.cluster:8081/'), 'http://w1.cluster:8081')
    for (const bad of ['w1:8081', 'w1', '', 'ftp://w1', 'http://w1/x']) {
      assert.throws(() => checkAddress(bad), { code: 'BAD_CONFIG', message: /--address must be a URL such as/ })
    }
  })

  it('on loopback is reachable only on the same machine', () => {
    for (const address of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1']) {
      assert.deepEqual([isReachable(address, true), isReachable(address, false)], [true, false], address)
    }
    assert.equal(isReachable('http://10.0.0.5:1', false), true)
  })
})
