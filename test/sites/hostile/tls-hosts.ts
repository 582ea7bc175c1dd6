// Hosts whose certificates must not be trusted. The client trusts TRUSTED and EXPIRED, and nothing else.

import { createServer, type Server } from 'node:https'
import { EXPIRED, KEY, TRUSTED, UNTRUSTED } from '../../../src/engine/fetch/testing/certificates.ts'

export interface TlsHost {
  outcome: string
  hostname: string
  server: Server
}

export function makeTlsHosts(): TlsHost[] {
  return [
    { outcome: 'visited', hostname: 'localhost', server: serverWith(TRUSTED) },
    { outcome: 'failed tls_expired', hostname: 'localhost', server: serverWith(EXPIRED) },
    { outcome: 'failed tls_wrong_host', hostname: '127.0.0.1', server: serverWith(TRUSTED) },
    { outcome: 'failed tls_untrusted', hostname: 'localhost', server: serverWith(UNTRUSTED) },
  ]
}

/** The certificates that a program must trust for the outcomes above. */
export const TRUSTED_CERTIFICATES = TRUSTED + EXPIRED

function serverWith(cert: string): Server {
  return createServer({ key: KEY, cert }, (_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<p>A page behind a lock.</p>')
  })
}
