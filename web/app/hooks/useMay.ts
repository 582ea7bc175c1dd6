import { useApi } from '../api.ts'
import { isAllowed, type Scope } from '../scope.ts'

/** Whether the caller's token has a scope. */
export function useMay(scope: Scope): boolean {
  const about = useApi('about', {}, { staleTime: 60_000 })
  return isAllowed(about.data?.scope, scope)
}
