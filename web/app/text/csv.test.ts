import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from './csv.ts'

test('cells are quoted where needed, and formulas are disarmed', () => {
  assert.equal(
    toCsv([
      ['URL', 'Size'],
      ['a,"b"', 7],
      ['=1+1', null],
    ]),
    'URL,Size\r\n"a,""b""",7\r\n\'=1+1,',
  )
})
