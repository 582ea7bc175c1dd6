import { isDigit, isSpace, trimSpaces } from './characters.ts'

const DOT = 46

/**
 * The target of a meta refresh, or null if the value is invalid or only reloads the page itself.
 * https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
 */
export function parseMetaRefresh(content: string): string | null {
  const end = content.length
  let pos = skip(content, 0, isSpace)
  const afterSeconds = skip(content, pos, isDigit)
  if (afterSeconds === pos && content.charCodeAt(pos) !== DOT) return null
  pos = skip(content, afterSeconds, (code) => isDigit(code) || code === DOT)
  if (pos < end && !isSpace(content.charCodeAt(pos)) && !isSeparator(content[pos])) return null
  pos = skip(content, pos, isSpace)
  if (isSeparator(content[pos])) pos++
  pos = skip(content, pos, isSpace)
  return pos < end ? trimSpaces(readTarget(content, pos)) : null
}

function readTarget(content: string, start: number): string {
  let pos = start
  if (content[pos] === 'u' || content[pos] === 'U') {
    // A value such as "0;urn:x" has no "url=" prefix: the rest is the address.
    if (content.slice(pos, pos + 3).toLowerCase() !== 'url') return content.slice(start)
    pos = skip(content, pos + 3, isSpace)
    if (content[pos] !== '=') return content.slice(start)
    pos = skip(content, pos + 1, isSpace)
  }
  const quote = content[pos]
  if (quote !== '"' && quote !== "'") return content.slice(pos)
  const close = content.indexOf(quote, pos + 1)
  return content.slice(pos + 1, close === -1 ? content.length : close)
}

function isSeparator(character: string | undefined): boolean {
  return character === ';' || character === ','
}

function skip(text: string, pos: number, matches: (code: number) => boolean): number {
  while (pos < text.length && matches(text.charCodeAt(pos))) pos++
  return pos
}
