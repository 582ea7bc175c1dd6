import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { it } from 'node:test'
import { ipVersion } from './ip-version.ts'

const TEXTS = [
  '1.2.3.4',
  '1.2.3',
  '1.2.3.4:80',
  '::',
  '::1',
  'fe80::1%eth0',
  '::ffff:1.2.3.4',
  '[::1]',
  'a:b',
  'a.test',
  '',
]

for (const text of TEXTS) it(`"${text}" is the same for Node`, () => assert.equal(ipVersion(text), isIP(text)))
