// Interprets the response to a request for /robots.txt (RFC 9309 2.3.1). The caller follows at least five redirects,
// and handles a 304 from its own copy.

export type RobotsResponse = { status: number; body: Buffer } | { failed: true }

export type RobotsInterpretation =
  | { kind: 'rules'; body: Buffer }
  | { kind: 'allow_all'; because: 'empty' | 'client_error' | 'too_many_redirects' }
  | { kind: 'disallow_all'; because: 'server_error' | 'unreachable' | 'unknown_status' }

export function interpretRobotsResponse(response: RobotsResponse): RobotsInterpretation {
  if ('failed' in response) return { kind: 'disallow_all', because: 'unreachable' }
  switch (Math.floor(response.status / 100)) {
    case 2:
      if (response.body.length === 0) return { kind: 'allow_all', because: 'empty' }
      return { kind: 'rules', body: response.body }
    case 3:
      return { kind: 'allow_all', because: 'too_many_redirects' }
    case 4:
      return { kind: 'allow_all', because: 'client_error' }
    case 5:
      return { kind: 'disallow_all', because: 'server_error' }
    default:
      return { kind: 'disallow_all', because: 'unknown_status' }
  }
}
