// Responses that are slow or never end. The times fit a client that waits 15 seconds for headers or the next byte, and
// 20 for a whole request.

import { type HostilePaths, RESPONSE_HEAD, respondEndlessly, respondSlowly } from './hostile-responses.ts'

const BLOCK = '<p>More of the same.</p>'.repeat(1000)

export const SLOW_RESPONSES: HostilePaths = {
  '/slow/no-answer': ['failed headers_timeout', () => undefined],
  '/slow/status-line': ['failed headers_timeout', respondSlowly('HTTP/1.1 200 ', 'O', 1000)],
  '/slow/headers': ['failed headers_timeout', respondSlowly(RESPONSE_HEAD, 'X-A: b\r\n', 1000)],
  '/slow/drip': ['failed too_slow', respondSlowly(`${RESPONSE_HEAD}Content-Length: 100000\r\n\r\n`, 'x', 1000)],
  '/slow/chunk-name': [
    'failed too_slow',
    respondSlowly(`${RESPONSE_HEAD}Transfer-Encoding: chunked\r\n\r\n5;a`, 'b', 100),
  ],
  '/slow/standstill': ['failed body_timeout', (response) => response.write(BLOCK.repeat(3))],
  '/slow/never-done': ['failed timeout', respondSlowly(`${RESPONSE_HEAD}\r\n`, BLOCK, 1000)],
  '/slow/hints': ['failed http_invalid', respondSlowly('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 500)],
  '/endless/hints': ['failed http_invalid', respondEndlessly('', () => 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  '/endless/body': ['visited truncated', respondEndlessly(`${RESPONSE_HEAD}\r\n`, () => BLOCK)],
  '/endless/headers': [
    'failed headers_too_large',
    respondEndlessly(RESPONSE_HEAD, (i) => `X-${i}: ${'v'.repeat(100)}\r\n`),
  ],
  '/endless/header': ['failed headers_too_large', respondEndlessly(`${RESPONSE_HEAD}X-A: `, () => 'v'.repeat(1000))],
  '/endless/header-name': ['failed headers_too_large', respondEndlessly(RESPONSE_HEAD, () => 'v'.repeat(1000))],
  '/endless/trailers': [
    'failed headers_too_large',
    respondEndlessly(
      `${RESPONSE_HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`,
      (i) => `X-${i}: ${'v'.repeat(100)}\r\n`,
    ),
  ],
}
