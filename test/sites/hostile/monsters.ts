// Pages just below the size limit, each a lot of one thing, which a careless reader takes in one go or keeps a piece of
// memory for every piece of.

import { gzipSync } from 'node:zlib'
import { type Answer, page } from './trap.ts'

const BYTES = 9_900_000

export interface Monster {
  body: () => Buffer
  contentType?: string
  contentEncoding?: string
}

function fill(piece: string): Buffer {
  return Buffer.alloc(BYTES, piece)
}

function wrap(start: string, piece: string, end = ''): Buffer {
  const length = BYTES - start.length - end.length
  return Buffer.concat([Buffer.from(start), Buffer.alloc(length, piece), Buffer.from(end)])
}

/** `{}` stands for the number of the piece. */
function number(piece: string): Buffer {
  const parts: string[] = []
  for (let i = 0, length = 0; ; i++) {
    const part = piece.replace('{}', String(i))
    length += part.length
    if (length > BYTES) return Buffer.from(parts.join(''))
    parts.push(part)
  }
}

const PLAIN = 'text/plain; charset=utf-8'

export const MONSTERS: Readonly<Record<string, Monster>> = {
  ampersands: { body: () => fill('&') },
  references: { body: () => fill('&amp;') },
  'rare references': { body: () => fill('&notin;&CounterClockwiseContourIntegral;&#x1F600;&unknown;') },
  'one endless reference': { body: () => wrap('&', 'a') },
  'one endless number': { body: () => wrap('&#', '1') },
  'ampersands in a title': { body: () => wrap('<title>', '&', '</title>') },
  'references in a title': { body: () => wrap('<title>', '&eacute;x ', '</title>') },
  'ampersands in an attribute': { body: () => wrap('<a href="', '&', '">x</a>') },
  'references in an attribute': { body: () => wrap('<a href="', '&eacute;', '">x</a>') },
  'a long attribute': { body: () => wrap('<a href="/', 'x', '">x</a>') },
  'many attributes': { body: () => wrap('<a ', 'x ', 'href="/x">x</a>') },
  'one attribute many times': { body: () => wrap('<a ', 'href ', '>x</a>') },
  'a long description': { body: () => wrap('<meta name="description" content="', 'x ', '">') },
  'a long tag name': { body: () => wrap('<svg><', 'x', '><a href=/x>') },
  'opening brackets': { body: () => fill('<') },
  'opening brackets and spaces': { body: () => fill('< ') },
  'half tags': { body: () => fill('<a') },
  'half end tags': { body: () => fill('</') },
  'half comments': { body: () => fill('<!') },
  'a text of words': { body: () => fill('word after word ') },
  'a text without spaces': { body: () => fill('x') },
  'a text of spaces': { body: () => fill(' ') },
  ideographs: { body: () => fill('漢字') },
  'a text in gb18030': { body: () => fill('漢字'), contentType: 'text/html; charset=gb18030' },
  'a text in euc-kr': { body: () => fill('\u00b0\u00a1'), contentType: 'text/html; charset=euc-kr' },
  NULs: { body: () => Buffer.alloc(BYTES) },
  plaintext: { body: () => wrap('<plaintext>', 'word & ') },
  'xmp of NULs': { body: () => wrap('<xmp>', '\0') },
  'a text with a link at its end': { body: () => wrap('', 'word & ', '<a href="/end">x</a>') },
  'a long title': { body: () => wrap('<title>', 'long ', '</title>') },
  'a title of half end tags': { body: () => wrap('<title>', '</', '</title>') },
  'a long comment': { body: () => wrap('<!--', 'x ', '-->') },
  'a comment of dashes': { body: () => wrap('<!--', '-', ' ') },
  'a comment of half ends': { body: () => wrap('<!--', '--x', '-->') },
  'a long script': { body: () => wrap('<script>', 'x = 1;', '</script>') },
  'a script of brackets': { body: () => wrap('<script>', '<', '</script>') },
  'a script of comment marks': { body: () => wrap('<script>', '<!--', '</script>') },
  'a style of half end tags': { body: () => wrap('<style>', '</s', '</style>') },
  'many metas': { body: () => fill('<meta name=keywords content="x"><meta name=robots content="index">') },
  'many crawler metas': { body: () => number('<meta name=bot{} content=noindex>') },
  'many bases': { body: () => number('<base href="/{}/">') },
  'many links': { body: () => number('<a href="/some/folder/{}">x</a>') },
  'many short links': { body: () => number('<a href=/{}>') },
  'many links elsewhere': { body: () => number('<a href="http://h{}.test/">x</a>') },
  'many long links': { body: () => number(`<a href="/{}/${'long/'.repeat(150)}">x</a>`) },
  'many alternates': { body: () => number('<link rel=alternate href=/{}>') },
  'many refreshes': { body: () => number('<meta http-equiv=refresh content="0;url=/{}">') },
  'many frames': { body: () => number('<iframe src=/{}></iframe>') },
  'many rels': { body: () => number('<a rel="r{} external" href=#>') },
  'nested tags': { body: () => fill('<div>') },
  'nested tags of many names': { body: () => number('<x{}>') },
  'nested SVG': { body: () => fill('<svg>') },
  'nested SVG of many names': { body: () => Buffer.concat([Buffer.from('<svg>'), number('<x{}>')]) },
  'nested templates': { body: () => fill('<template>') },
  'SVG and HTML in turn': { body: () => fill('<svg><desc><b>') },
  CDATA: { body: () => wrap('<svg><![CDATA[', 'x & ', ']]>') },
  'nested framesets': { body: () => fill('<frameset><frame src=x>') },
  'a line of plain text': { body: () => fill('word after word '), contentType: PLAIN },
  'plain text without spaces': { body: () => fill('x'), contentType: PLAIN },
  'plain text of URLs': { body: () => number('http://elsewhere.test/{} '), contentType: PLAIN },
  'packed ampersands': { body: () => gzipSync(fill('&'), { level: 1 }), contentEncoding: 'gzip' },
}

export function serveMonster({ body, contentType = 'text/html; charset=utf-8', contentEncoding }: Monster): Answer {
  return (response) => {
    if (contentEncoding !== undefined) response.setHeader('Content-Encoding', contentEncoding)
    page(body(), contentType)(response)
  }
}
