import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BodyCollector } from './body-collector.ts'

function collect(expected: number, parts: string[]): Buffer {
  const body = new BodyCollector()
  body.expect(expected)
  for (const part of parts) {
    const source = Buffer.from(`<${part}>`)
    body.add(source, 1, source.length - 1)
    // The lender reuses the buffer.
    source.fill(0)
  }
  return body.take()
}

describe('a body', () => {
  it('is what was added, whatever was announced', () => {
    for (const expected of [0, 1, 5, 9, Number.NaN, 1e12]) {
      assert.equal(collect(expected, ['one', '', 'two', 'six']).toString(), 'onetwosix')
      assert.equal(collect(expected, []).length, 0)
    }
    assert.equal(
      collect(
        10,
        Array.from({ length: 5000 }, () => 'x'.repeat(100)),
      ).toString(),
      'x'.repeat(500_000),
    )
  })

  it('uses little more memory than its size', () => {
    const bytes = (expected: number, parts: string[]) => collect(expected, parts).buffer.byteLength
    assert.equal(bytes(10_000, ['x'.repeat(10_000)]), 10_000)
    assert.equal(bytes(1e9, ['page']), 4)
    for (const length of [1, 4097, 70_000, 131_073]) {
      const held = bytes(
        0,
        Array.from({ length }, () => 'x'),
      )
      assert.ok(held <= length * 1.25, `${held} bytes for ${length}`)
    }
  })

  it('reserves only a part of the announced size', () => {
    const body = new BodyCollector()
    const before = process.memoryUsage().arrayBuffers
    body.expect(1e9)
    assert.ok(process.memoryUsage().arrayBuffers - before < 1e6)
  })
})
