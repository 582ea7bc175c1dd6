import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decodeText,
  formatBytes,
  formatDuration,
  formatNumber,
  formatRate,
  formatRelativeTime,
  formatShare,
  formatShort,
  plural,
  shortUrl,
  splitUrl,
} from './format.ts'

test('numbers have digit groups; short numbers have three digits and a unit', () => {
  assert.equal(formatNumber(1_234_567), '1,234,567')
  assert.deepEqual([9999, 10_000, 27_700, 999_499, 999_600, 1_204_882, 2.5e9].map(formatShort), [
    '9,999',
    '10.0k',
    '27.7k',
    '999k',
    '1.00M',
    '1.20M',
    '2.50G',
  ])
})

test('sizes use powers of 1024 and never show 1000 of a unit', () => {
  assert.deepEqual([0, 999, 1000, 1024, 1_048_000, 23_411_000, 5e12].map(formatBytes), [
    '0 B',
    '999 B',
    '0.98 KB',
    '1.00 KB',
    '1.00 MB',
    '22.3 MB',
    '4.55 TB',
  ])
})

test('durations show their two largest units and never 60 of a unit', () => {
  assert.deepEqual([0, 450, 999.6, 3200, 59_960, 60_000, 250_000, 7_500_000, 273_600_000].map(formatDuration), [
    '0 ms',
    '450 ms',
    '1.0 s',
    '3.2 s',
    '1 m',
    '1 m',
    '4 m 10 s',
    '2 h 5 m',
    '3 d 4 h',
  ])
})

test('a share is 0% or 100% only if it is exactly 0 or 1', () => {
  assert.deepEqual([0, 0.0001, 0.031, 0.52, 0.998, 0.9999, 1].map(formatShare), [
    '0%',
    '<0.1%',
    '3.1%',
    '52%',
    '99.8%',
    '>99.9%',
    '100%',
  ])
})

test('small rates have a decimal', () => {
  assert.deepEqual([0, 0.42, 12.5, 1250.4].map(formatRate), ['0', '0.4', '12.5', '1,250'])
})

test('relative times use one unit', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const ago = (seconds: number): string => formatRelativeTime(new Date(now.getTime() - seconds * 1000), now)
  assert.deepEqual([1, 42, 119, 7200, 86_400 * 3].map(ago), [
    'just now',
    '42 sec ago',
    '1 min ago',
    '2 hr ago',
    '3 days ago',
  ])
})

test('short URLs have no scheme and no root slash', () => {
  assert.equal(shortUrl('https://example.com/'), 'example.com')
  assert.equal(shortUrl('http://example.com/a/b'), 'example.com/a/b')
  assert.equal(shortUrl('http://example.com/a/'), 'example.com/a/')
})

test('a long URL is split before the path segments at its end, or before its last characters', () => {
  assert.deepEqual(splitUrl('example.com/a/b'), ['example.com/a/b', ''])
  assert.deepEqual(splitUrl('/manual/usr/share/html/library/wal.html'), ['/manual/usr/share', '/html/library/wal.html'])
  assert.deepEqual(splitUrl(`example.com/${'x'.repeat(40)}`), [`example.com/${'x'.repeat(16)}`, 'x'.repeat(24)])
  assert.deepEqual(splitUrl(`example.com/a/b/c/d/e/${'😀'.repeat(30)}`), [
    `example.com/a/b/c/d/e/${'😀'.repeat(6)}`,
    '😀'.repeat(24),
  ])
  assert.deepEqual(splitUrl(`example.com/${'y'.repeat(30)}/`), [`example.com/${'y'.repeat(7)}`, `${'y'.repeat(23)}/`])
})

test('percent-encoded letters are decoded, and only where that is unambiguous', () => {
  assert.equal(shortUrl('http://a.test/caf%C3%A9/%E6%97%A5%E6%9C%AC'), 'a.test/café/日本')
  assert.equal(decodeText('a%2Fb%20c%3F'), 'a%2Fb%20c%3F')
  assert.equal(decodeText('%E2%80%AEgpj.exe%C2%A0'), '%E2%80%AEgpj.exe%C2%A0')
  assert.equal(decodeText('caf%E9 %C3'), 'caf%E9 %C3')
})

test('one is singular', () => {
  assert.equal(plural(1, 'URL'), '1 URL')
  assert.equal(plural(2000, 'URL'), '2,000 URLs')
})
