// Pages just below the size limit, each with very many elements of one kind, which a careless parser processes in one
// go or allocates memory for one by one.

import { gzipSync } from 'node:zlib'
import { type HostileResponder, respondWithPage } from './hostile-responses.ts'

const BYTES = 9_900_000

export interface OversizedPage {
  body: () => Buffer
  contentType?: string
  contentEncoding?: string
}

function repeatPiece(piece: string): Buffer {
  return Buffer.alloc(BYTES, piece)
}

function wrapRepeated(start: string, piece: string, end = ''): Buffer {
  const length = BYTES - start.length - end.length
  return Buffer.concat([Buffer.from(start), Buffer.alloc(length, piece), Buffer.from(end)])
}

/** Each `{}` is replaced with the number of the element. */
function repeatNumbered(piece: string): Buffer {
  const parts: string[] = []
  for (let i = 0, length = 0; ; i++) {
    const part = piece.replace('{}', String(i))
    length += part.length
    if (length > BYTES) return Buffer.from(parts.join(''))
    parts.push(part)
  }
}

const PLAIN = 'text/plain; charset=utf-8'

export const OVERSIZED_PAGES: Readonly<Record<string, OversizedPage>> = {
  ampersands: { body: () => repeatPiece('&') },
  references: { body: () => repeatPiece('&amp;') },
  'rare references': { body: () => repeatPiece('&notin;&CounterClockwiseContourIntegral;&#x1F600;&unknown;') },
  'one endless reference': { body: () => wrapRepeated('&', 'a') },
  'one endless number': { body: () => wrapRepeated('&#', '1') },
  'ampersands in a title': { body: () => wrapRepeated('<title>', '&', '</title>') },
  'references in a title': { body: () => wrapRepeated('<title>', '&eacute;x ', '</title>') },
  'ampersands in an attribute': { body: () => wrapRepeated('<a href="', '&', '">x</a>') },
  'references in an attribute': { body: () => wrapRepeated('<a href="', '&eacute;', '">x</a>') },
  'a long attribute': { body: () => wrapRepeated('<a href="/', 'x', '">x</a>') },
  'many attributes': { body: () => wrapRepeated('<a ', 'x ', 'href="/x">x</a>') },
  'one attribute many times': { body: () => wrapRepeated('<a ', 'href ', '>x</a>') },
  'a long description': { body: () => wrapRepeated('<meta name="description" content="', 'x ', '">') },
  'a long tag name': { body: () => wrapRepeated('<svg><', 'x', '><a href=/x>') },
  'opening brackets': { body: () => repeatPiece('<') },
  'opening brackets and spaces': { body: () => repeatPiece('< ') },
  'half tags': { body: () => repeatPiece('<a') },
  'half end tags': { body: () => repeatPiece('</') },
  'half comments': { body: () => repeatPiece('<!') },
  'a text of words': { body: () => repeatPiece('word after word ') },
  'a text without spaces': { body: () => repeatPiece('x') },
  'a text of spaces': { body: () => repeatPiece(' ') },
  ideographs: { body: () => repeatPiece('漢字') },
  'a text in gb18030': { body: () => repeatPiece('漢字'), contentType: 'text/html; charset=gb18030' },
  'a text in euc-kr': { body: () => repeatPiece('\u00b0\u00a1'), contentType: 'text/html; charset=euc-kr' },
  NULs: { body: () => Buffer.alloc(BYTES) },
  plaintext: { body: () => wrapRepeated('<plaintext>', 'word & ') },
  'xmp of NULs': { body: () => wrapRepeated('<xmp>', '\0') },
  'a text with a link at its end': { body: () => wrapRepeated('', 'word & ', '<a href="/end">x</a>') },
  'a long title': { body: () => wrapRepeated('<title>', 'long ', '</title>') },
  'a title of half end tags': { body: () => wrapRepeated('<title>', '</', '</title>') },
  'a long comment': { body: () => wrapRepeated('<!--', 'x ', '-->') },
  'a comment of dashes': { body: () => wrapRepeated('<!--', '-', ' ') },
  'a comment of half ends': { body: () => wrapRepeated('<!--', '--x', '-->') },
  'a long script': { body: () => wrapRepeated('<script>', 'x = 1;', '</script>') },
  'a script of brackets': { body: () => wrapRepeated('<script>', '<', '</script>') },
  'a script of comment marks': { body: () => wrapRepeated('<script>', '<!--', '</script>') },
  'a style of half end tags': { body: () => wrapRepeated('<style>', '</s', '</style>') },
  'many metas': { body: () => repeatPiece('<meta name=keywords content="x"><meta name=robots content="index">') },
  'many crawler metas': { body: () => repeatNumbered('<meta name=bot{} content=noindex>') },
  'many bases': { body: () => repeatNumbered('<base href="/{}/">') },
  'many links': { body: () => repeatNumbered('<a href="/some/folder/{}">x</a>') },
  'many short links': { body: () => repeatNumbered('<a href=/{}>') },
  'many links elsewhere': { body: () => repeatNumbered('<a href="http://h{}.test/">x</a>') },
  'many long links': { body: () => repeatNumbered(`<a href="/{}/${'long/'.repeat(150)}">x</a>`) },
  'many alternates': { body: () => repeatNumbered('<link rel=alternate href=/{}>') },
  'many refreshes': { body: () => repeatNumbered('<meta http-equiv=refresh content="0;url=/{}">') },
  'many frames': { body: () => repeatNumbered('<iframe src=/{}></iframe>') },
  'many rels': { body: () => repeatNumbered('<a rel="r{} external" href=#>') },
  'nested tags': { body: () => repeatPiece('<div>') },
  'nested tags of many names': { body: () => repeatNumbered('<x{}>') },
  'nested SVG': { body: () => repeatPiece('<svg>') },
  'nested SVG of many names': { body: () => Buffer.concat([Buffer.from('<svg>'), repeatNumbered('<x{}>')]) },
  'nested templates': { body: () => repeatPiece('<template>') },
  'SVG and HTML in turn': { body: () => repeatPiece('<svg><desc><b>') },
  CDATA: { body: () => wrapRepeated('<svg><![CDATA[', 'x & ', ']]>') },
  'nested framesets': { body: () => repeatPiece('<frameset><frame src=x>') },
  'a line of plain text': { body: () => repeatPiece('word after word '), contentType: PLAIN },
  'plain text without spaces': { body: () => repeatPiece('x'), contentType: PLAIN },
  'plain text of URLs': { body: () => repeatNumbered('http://elsewhere.test/{} '), contentType: PLAIN },
  'packed ampersands': { body: () => gzipSync(repeatPiece('&'), { level: 1 }), contentEncoding: 'gzip' },
}

export function respondWithOversizedPage({
  body,
  contentType = 'text/html; charset=utf-8',
  contentEncoding,
}: OversizedPage): HostileResponder {
  return (response) => {
    if (contentEncoding !== undefined) response.setHeader('Content-Encoding', contentEncoding)
    respondWithPage(body(), contentType)(response)
  }
}
