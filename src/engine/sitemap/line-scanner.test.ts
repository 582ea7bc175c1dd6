import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { locsOf, readBothWays } from './testing/read-both-ways.ts'

describe('a text file', () => {
  it('has one URL per line, with any line breaks', () => {
    const text = '\uFEFF\n http://a/ \r\nHTTPS://b/?x=1&amp;y\r\r\thttp://c/é\n\nhttp://d/'
    const { kind, entries } = readBothWays(text)
    assert.equal(kind, 'text')
    assert.deepEqual(
      entries.map((entry) => entry.loc),
      ['http://a/', 'HTTPS://b/?x=1&amp;y', 'http://c/é', 'http://d/'],
    )
    assert.deepEqual(entries[0], { loc: 'http://a/', lastmod: null, changefreq: null, priority: null })
  })

  it('may be in UTF-16', () => {
    assert.deepEqual(locsOf(Buffer.from('\uFEFFhttp://a/é\nhttp://b/', 'utf16le')), ['http://a/é', 'http://b/'])
  })

  it('may have other lines further down, which are counted', () => {
    const { entries, skipped } = readBothWays('http://a/\n# pages\n/b\nhttp://c/ and more\nftp://d/\nhttp://e/')
    assert.equal(entries.length, 2)
    assert.equal(skipped.line_not_url, 4)
  })

  it('skips lines that are too long', () => {
    const { kind, entries, skipped } = readBothWays(
      `http://${'a'.repeat(2041)}\nhttp://b/\nhttp://${'c'.repeat(50_000)} d`,
    )
    assert.equal(kind, 'text')
    assert.equal(entries.length, 1)
    assert.equal(skipped.loc_too_long, 2)
  })

  it('is unknown unless its first line is a URL', () => {
    const bodies = [
      '',
      ' \n\n ',
      '{"url":\n"http://a/"}',
      '["http://a/"]',
      'Not found\nhttp://a/',
      'http://a/ is gone\nhttp://b/',
    ]
    for (const body of [...bodies, '\0\x01\x02', 'http:/a', 'x'.repeat(100_000)]) {
      assert.deepEqual({ ...readBothWays(body), skipped: null }, { kind: 'unknown', entries: [], skipped: null })
    }
  })
})
