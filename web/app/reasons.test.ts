import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, endText } from './reasons.ts'

test('the end of a crawl is told in words, also for a reason that is new here', () => {
  assert.equal(endText('max_pages'), 'the limit of pages was reached')
  assert.equal(endText('some_new_reason'), 'some new reason')
})

test('an address that is not public is told which settings allow it, also when robots.txt was refused first', () => {
  assert.match(adviceFor('address_blocked'), /Allow private/)
  assert.match(adviceFor('robots_unreachable: address_blocked'), /Allow private/)
  assert.doesNotMatch(adviceFor('dns_not_found'), /Allow private/)
})
