/** What the client itself says of the connection and the body; given from outside, it would break a request. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])
