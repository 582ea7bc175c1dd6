import type { Scope } from './contract/route.ts'
import type { Caller } from './handlers.ts'

/** Who has the store may do everything, unless the command says otherwise. */
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
