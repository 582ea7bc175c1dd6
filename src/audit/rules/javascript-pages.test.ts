import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { javascriptPages } from './javascript-pages.ts'

it('lists pages that are filled by scripts, but no short pages', async () => {
  const { found } = await auditSite(javascriptPages, {
    '/': '<a href=/app>a</a><a href=/search>s</a><a href=/short>k</a><a href=/frames>f</a>',
    '/app': '<title>App</title><div id=root></div><script src=app.js></script>',
    '/search': '<p>Please activate JavaScript to search.</p><script src=search.js></script>',
    '/short': '<p>Thank you.</p><script src=count.js></script>',
    '/frames': '<script></script><frameset cols=*><frame src=/></frameset>',
  })
  const detail = 'Little or no text without JavaScript'
  assert.deepEqual(found, [`/app | App | ${detail}`, `/search | ${detail}`])
})
