import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCommand } from './format-command.ts'

test('a command names the data directory unless it is the default', () => {
  assert.equal(
    formatCommand('./orbweaver', 'resume 7f3c', { data: './orbweaver-data', store: null }),
    './orbweaver resume 7f3c',
  )
  assert.equal(
    formatCommand('./orbweaver', 'resume 7f3c', { data: 'orbweaver-data', store: null }),
    './orbweaver resume 7f3c',
  )
  assert.equal(
    formatCommand('./orbweaver', 'verify 7f3c', { data: '/srv/crawls', store: null }),
    './orbweaver verify 7f3c --data /srv/crawls',
  )
  assert.equal(
    formatCommand('./orbweaver', 'crawls', { data: "it's here", store: null }),
    "./orbweaver crawls --data 'it'\\''s here'",
  )
})

test('a command names the store, without its password', () => {
  const location = { data: './orbweaver-data', store: 'postgres://me:secret@db:5432/crawls' }
  assert.equal(
    formatCommand('./orbweaver', 'crawls', location),
    './orbweaver crawls --store postgres://me@db:5432/crawls',
  )
  const several = { ...location, store: 'postgres://me:secret@a:5432,b:5433/crawls' }
  assert.equal(
    formatCommand('./orbweaver', 'crawls', several),
    './orbweaver crawls --store postgres://me@a:5432,b:5433/crawls',
  )
})
