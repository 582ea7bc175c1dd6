import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findSlowPattern } from './slow-pattern.ts'

it('a pattern that would take for ever is found among good ones', () => {
  for (const slow of [
    '(a+)+$',
    '(x+x+)+y',
    '([a-z]+)*!',
    '(/.+)+#',
    '^(\\d+)*$',
    '(foo|foofoo)+bar',
    '(.*,){12}[^,]$',
  ]) {
    assert.equal(findSlowPattern(['/login', slow, '\\.pdf$']), slow)
  }
})

it('usual patterns are not', () => {
  const usual = [
    '/login',
    '\\.(png|jpe?g)$',
    '^https?://[^/]+/(de|en)/',
    '[?&]page=\\d+',
    '/(\\w+)/\\1/',
    '.*session.*id.*',
  ]
  assert.equal(findSlowPattern(usual), null)
})
