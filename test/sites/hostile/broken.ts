// Answers that are not HTTP, or end too early, or lie about themselves.

import { CLOSE, HEAD, raw, reset, type Traps } from './trap.ts'

const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const status = (line: string) => raw(`${line}\r\n${CLOSE}Content-Length: 4\r\n\r\npage`)

export const BROKEN: Traps = {
  '/close/at-once': ['failed connection_lost', raw('')],
  '/close/reset-at-once': ['failed connection_lost', ({ socket }) => socket?.resetAndDestroy()],
  '/close/in-the-headers': ['failed connection_lost', raw(`${HEAD}X-A: `)],
  '/length/too-long': ['failed connection_lost', raw(`${HEAD}Content-Length: 100\r\n\r\n<p>short`)],
  '/length/too-short': ['visited', raw(`${HEAD}${CLOSE}Content-Length: 8\r\n\r\n<p>short</p> <a href="/unseen">x</a>`)],
  '/length/negative': ['failed http_invalid', raw(`${HEAD}Content-Length: -1\r\n\r\npage`)],
  '/length/not-a-number': ['failed http_invalid', raw(`${HEAD}Content-Length: many\r\n\r\npage`)],
  '/length/two': ['failed http_invalid', raw(`${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\npage`)],
  '/length/and-chunks': ['visited', raw(`${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)],
  '/reset/counted': ['failed connection_lost', reset(`${HEAD}Content-Length: 100\r\n\r\nshort`)],
  '/reset/uncounted': ['failed connection_lost', reset(`${HEAD}\r\nshort`)],
  '/chunks/bad-size': ['failed http_invalid', raw(`${CHUNKED}zz\r\npage\r\n0\r\n\r\n`)],
  '/chunks/huge-size': ['failed http_invalid', raw(`${CHUNKED}ffffffffffffffffff\r\npage\r\n0\r\n\r\n`)],
  '/chunks/cut': ['failed connection_lost', raw(`${CHUNKED}50\r\nshort`)],
  '/chunks/no-last': ['failed connection_lost', raw(`${CHUNKED}4\r\npage\r\n`)],
  '/status/099': ['failed http_invalid', status('HTTP/1.1 099 Low')],
  '/status/1000': ['failed http_invalid', status('HTTP/1.1 1000 High')],
  '/status/word': ['failed http_invalid', status('HTTP/1.1 OK')],
  '/status/999': ['http_error http_999', status('HTTP/1.1 999 Denied')],
  '/status/101': ['failed http_invalid', raw('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')],
  '/junk/http-0.9': ['failed http_invalid', raw('<html><body>A page from the year 1991.</body></html>')],
  '/junk/mail': ['failed http_invalid', raw('220 mail.example.com ESMTP ready\r\n')],
  '/junk/binary': ['failed http_invalid', raw(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 73) & 0xff)))],
  '/junk/header': ['failed http_invalid', raw(`${HEAD}Content Length: 4\r\n\r\npage`)],
  '/junk/header-nul': ['failed http_invalid', raw(`${HEAD}X-A: b\0c\r\nContent-Length: 4\r\n\r\npage`)],
}
