import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { imagesWithoutAlt } from './images-without-alt.ts'

it('lists pages with images that say nothing to screen readers', async () => {
  const { found } = await auditSite(imagesWithoutAlt, {
    '/': '<img src=a.png alt=A><img src=b.png alt=""><img src=c.png role=presentation><a href=/a>a</a>',
    '/a': '<img src=a.png><img src=b.png alt=B><img src=dot.gif width=1 height=1><noscript><img src=n.gif></noscript>',
  })
  assert.deepEqual(found, ['/a | a.png | 1 of 2 images'])
})
