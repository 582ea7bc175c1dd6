import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maskCookieLine, parseCookieDate, parseCookieLine } from './cookie-line.ts'

it('dates of cookies are read in every spelling', () => {
  const at = Date.UTC(2027, 0, 20, 10, 2, 3)
  for (const text of [
    'Wed, 20 Jan 2027 10:02:03 GMT',
    'Wed, 20-Jan-27 10:02:03 GMT',
    'Wed Jan 20 10:02:03 2027',
    '10:2:3 20 january 2027',
  ])
    assert.equal(parseCookieDate(text), at, text)
  assert.equal(parseCookieDate('01 Jan 70 00:00:00'), 0)
  for (const text of ['', 'soon', '30 Feb 2027 10:00:00', '1 Jan 1600 10:00:00', '1 Jan 2027', '1 Jan 2027 24:00:00'])
    assert.equal(parseCookieDate(text), null, text)
})

it('a cookie to start with names its domain', () => {
  const read = (text: string) => {
    const cookie = parseCookieLine(text)
    return cookie === null ? null : [cookie.name, cookie.domain, cookie.isHostOnly, cookie.path, cookie.isSecure]
  }
  assert.deepEqual(read('a=b=c; Domain=.A.test; Secure'), ['a', 'a.test', false, null, true])
  assert.deepEqual(read('__Host-a=1; Domain=a.test; HostOnly; Path=/; Secure'), ['__Host-a', 'a.test', true, '/', true])
  for (const wrong of [
    'a=b',
    'Domain=a.test',
    'a=b; Domain=',
    'a=b; Domain=x/y',
    'a=b; Domain=a b',
    'a=\n; Domain=a.test',
  ])
    assert.equal(read(wrong), null, wrong)
  assert.equal(maskCookieLine('sid=geheim; Domain=a.test; Secure', '***'), 'sid=***; Domain=a.test')
})
