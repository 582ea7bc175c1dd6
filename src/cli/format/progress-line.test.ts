import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Io } from '../io.ts'
import { openProgressLine } from './progress-line.ts'

function print(isTTY: boolean, env: NodeJS.ProcessEnv): string {
  let text = ''
  const stdout = { isTTY, write: (chunk: string) => (text += chunk) } as unknown as Io['stdout']
  const line = openProgressLine({ stdout, env })
  line.show('2 waiting')
  line.show('2 waiting')
  line.show('1 waiting')
  line.clear()
  return text
}

test('a line is rewritten on a terminal, and cleared at the end', () => {
  assert.equal(print(true, {}), '\r\x1b[K2 waiting\r\x1b[K1 waiting\r\x1b[K')
})

test('nothing is printed to a pipe, or to a terminal that cannot rewrite lines', () => {
  assert.equal(print(false, {}), '')
  assert.equal(print(true, { TERM: 'dumb' }), '')
})
