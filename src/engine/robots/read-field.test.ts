import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readField } from './read-field.ts'

describe('readField', () => {
  const read: [string, string, string][] = [
    ['Disallow: /x', 'disallow', '/x'],
    ['Disallow:/x', 'disallow', '/x'],
    ['\t disallow \t:\t /x \t# why', 'disallow', '/x'],
    ['DISALLOW: /x y', 'disallow', '/x y'],
    ['disallow /x', 'disallow', '/x'],
    ['disallow /x:y', 'disallow', '/x:y'],
    ['Disallow: /wiki/Talk:Main', 'disallow', '/wiki/Talk:Main'],
    ['disallow:', 'disallow', ''],
    ['dissallow: /x', 'disallow', '/x'],
    ['disalow: /x', 'disallow', '/x'],
    ['Allow /x', 'allow', '/x'],
    ['User agent: a', 'product', 'a'],
    ['useragent: a', 'product', 'a'],
    ['User_Agent : a', 'product', 'a'],
    ['user-agent a', 'product', 'a'],
    ['Site-map: http://a/b', 'sitemap', 'http://a/b'],
    ['sitemap http://a/b', 'sitemap', 'http://a/b'],
    ['Crawl delay: 5', 'delay', '5'],
    ['Disallow: /caf\xc3\xa0', 'disallow', '/caf\xc3\xa0'],
  ]
  for (const [line, name, value] of read) {
    it(`${JSON.stringify(line)} is ${name}`, () => assert.deepEqual(readField(line), { name, value }))
  }

  const ignored = [
    '',
    '# Disallow: /',
    'EOF',
    'disallow',
    'disallow all of it',
    'Please disallow: /',
    'DisallowAITraining: /',
    'Host: example.com',
    ': /x',
    `${'-'.repeat(100)}disallow: /`,
    '\xef\xbb\xbfDisallow: /',
  ]
  for (const line of ignored) it(`${JSON.stringify(line)} is ignored`, () => assert.equal(readField(line), null))
})
