import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LineSorter } from './line-sorter.ts'
import { ScratchFile } from './scratch-file.ts'

describe('a line sorter', () => {
  it('returns all lines in order, from memory and from any number of runs', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', ' ') })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 200 }), async (lines, runChars) => {
        const file = new ScratchFile(tmpdir())
        const sorter = new LineSorter(file, runChars)
        for (const each of lines) await sorter.add(each)
        assert.deepEqual(await Array.fromAsync(sorter.sorted()), [...lines].sort())
        await file.close()
      }),
    )
  })
})
