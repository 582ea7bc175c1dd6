import { useApi } from '../server/api.ts'
import { includesScope, type TokenScope } from '../server/token-scopes.ts'

/** Whether the caller's token has a scope. */
export function useHasScope(tokenScope: TokenScope): boolean {
  const about = useApi('about', {}, { staleTime: 60_000 })
  return includesScope(about.data?.scope, tokenScope)
}
