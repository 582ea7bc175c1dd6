import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FIELDS, type Field } from '../../ports/search.ts'
import { BagPacker, BagReader } from './term-bag.ts'

const packer = new BagPacker()
const words = (list: string[]) => new Map(list.map((word) => [word, [word]]))

function termsOf(changes: Partial<Record<Field, string>>): Record<Field, string> {
  const empty = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<Field, string>
  return { ...empty, ...changes }
}

describe('a term bag', () => {
  it('has the count of every term in each field', () => {
    const term = fc.constantFrom('apple', 'pear', 'plum', 'a', '苹果', 'straße', 'x1')
    const text = fc.array(term, { maxLength: 60 })
    fc.assert(
      fc.property(fc.tuple(...FIELDS.map(() => text)), (lists) => {
        const texts = Object.fromEntries(FIELDS.map((field, i) => [field, (lists[i] ?? []).join(' ')]))
        const { length, content } = packer.pack(texts as Record<Field, string>)
        assert.equal(length, lists.flat().length)
        const reader = new BagReader(words(['apple', 'pear', 'plum', 'a', '苹果', 'straße', 'x1', 'none']))
        reader.read(content)
        for (const word of ['apple', 'pear', 'plum', 'a', '苹果', 'straße', 'x1', 'none']) {
          for (const [i, list] of lists.entries()) {
            assert.equal(reader.count(reader.numberOf(word), i), list.filter((one) => one === word).length, word)
          }
        }
      }),
    )
  })

  it('counts up to 255, and starts empty for each document', () => {
    const body = FIELDS.indexOf('body')
    const reader = new BagReader(words(['many', 'other']))
    for (const [times, counted] of [
      [127, 127],
      [128, 128],
      [400, 255],
    ] as const) {
      reader.read(packer.pack(termsOf({ body: 'many '.repeat(times) })).content)
      assert.equal(reader.count(reader.numberOf('many'), body), counted)
    }
    reader.read(packer.pack(termsOf({ title: 'other', body: 'other' })).content)
    assert.deepEqual(
      [
        reader.count(reader.numberOf('many'), body),
        reader.count(reader.numberOf('other'), body),
        reader.count(reader.numberOf('other'), 0),
      ],
      [0, 1, 1],
    )
  })

  it('sums the terms that a word stands for', () => {
    const reader = new BagReader(
      new Map([
        ['app*', ['apple', 'apply']],
        ['apple', ['apple']],
      ]),
    )
    reader.read(packer.pack(termsOf({ title: 'apple apply apple' })).content)
    assert.deepEqual([reader.count(reader.numberOf('app*'), 0), reader.count(reader.numberOf('apple'), 0)], [3, 2])
  })

  it('of a very long document is limited to the available slots', () => {
    const body = Array.from({ length: 60_000 }, (_, i) => `t${i}`).join(' ')
    const { length, content } = packer.pack(termsOf({ body }))
    assert.equal(length, 60_000)
    const reader = new BagReader(words(['t0']))
    reader.read(content)
    assert.ok(reader.count(reader.numberOf('t0'), FIELDS.indexOf('body')) >= 1)
  })
})
