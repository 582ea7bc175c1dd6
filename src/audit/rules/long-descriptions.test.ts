import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { longDescriptions } from './long-descriptions.ts'

it('lists descriptions that a search engine would cut', async () => {
  const long = 'word '.repeat(40).trim()
  const { found } = await auditSite(longDescriptions, {
    '/': `<meta name=description content="${'word '.repeat(20)}"><a href=/a>a</a>`,
    '/a': `<meta name=description content="${long}">`,
  })
  assert.deepEqual(found, [`/a | ${long} | 199 characters, about 1365 pixels`])
})
