import { SEARCH_PAGE_CSP } from '../auth/security-headers.ts'

export function htmlResponse(
  page: { toString(): string },
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(page.toString(), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': SEARCH_PAGE_CSP,
      ...headers,
    },
  })
}

export function dataResponse(body: string, type: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store', ...headers } })
}
