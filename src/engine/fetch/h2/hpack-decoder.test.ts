import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HpackDecoder } from './hpack-decoder.ts'
import { encodeField } from './hpack-encoder.ts'

const MAX_BYTES = 4096

function decode(decoder: HpackDecoder, block: Buffer, maxBytes = MAX_BYTES): string[] | null {
  return decoder.decode(block, maxBytes)?.fields ?? null
}

describe('header blocks', () => {
  // RFC 7541, appendix C.6, has the texts in Huffman code, and a table that earlier blocks have filled.
  it('refer to fields of earlier blocks', () => {
    const decoder = new HpackDecoder()
    const first =
      '4882640258 85aec3771a4b 6196d07abe941054d444a8200595040b8166e082a62d1bff 6e919d29ad171863c78f0b97c8e9ae82ae43d3'
    const others = ['cache-control', 'private', 'date', 'Mon, 21 Oct 2013 20:13:21 GMT', 'location']
    const fieldsOf = (status: string) => [':status', status, ...others, 'https://www.example.com']
    assert.deepEqual(decode(decoder, Buffer.from(first.replaceAll(' ', ''), 'hex')), fieldsOf('302'))
    assert.deepEqual(decode(decoder, Buffer.from('4883640effc1c0bf', 'hex')), fieldsOf('307'))
  })

  it('are read as our own requests write them', () => {
    const fields = [':path', '/a?b', 'cookie', 'c=d', 'x-long', 'é'.repeat(300), ':method', 'GET']
    const block = Buffer.concat([0, 2, 4, 6].map((i) => encodeField(fields[i] ?? '', fields[i + 1] ?? '')))
    assert.deepEqual(decode(new HpackDecoder(), block), fields)
  })

  it('lose the oldest fields when the table is full', () => {
    const decoder = new HpackDecoder()
    const add = (value: string) => {
      const field = encodeField('x-name', value)
      field[0] = 0x40
      return field
    }
    const [newest, secondNewest] = [Buffer.from([0x80 | 62]), Buffer.from([0x80 | 63])]
    decode(decoder, add('a'))
    decode(decoder, add('b'))
    assert.deepEqual(decode(decoder, secondNewest), ['x-name', 'a'])
    const large = 'c'.repeat(4000)
    decode(decoder, add(large), 8192)
    assert.deepEqual(decode(decoder, newest), ['x-name', large])
    assert.deepEqual(decode(decoder, secondNewest), ['x-name', 'b'])
    assert.equal(decode(decoder, Buffer.from([0x80 | 64])), null)
  })

  it('that are too large still fill the table', () => {
    const decoder = new HpackDecoder()
    const field = encodeField('x-name', 'y'.repeat(100))
    field[0] = 0x40
    const decoded = decoder.decode(field, 50)
    assert.deepEqual(decoded, { fields: [], isTooLarge: true })
    assert.deepEqual(decode(decoder, Buffer.from([0x80 | 62])), ['x-name', 'y'.repeat(100)])
  })

  for (const [name, hex] of [
    ['with number zero', '80'],
    ['with a number that was never added', 'be'],
    ['whose text is longer than the block', '0003616263'],
    ['without a value', '00'],
    ['with a number that has no end', '7fffffffffffffff'],
    ['that resize the table after a field', '8820'],
    ['that enlarge the table beyond what we allow', '3fe2ff03'],
    ['with the end of strings in Huffman code', '0081ff84ffffffff'],
    ['with wrong padding in Huffman code', '0081f88100'],
  ] as const) {
    it(`${name} are broken`, () => assert.equal(decode(new HpackDecoder(), Buffer.from(hex, 'hex')), null))
  }
})
