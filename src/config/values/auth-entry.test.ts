import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maskAuthEntry, parseAuthEntry, splitUrlCredentials } from './auth-entry.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

it('credentials are for a host or an origin', () => {
  const read = (text: string) => {
    const entry = parseAuthEntry(text)
    return entry === null ? null : [entry.target, entry.authorization]
  }
  assert.deepEqual(read('A.test=u:p'), ['a.test', basic('u:p')])
  assert.deepEqual(read('a.test:8080=u:p=:\u00e9'), ['a.test:8080', basic('u:p=:\u00e9')])
  assert.deepEqual(read('http://a.test=u:'), ['http://a.test', basic('u:')])
  assert.deepEqual(read('a.test=Bearer abc.DEF_-='), ['a.test', 'Bearer abc.DEF_-='])
  assert.deepEqual(read('a.test=Digest me:p:q'), ['a.test', { user: 'me', password: 'p:q' }])
  for (const wrong of [
    'a.test=digest me',
    'u:p',
    'a.test=',
    'a.test=user',
    'a.test=bearer a b',
    'a.test=u:p\r\n',
    '=u:p',
    'a b=u:p',
  ])
    assert.equal(read(wrong), null, wrong)
})

it('its secret is hidden', () => {
  assert.equal(maskAuthEntry('a.test=u:geheim', '***'), 'a.test=***')
  assert.equal(maskAuthEntry('a.test=digest u:geheim', '***'), 'a.test=***')
  assert.equal(maskAuthEntry('geheim', '***'), '***')
})

it('credentials of a URL become an entry for its origin', () => {
  assert.deepEqual(splitUrlCredentials('http://me:p%40%3A@a.test:81/x?y'), {
    url: 'http://a.test:81/x?y',
    entry: 'http://a.test:81=me:p@:',
  })
  for (const none of ['http://a.test/', 'ftp://me:p@a.test/', 'a.test', 'https://a%3Ab:p@a.test/'])
    assert.equal(splitUrlCredentials(none), null, none)
})
