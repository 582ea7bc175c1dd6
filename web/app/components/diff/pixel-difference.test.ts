import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { comparePixels, type Pixels } from './pixel-difference.ts'

/** Each digit is one pixel, multiplied by 28. */
function pixels(...rows: string[]): Pixels {
  const values = rows
    .join('')
    .split('')
    .flatMap((digit) => [Number(digit) * 28, Number(digit) * 28, Number(digit) * 28, 255])
  return { width: rows[0]?.length ?? 0, height: rows.length, data: new Uint8ClampedArray(values) }
}

const redAt = ({ data }: Pixels) =>
  [...data].flatMap((value, i) => (i % 4 === 0 && value === 220 && data[i + 1] === 38 ? [i / 4] : []))

describe('two screenshots', () => {
  it('that are equal have no difference', () => {
    const { share, width, height } = comparePixels(pixels('12', '34'), pixels('12', '34'))
    assert.deepEqual([share, width, height], [0, 2, 2])
  })

  it('differ where their pixels do', () => {
    const difference = comparePixels(pixels('12', '34'), pixels('12', '94'))
    assert.equal(difference.share, 0.25)
    assert.deepEqual(redAt(difference), [2])
  })

  it('of different sizes differ where only one has pixels', () => {
    const difference = comparePixels(pixels('11'), pixels('11', '11'))
    assert.deepEqual([difference.height, difference.share], [2, 0.5])
    assert.deepEqual(redAt(difference), [2, 3])
  })

  it('are not different because of compression', () => {
    const noisy = pixels('55')
    noisy.data.set([150, 130, 140])
    assert.equal(comparePixels(pixels('55'), noisy).share, 0)
  })
})
