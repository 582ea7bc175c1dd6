import assert from 'node:assert/strict'
import { it } from 'node:test'
import { copyBytes } from './copy-bytes.ts'

it('bytes are copied to and from shared memory, from any offset and of any length', () => {
  const shared = Buffer.from(new SharedArrayBuffer(64))
  for (const text of ['', 'a', 'ab', 'several bytes']) {
    for (const offset of [0, 1, 7, 8]) {
      shared.fill('.')
      copyBytes(Buffer.from(text), shared, offset)
      assert.equal(shared.toString(), `${'.'.repeat(offset)}${text}`.padEnd(64, '.'))
      const back = Buffer.alloc(20, '-')
      copyBytes(shared.subarray(offset, offset + text.length), back, 3)
      assert.equal(back.toString(), `---${text}`.padEnd(20, '-'))
    }
  }
})
