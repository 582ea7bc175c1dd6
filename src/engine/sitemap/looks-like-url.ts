import { isSpace, spanEquals } from '../parse/characters.ts'

/** Whether the text can only be meant as a single absolute web URL. */
export function looksLikeUrl(text: string): boolean {
  if (!spanEquals(text, 0, 'http://') && !spanEquals(text, 0, 'https://')) return false
  for (let at = 0; at < text.length; at++) if (isSpace(text.charCodeAt(at))) return false
  return true
}
