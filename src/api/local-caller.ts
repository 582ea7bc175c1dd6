import type { Scope } from './contract/route.ts'
import type { Caller } from './handlers.ts'

/** A process with direct access to the store may do everything, unless the command restricts it. */
export function localCaller(scope: Scope = 'admin'): Caller {
  return {
    scope,
    tokenId: null,
    address: '',
    baseUrl: '',
    signal: new AbortController().signal,
    requestId: '',
    isStillValid: async () => true,
    headers: new Headers(),
    continuesAfterResponse: false,
  }
}
