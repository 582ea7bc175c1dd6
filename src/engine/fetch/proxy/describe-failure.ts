// Describes in words what is wrong with a proxy; the codes of its failures are for logs.

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'its name does not resolve',
  ETIMEDOUT: 'it does not respond',
  CONNECT_TIMEOUT: 'it does not respond',
  ECONNRESET: 'it closes the connection',
  CONNECTION_CLOSED: 'it closes the connection',
  AUTH_FAILED: 'it rejects the user or password',
  HTTP_INVALID: 'its response is not HTTP',
  SOCKS_INVALID: 'its response is not SOCKS5',
}

/** Continues "The proxy does not work: ". */
export function describeProxyFailure(code: string): string {
  return DESCRIPTIONS[code.replace(/^PROXY_/, '')] ?? `it fails with ${code}`
}
