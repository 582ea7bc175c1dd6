// Responses that are not HTTP, end too early or contradict themselves.

import {
  CLOSE_HEADER,
  type HostilePaths,
  RESPONSE_HEAD,
  respondThenReset,
  respondWithBytes,
} from './hostile-responses.ts'

const CHUNKED = `${RESPONSE_HEAD}Transfer-Encoding: chunked\r\n\r\n`
const status = (line: string) => respondWithBytes(`${line}\r\n${CLOSE_HEADER}Content-Length: 4\r\n\r\npage`)

export const BROKEN_RESPONSES: HostilePaths = {
  '/close/at-once': ['failed connection_lost', respondWithBytes('')],
  '/close/reset-at-once': ['failed connection_lost', ({ socket }) => socket?.resetAndDestroy()],
  '/close/in-the-headers': ['failed connection_lost', respondWithBytes(`${RESPONSE_HEAD}X-A: `)],
  '/length/too-long': [
    'failed connection_lost',
    respondWithBytes(`${RESPONSE_HEAD}Content-Length: 100\r\n\r\n<p>short`),
  ],
  '/length/too-short': [
    'visited',
    respondWithBytes(`${RESPONSE_HEAD}${CLOSE_HEADER}Content-Length: 8\r\n\r\n<p>short</p> <a href="/unseen">x</a>`),
  ],
  '/length/negative': ['failed http_invalid', respondWithBytes(`${RESPONSE_HEAD}Content-Length: -1\r\n\r\npage`)],
  '/length/not-a-number': ['failed http_invalid', respondWithBytes(`${RESPONSE_HEAD}Content-Length: many\r\n\r\npage`)],
  '/length/two': [
    'failed http_invalid',
    respondWithBytes(`${RESPONSE_HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\npage`),
  ],
  '/length/and-chunks': [
    'visited',
    respondWithBytes(`${RESPONSE_HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  ],
  '/reset/counted': ['failed connection_lost', respondThenReset(`${RESPONSE_HEAD}Content-Length: 100\r\n\r\nshort`)],
  '/reset/uncounted': ['failed connection_lost', respondThenReset(`${RESPONSE_HEAD}\r\nshort`)],
  '/chunks/bad-size': ['failed http_invalid', respondWithBytes(`${CHUNKED}zz\r\npage\r\n0\r\n\r\n`)],
  '/chunks/huge-size': ['failed http_invalid', respondWithBytes(`${CHUNKED}ffffffffffffffffff\r\npage\r\n0\r\n\r\n`)],
  '/chunks/cut': ['failed connection_lost', respondWithBytes(`${CHUNKED}50\r\nshort`)],
  '/chunks/no-last': ['failed connection_lost', respondWithBytes(`${CHUNKED}4\r\npage\r\n`)],
  '/status/099': ['failed http_invalid', status('HTTP/1.1 099 Low')],
  '/status/1000': ['failed http_invalid', status('HTTP/1.1 1000 High')],
  '/status/word': ['failed http_invalid', status('HTTP/1.1 OK')],
  '/status/999': ['http_error http_999', status('HTTP/1.1 999 Denied')],
  '/status/101': [
    'failed http_invalid',
    respondWithBytes('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  ],
  '/junk/http-0.9': ['failed http_invalid', respondWithBytes('<html><body>A page from the year 1991.</body></html>')],
  '/junk/mail': ['failed http_invalid', respondWithBytes('220 mail.example.com ESMTP ready\r\n')],
  '/junk/binary': [
    'failed http_invalid',
    respondWithBytes(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 73) & 0xff))),
  ],
  '/junk/header': ['failed http_invalid', respondWithBytes(`${RESPONSE_HEAD}Content Length: 4\r\n\r\npage`)],
  '/junk/header-nul': [
    'failed http_invalid',
    respondWithBytes(`${RESPONSE_HEAD}X-A: b\0c\r\nContent-Length: 4\r\n\r\npage`),
  ],
}
