import { isSpace } from './characters.ts'

/** Whether a space-separated list contains the token. */
export function hasListToken(list: string, token: string): boolean {
  for (let at = list.indexOf(token); at !== -1; at = list.indexOf(token, at + 1)) {
    const end = at + token.length
    const startsToken = at === 0 || isSpace(list.charCodeAt(at - 1))
    if (startsToken && (end === list.length || isSpace(list.charCodeAt(end)))) return true
  }
  return false
}
