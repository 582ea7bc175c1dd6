import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Audit,
  type AuditFinding,
  type AuditRule,
  commonOrigin,
  countBySeverity,
  findingColumns,
  groupRules,
  openUrlsText,
  progressText,
  withoutOrigin,
} from './audit-text.ts'

const FINDING: AuditFinding = {
  url_id: 1,
  url: 'http://a/',
  other_url_id: null,
  other_url: null,
  text: null,
  detail: 'd',
}

function rule(name: string, severity: AuditRule['severity'], count: number | null): AuditRule {
  const texts = { title: name, why: '', fix: '' }
  return { rule: name, severity, count, listed: count ?? 0, needs: null, skipped: null, ...texts }
}

test('columns have the names of their rule, and are left out if they are empty', () => {
  const linked = { ...FINDING, other_url: 'http://a/b', text: 'here' }
  assert.deepEqual(findingColumns('broken-links', [FINDING, linked]), { other: 'Links to', text: 'Anchor text' })
  assert.deepEqual(findingColumns('slow-pages', [{ ...FINDING, text: 'Home' }]), { other: null, text: 'Title' })
  assert.deepEqual(findingColumns('broken-links', [FINDING]), { other: null, text: null })
})

test('rules are grouped by what they found, and findings are counted by severity', () => {
  const rules = [rule('a', 'error', 3), rule('b', 'warning', 0), rule('c', 'notice', null), rule('d', 'error', 4)]
  const { found, passed, skipped } = groupRules(rules)
  assert.deepEqual(
    [found, passed, skipped].map((group) => group.map((item) => item.rule)),
    [['a', 'd'], ['b'], ['c']],
  )
  assert.deepEqual(countBySeverity(rules), { error: 7, warning: 0, notice: 0 })
})

test('the origin is left out where it is the same', () => {
  const other = { ...FINDING, url: 'http://b/x' }
  assert.deepEqual([commonOrigin([FINDING, FINDING]), commonOrigin([FINDING, other])], ['http://a', ''])
  assert.equal(withoutOrigin('http://a/b?c', 'http://a'), '/b?c')
  assert.equal(withoutOrigin('http://a.test/b', 'http://a'), 'a.test/b')
})

test('an audit of an unfinished crawl says so', () => {
  const report = { open_urls: 3, crawl_status: 'running' } as Audit
  assert.equal(openUrlsText(report), 'The crawl was still running: 3 URLs not visited yet.')
  assert.equal(openUrlsText({ ...report, open_urls: 0 }), null)
  assert.equal(openUrlsText({ ...report, crawl_status: 'paused' }), 'The crawl was paused: 3 URLs not visited yet.')
})

test('progress names the stage', () => {
  const run = { started_at: null, problem: null, done: 1200, total: 5000 }
  assert.equal(progressText({ ...run, state: 'running', stage: 'pages' }), 'Examining archived pages: 1,200 of 5,000')
  assert.equal(progressText({ ...run, state: 'waiting', stage: null }), 'Waiting for the audit of another crawl')
})
