import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettingInfo } from '../server/api.ts'
import {
  changedValues,
  findFieldProblem,
  formatSettingValue,
  groupSettings,
  settingDefaults,
  settingLabel,
  settingUnit,
  toDraft,
} from './crawl-settings.ts'

function setting(name: string, kind: SettingInfo['kind'], fallback: unknown, placeholder = ''): SettingInfo {
  const rest = { help: '', choices: null, placeholder, schema: {}, needs_admin: false, is_changeable: true }
  return { name, group: 'Limits', kind, default: fallback, ...rest }
}

const settings = [
  setting('max_pages', 'number', null),
  setting('per_host', 'number', 1),
  setting('exclude', 'list', []),
  setting('sitemaps', 'switch', true),
]

test('only fields that differ from where they began are sent', () => {
  const drafts = { max_pages: '', per_host: '1', exclude: '', sitemaps: true }
  assert.deepEqual(changedValues(settings, drafts, settingDefaults(settings)), {})
})

test('a list has one entry for each line that is not empty', () => {
  const changed = changedValues(settings, { exclude: ' a \n\nb\n' }, settingDefaults(settings))
  assert.deepEqual(changed, { exclude: ['a', 'b'] })
})

test('a field that was emptied goes back to the default', () => {
  const before = { max_pages: 500, per_host: 4, exclude: ['a'], sitemaps: true }
  const changed = changedValues(settings, { max_pages: '', per_host: ' ', exclude: '', sitemaps: false }, before)
  assert.deepEqual(changed, { max_pages: null, per_host: 1, exclude: [], sitemaps: false })
})

test('what is typed is sent as it is, so that the server can say what is wrong with it', () => {
  assert.deepEqual(changedValues(settings, { max_pages: 'ten' }, settingDefaults(settings)), { max_pages: 'ten' })
})

test('values survive the way into a field', () => {
  assert.equal(toDraft(setting('exclude', 'list', []), ['a', 'b']), 'a\nb')
  assert.equal(toDraft(setting('delay', 'text', 'auto'), 250), '250')
  assert.equal(toDraft(setting('depth', 'number', null), null), '')
})

test('values have their unit, and sizes the largest one that fits', () => {
  const delay = setting('delay', 'text', 'auto', 'MS|auto')
  assert.equal(settingUnit(delay), 'ms')
  assert.equal(formatSettingValue(delay, '250'), '250 ms')
  assert.equal(formatSettingValue(delay, 'auto'), 'auto')
  assert.equal(formatSettingValue(setting('keep', 'number', 1826, 'DAYS'), '30'), '30 days')
  assert.equal(formatSettingValue(setting('max_pages', 'number', null, 'N'), ''), 'no limit')
  const body = setting('max_body', 'text', 10_485_760, 'BYTES')
  assert.equal(toDraft(body, 10_485_760), '10 MB')
  assert.equal(toDraft(body, 1000), '1000')
  assert.equal(formatSettingValue(body, '1000'), '1000 bytes')
  const kept = setting('archive_max', 'list', [], 'BYTES|TYPE=BYTES')
  assert.equal(toDraft(kept, ['2048', 'image/*=5242880']), '2 KB\nimage/*=5 MB')
})

test('times read in the unit that people would say', () => {
  const text = (ms: string) => formatSettingValue(setting('timeout', 'number', 60_000, 'MS'), ms)
  assert.deepEqual(['0', '500', '1000', '1500', '60000'].map(text), ['0 ms', '500 ms', '1 s', '1500 ms', '60 s'])
  assert.deepEqual(['90000', '300000', '3600000', '7200000'].map(text), ['90 s', '5 min', '60 min', '2 h'])
})

test('settings are grouped as the server says, in its order', () => {
  const perHost: SettingInfo = { ...setting('per_host', 'number', 1), group: 'Speed' }
  const groups = groupSettings([setting('max_pages', 'number', null), perHost, setting('depth', 'number', null)])
  assert.deepEqual(
    groups.map(({ title, settings }) => [title, settings.map(({ name }) => name)]),
    [
      ['Limits', ['max_pages', 'depth']],
      ['Speed', ['per_host']],
    ],
  )
})

test('a problem finds its field by name and by path', () => {
  assert.equal(findFieldProblem([{ field: 'max_pages', message: 'a' }], 'max_pages'), 'a')
  assert.equal(findFieldProblem([{ field: 'settings.max_pages', message: 'b' }], 'max_pages'), 'b')
  assert.equal(findFieldProblem([{ field: 'urls.3', message: 'c' }], 'urls'), 'c')
  assert.equal(findFieldProblem([{ field: 'settings.max_pages', message: 'd' }], 'pages'), undefined)
})

test('labels are words', () => {
  assert.equal(settingLabel('max_path_segments'), 'Max path segments')
  assert.equal(settingLabel('per_ip'), 'Per IP')
})
