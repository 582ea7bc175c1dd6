import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettingInfo } from '../server/api.ts'
import {
  changedValues,
  choiceLabel,
  findFieldProblem,
  formatSettingValue,
  groupSettings,
  settingDefaults,
  settingUnit,
  toDraft,
  unitHint,
} from './crawl-settings.ts'

function setting(name: string, kind: SettingInfo['kind'], fallback: unknown, placeholder = ''): SettingInfo {
  const rest = {
    label: '',
    help: '',
    choices: null,
    choice_labels: null,
    placeholder,
    schema: {},
    needs_admin: false,
    is_changeable: true,
  }
  return { name, group: 'Limits', kind, default: fallback, ...rest }
}

const settings = [
  setting('max_pages', 'number', null),
  setting('per_host', 'number', 1),
  setting('exclude', 'list', []),
  setting('sitemaps', 'switch', true),
]

test('only changed fields are sent', () => {
  const drafts = { max_pages: '', per_host: '1', exclude: '', sitemaps: true }
  assert.deepEqual(changedValues(settings, drafts, settingDefaults(settings)), {})
})

test('a list has one entry per line, without empty lines', () => {
  const changed = changedValues(settings, { exclude: ' a \n\nb\n' }, settingDefaults(settings))
  assert.deepEqual(changed, { exclude: ['a', 'b'] })
})

test('an emptied field returns to the default', () => {
  const before = { max_pages: 500, per_host: 4, exclude: ['a'], sitemaps: true }
  const changed = changedValues(settings, { max_pages: '', per_host: ' ', exclude: '', sitemaps: false }, before)
  assert.deepEqual(changed, { max_pages: null, per_host: 1, exclude: [], sitemaps: false })
})

test('invalid text is sent unchanged for the server to reject', () => {
  assert.deepEqual(changedValues(settings, { max_pages: 'ten' }, settingDefaults(settings)), { max_pages: 'ten' })
})

test('values are converted to the text of a field', () => {
  assert.equal(toDraft(setting('exclude', 'list', []), ['a', 'b']), 'a\nb')
  assert.equal(toDraft(setting('delay', 'text', 'auto'), 250), '250')
  assert.equal(toDraft(setting('depth', 'number', null), null), '')
})

test('values have a unit, and sizes the largest unit that fits', () => {
  const delay = setting('delay', 'text', 'auto', 'MS|auto')
  assert.equal(settingUnit(delay), 'ms')
  assert.equal(formatSettingValue(delay, '250'), '250 ms')
  assert.equal(formatSettingValue(delay, 'auto'), 'auto')
  assert.equal(formatSettingValue(setting('keep', 'number', 1826, 'DAYS'), '30'), '30 days')
  assert.equal(formatSettingValue(setting('max_pages', 'number', null, 'N'), ''), 'no limit')
  assert.equal(formatSettingValue(setting('schedule', 'text', null, 'CRON'), ''), 'none')
  assert.equal(formatSettingValue(setting('max_pages', 'number', null, 'N'), '5000'), '5,000')
  assert.equal(formatSettingValue(setting('include', 'list', [], 'RE'), '2024'), '2024')
  const body = setting('max_body', 'text', 10_485_760, 'BYTES')
  assert.equal(toDraft(body, 10_485_760), '10 MB')
  assert.equal(toDraft(body, 1000), '1000')
  assert.equal(formatSettingValue(body, '1000'), '1000 bytes')
  const archived = setting('archive_max', 'list', [], 'BYTES|TYPE=BYTES')
  assert.equal(formatSettingValue(archived, ''), 'no limit')
  assert.equal(toDraft(archived, ['2048', 'image/*=5242880']), '2 KB\nimage/*=5 MB')
})

test('times use the largest unit that fits', () => {
  const text = (ms: string) => formatSettingValue(setting('timeout', 'number', 60_000, 'MS'), ms)
  assert.deepEqual(['0', '500', '1000', '1500', '60000'].map(text), ['0 ms', '500 ms', '1 s', '1500 ms', '60 s'])
  assert.deepEqual(['90000', '300000', '3600000', '7200000'].map(text), ['90 s', '5 min', '60 min', '2 h'])
})

test('days that are whole years read as years', () => {
  const text = (days: string) => formatSettingValue(setting('keep', 'number', 1826, 'DAYS'), days)
  assert.deepEqual(['0', '1', '30', '365', '1826', '1000'].map(text), [
    'forever',
    '1 day',
    '30 days',
    '1 year',
    '5 years',
    '1000 days',
  ])
})

test('a field shows its unit, and its value in a larger unit', () => {
  const keep = setting('keep', 'number', 1826, 'DAYS')
  assert.deepEqual(
    [unitHint(keep, '1826'), unitHint(keep, '30'), unitHint(keep, '')],
    ['days (5 years)', 'days', 'days'],
  )
  const delay = setting('delay', 'text', 'auto', 'MS|auto')
  assert.deepEqual([unitHint(delay, '60000'), unitHint(delay, 'auto')], ['ms (60 s)', 'ms'])
  assert.equal(unitHint(setting('depth', 'number', null, 'N'), '3'), undefined)
})

test('choices have labels', () => {
  const scope = { ...setting('scope', 'choice', 'host'), choice_labels: { prefix: 'Path prefix' } }
  assert.equal(formatSettingValue(scope, 'prefix'), 'path prefix')
  assert.equal(choiceLabel(scope, 'prefix'), 'Path prefix')
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

test('a problem is matched to its field by name or path', () => {
  assert.equal(findFieldProblem([{ field: 'max_pages', message: 'a' }], 'max_pages'), 'a')
  assert.equal(findFieldProblem([{ field: 'settings.max_pages', message: 'b' }], 'max_pages'), 'b')
  assert.equal(findFieldProblem([{ field: 'urls.3', message: 'c' }], 'urls'), 'c')
  assert.equal(findFieldProblem([{ field: 'settings.max_pages', message: 'd' }], 'pages'), undefined)
})
