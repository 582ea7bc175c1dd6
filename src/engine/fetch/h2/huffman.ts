// The Huffman code of HPACK (RFC 7541, appendix B). Codes of the same length follow each other in the order of their
// symbols, and begin where those of the length before end, so the symbols of each length define them.

const END_OF_STRING = 256

/** By length in bits. Symbols are bytes. */
const SYMBOLS: Readonly<Record<number, string | readonly number[]>> = {
  5: '012aceiost',
  6: ' %-./3456789=A_bdfghlmnpru',
  7: ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz',
  8: '&*,;XZ',
  10: '!"()?',
  11: "'+|",
  12: '#>',
  13: '\0$@[]~',
  14: '^}',
  15: '<`{',
  19: [92, 195, 208],
  20: [128, 130, 131, 162, 184, 194, 224, 226],
  21: [153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230],
  22: [
    129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190, 196, 198,
    228, 232, 233,
  ],
  23: [
    1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175, 180, 182,
    183, 188, 191, 197, 231, 239,
  ],
  24: [9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237],
  25: [199, 207, 234, 235],
  26: [192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255],
  27: [203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254],
  28: [2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 220, 249],
  30: [10, 13, 22, END_OF_STRING],
}

const MAX_BITS = 30
/** A string is padded with ones to whole bytes. */
const MAX_PADDING_BITS = 7

interface CodeTable {
  /** The first code of each length, and how many there are. */
  first: Int32Array
  count: Int32Array
  /** In the order of their codes. */
  symbols: number[]
  /** Where those of each length begin. */
  start: Int32Array
}

function buildTable(): CodeTable {
  const [first, count, start] = [0, 1, 2].map(() => new Int32Array(MAX_BITS + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const symbols: number[] = []
  let code = 0
  for (let bits = 1; bits <= MAX_BITS; bits++) {
    const listed = SYMBOLS[bits] ?? []
    const ofLength = typeof listed === 'string' ? [...Buffer.from(listed, 'latin1')] : listed
    code *= 2
    first[bits] = code
    count[bits] = ofLength.length
    start[bits] = symbols.length
    symbols.push(...ofLength)
    code += ofLength.length
  }
  return { first, count, start, symbols }
}

const { first, count, start, symbols } = buildTable()

/** One character per byte; null if the code is broken. */
export function decodeHuffman(buffer: Buffer, from: number, to: number): string | null {
  let text = ''
  let code = 0
  let bits = 0
  for (let at = from; at < to; at++) {
    const byte = buffer[at] as number
    for (let shift = 7; shift >= 0; shift--) {
      code = code * 2 + ((byte >> shift) & 1)
      bits += 1
      if (bits > MAX_BITS) return null
      const index = code - (first[bits] as number)
      if (index >= (count[bits] as number)) continue
      const symbol = symbols[(start[bits] as number) + index] as number
      if (symbol === END_OF_STRING) return null
      text += String.fromCharCode(symbol)
      code = 0
      bits = 0
    }
  }
  const isPadding = bits <= MAX_PADDING_BITS && code === 2 ** bits - 1
  return isPadding ? text : null
}
