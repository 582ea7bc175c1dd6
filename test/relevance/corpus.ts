// A generated corpus: words are distributed as in a language, each page is about a few rare ones, and the pages of a
// section share their navigation. Page n is always the same, so expected results are known.

const SYLLABLES = ['ba', 'co', 'di', 'fe', 'gu', 'la', 'me', 'ni', 'po', 'ra', 'se', 'ti', 'vo', 'wa', 'xe', 'zu']
const ENDINGS = ['', '', '', 's', 'ing', 'ed', 'er', 'ly']
const COMMON = [
  'the',
  'of',
  'and',
  'to',
  'in',
  'is',
  'for',
  'on',
  'with',
  'that',
  'this',
  'from',
  'are',
  'was',
  'be',
  'by',
]
const VOCABULARY = 60_000
/** Share of stop words as in English: two of five words. */
const COMMON_SHARE = 0.4
const SECTIONS = 50

export interface CorpusPage {
  id: number
  url: string
  html: string
  /** Queries that should find this page and few others. */
  title: string
  phrase: string
}

/** A seeded random generator. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Word n; lower numbers are shorter and more common. */
export function wordAt(n: number): string {
  let word = ''
  for (let rest = n + 20; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word + (ENDINGS[n % ENDINGS.length] ?? '')
}

export function makeCorpusPage(id: number, words = 350): CorpusPage {
  const random = randomOf(id)
  // Zipf: the frequency of a word is inversely proportional to its rank.
  const rank = () => Math.floor(VOCABULARY ** random())
  const word = () =>
    random() < COMMON_SHARE ? (COMMON[Math.floor(random() * COMMON.length)] ?? 'the') : wordAt(rank())
  const topics = Array.from({ length: 3 }, () => wordAt(2000 + Math.floor(random() * (VOCABULARY - 2000))))
  const sentence = (length: number) => {
    const list = Array.from({ length }, () => (random() < 0.04 ? (topics[Math.floor(random() * 3)] ?? '') : word()))
    return `${list.join(' ')}.`
  }
  const title = `${topics[0]} ${word()} ${topics[1]}`
  const phrase = `${topics[2]} ${wordAt(id % VOCABULARY)} ${wordAt((id * 7) % VOCABULARY)}`
  const section = id % SECTIONS
  let body = ''
  for (let count = 0; count < words; count += 45) {
    if (count % 135 === 90) body += `<h2>${topics[count % 3]} ${word()} ${word()}</h2>\n`
    const link = `<a href="/s${section}/p${Math.floor(random() * (id + 1))}.html">${word()} ${word()}</a>`
    body += `<p class="text">${sentence(40)} ${link}</p>\n`
  }
  const menu = Array.from({ length: 12 }, (_, i) => `<li><a href="/s${i}/">Section ${wordAt(i)}</a></li>`).join('')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${sentence(12)}"></head><body><header><nav><ul>${menu}</ul></nav></header>
<main><h1>${title}</h1>\n${body}<p>${sentence(8)} ${phrase} ${sentence(8)}</p></main>
<footer><p>All rights reserved, section ${section}</p></footer></body></html>`
  return { id, url: `http://site${section % 10}.test/s${section}/p${id}.html`, html, title, phrase }
}
