import { useApi } from '../server/api.ts'
import { includesScope, type TokenScope } from '../server/token-scopes.ts'

/** Whether the user's token includes a scope. */
export function useHasScope(tokenScope: TokenScope): boolean {
  const about = useApi('about', {}, { staleTime: 60_000 })
  return includesScope(about.data?.scope, tokenScope)
}
