// Node's decoder for this label only supports plain EUC-KR, while the web's "euc-kr" is the larger windows-949, which
// has every Hangul syllable. https://encoding.spec.whatwg.org/#euc-kr-decoder

const FIRST_LEAD = 0x81
const FIRST_TRAIL = 0x41
const TRAILS = 190
const PLAIN_START = 0xa1
const LAST = 0xfe
const USER_DEFINED_LEADS = [0xc9, 0xfe]
const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
const MALFORMED = 0xfffd

const lazy: { index: Uint16Array | null } = { index: null }

export function decodeEucKr(bytes: Uint8Array): string {
  lazy.index ??= buildIndex()
  const index = lazy.index
  const codes = new Uint16Array(bytes.length)
  let length = 0
  for (let pos = 0; pos < bytes.length; pos++) {
    const lead = bytes[pos] ?? 0
    if (lead < 0x80) {
      codes[length++] = lead
      continue
    }
    const trail = bytes[pos + 1] ?? 0
    const code = isPair(lead, trail) ? (index[pointerOf(lead, trail)] ?? 0) : 0
    codes[length++] = code === 0 ? MALFORMED : code
    // A bad pair consumes its second byte too, unless that is ASCII or the first was not a lead byte.
    const takesBoth = lead >= FIRST_LEAD && lead <= LAST && (code !== 0 || trail >= 0x80)
    if (takesBoth) pos++
  }
  return Buffer.from(codes.buffer).toString('utf16le', 0, 2 * length)
}

function isPair(lead: number, trail: number): boolean {
  return lead >= FIRST_LEAD && lead <= LAST && trail >= FIRST_TRAIL && trail <= LAST
}

function pointerOf(lead: number, trail: number): number {
  return (lead - FIRST_LEAD) * TRAILS + trail - FIRST_TRAIL
}

function buildIndex(): Uint16Array {
  const index = new Uint16Array((LAST - FIRST_LEAD + 1) * TRAILS)
  const decoder = new TextDecoder('euc-kr')
  const plain = new Set<number>()
  for (let lead = PLAIN_START; lead <= LAST; lead++) {
    if (USER_DEFINED_LEADS.includes(lead)) continue
    for (let trail = PLAIN_START; trail <= LAST; trail++) {
      const code = decoder.decode(Uint8Array.of(lead, trail)).charCodeAt(0)
      if (code === MALFORMED) continue
      index[pointerOf(lead, trail)] = code
      plain.add(code)
    }
  }
  index[pointerOf(0xa2, 0xe6)] = 0x20ac
  index[pointerOf(0xa2, 0xe7)] = 0xae
  fillSyllables(index, plain)
  return index
}

/** The syllables that plain EUC-KR lacks are in Unicode order on the pairs that it leaves free. */
function fillSyllables(index: Uint16Array, plain: ReadonlySet<number>): void {
  let syllable = FIRST_SYLLABLE
  for (let lead = FIRST_LEAD; ; lead++) {
    for (let trail = FIRST_TRAIL; trail <= LAST; trail++) {
      if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81)) continue
      if (lead >= PLAIN_START && trail >= PLAIN_START) break
      while (plain.has(syllable)) syllable++
      if (syllable > LAST_SYLLABLE) return
      index[pointerOf(lead, trail)] = syllable++
    }
  }
}
