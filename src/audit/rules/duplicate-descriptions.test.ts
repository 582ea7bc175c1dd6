import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { duplicateDescriptions } from './duplicate-descriptions.ts'

const described = (text: string) => `<meta name=description content="${text}">`

it('lists pages with the description of an earlier one', async () => {
  const { found } = await auditSite(duplicateDescriptions, {
    '/': `${described('Our shop')}<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>`,
    '/a': `${described('Our shop')}a`,
    '/b': described('Our bread'),
    '/c': 'none',
    '/d': 'none either',
  })
  assert.deepEqual(found, ['/a | / | Our shop | Same description'])
})
