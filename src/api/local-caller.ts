import type { Caller } from './handlers.ts'

/** Who has the store may do everything. */
export function localCaller(): Caller {
  return {
    scope: 'admin',
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
