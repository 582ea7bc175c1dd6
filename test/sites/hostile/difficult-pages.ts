// Valid HTTP responses whose content is hard to process.

import {
  CLOSE_HEADER,
  type HostilePaths,
  RESPONSE_HEAD,
  respondWithBytes,
  respondWithGeneratedPage,
  respondWithPage,
} from './hostile-responses.ts'

const MIB = 1024 * 1024
const repeat = (count: number, part: (i: number) => string) => Array.from({ length: count }, (_, i) => part(i)).join('')

/** Larger than any crawler reads. */
export function largePage(): Buffer {
  const line = '<p>A long page with <a href="http://elsewhere.test/">a link</a> in every line.</p>\n'
  return Buffer.alloc(50 * MIB, line)
}

export function nestedPage(): Buffer {
  return Buffer.from('<div>'.repeat(1_000_000))
}

/** No link is in scope: the page is tested, not the URLs. */
export function manyLinksPage(): Buffer {
  return Buffer.from(repeat(100_000, (i) => `<a href="http://elsewhere.test/${i}">x</a>\n`))
}

const MALFORMED = [
  'http://',
  'http://[',
  'http://[::1',
  'http://a b/',
  'http://%/',
  'http://:80/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:x/',
  'http://me:secret@127.0.0.1/',
  '//',
  '///',
  'http:///////',
  '\\\\elsewhere.test\\x',
  'javascript:alert(1)',
  'mailto:a@b.test',
  'data:text/html,x',
  'file:///etc/passwd',
  'tel:1',
  'blob:x',
  'x:y:z',
  'http://xn--/',
  'http://xn--a.xn--b/',
  `http://${'a'.repeat(300)}.test/`,
  `http://elsewhere.test/${'a'.repeat(9000)}`,
  'http://\u0000/',
  'http://\ud800/',
  'http://elsewhere.test/&#0;',
  'http://&#x110000;/',
  '#',
  '',
  ' ',
  '\t\n',
]

export const DIFFICULT_PAGES: HostilePaths = {
  '/page/large': ['visited truncated', respondWithGeneratedPage(largePage)],
  '/page/nested': ['visited', respondWithGeneratedPage(nestedPage)],
  '/page/many-links': ['visited', respondWithGeneratedPage(manyLinksPage)],
  '/page/malformed-links': ['visited', respondWithPage(MALFORMED.map((href) => `<a href="${href}">x</a>`).join('\n'))],
  '/page/binary': [
    'visited',
    respondWithGeneratedPage(() => Buffer.from(Array.from({ length: MIB }, (_, i) => (i * i * 31) & 0xff))),
  ],
  '/page/nul': ['visited', respondWithGeneratedPage(() => Buffer.alloc(MIB))],
  '/page/bad-utf-8': [
    'visited',
    respondWithPage(Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90])),
  ],
  '/page/odd-utf-16': ['visited', respondWithPage(Buffer.from([0xff, 0xfe, 0x3c, 0, 0x00, 0xd8, 0x41]), 'text/html')],
  '/page/unknown-charset': ['visited', respondWithPage('<p>page', 'text/html; charset=klingon')],
  '/page/odd-type': ['visited', respondWithPage('<p>page', ';;,"text/html\\')],
  '/page/long-title': ['visited', respondWithGeneratedPage(() => `<title>${'long '.repeat(MIB)}</title>`)],
  '/page/long-meta': [
    'visited',
    respondWithGeneratedPage(() => `<meta name="description" content="${'long '.repeat(MIB)}">`),
  ],
  '/page/attributes': [
    'visited',
    respondWithGeneratedPage(() => `<a ${repeat(100_000, (i) => `a${i}=${i} `)}href="/good/1">x</a>`),
  ],
  '/page/open-comment': ['visited', respondWithGeneratedPage(() => `<!--${'-'.repeat(5 * MIB)}`)],
  '/page/open-tags': ['visited', respondWithGeneratedPage(() => '<a href="'.repeat(500_000))],
  '/page/entities': ['visited', respondWithGeneratedPage(() => '&notit;&amp'.repeat(500_000))],
  '/page/cookies': [
    'failed headers_too_large',
    respondWithBytes(`${RESPONSE_HEAD}${repeat(10_000, (i) => `Set-Cookie: name${i}=value\r\n`)}\r\npage`),
  ],
  '/page/few-cookies': [
    'visited',
    respondWithBytes(`${RESPONSE_HEAD}${repeat(500, (i) => `Set-Cookie: name${i}=value\r\n`)}\r\npage`),
  ],
  '/page/tiny-chunks': [
    'visited',
    respondWithBytes(
      `${RESPONSE_HEAD}${CLOSE_HEADER}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(300_000)}0\r\n\r\n`,
    ),
  ],
}
