import { BANG, GREATER, HYPHEN, isSpace, SLASH, spanEquals } from './characters.ts'

/** The `<` of the end tag that closes a raw text element, or -1 if it is never closed. */
export function findEndTag(html: string, pos: number, name: string): number {
  for (let at = html.indexOf('</', pos); at !== -1; at = html.indexOf('</', at + 2)) {
    if (isTagAt(html, at + 2, name)) return at
  }
  return -1
}

const PLAIN = 0
const ESCAPED = 1
const DOUBLE_ESCAPED = 2

/**
 * The `<` of the `</script>` that closes a script, or -1. Inside `<!--` a nested `<script>` hides the next `</script>`.
 * https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escaped-state
 */
export function findScriptEnd(html: string, pos: number): number {
  let state = PLAIN
  let nextArrow = -1
  for (let at = html.indexOf('<', pos); at !== -1; at = html.indexOf('<', at + 1)) {
    // An `-->` before this `<` ends the escape. The cached position keeps the scan linear.
    if (state !== PLAIN && nextArrow < at) state = PLAIN
    const code = html.charCodeAt(at + 1)
    if (code === BANG) {
      if (state === PLAIN && html.startsWith('--', at + 2)) {
        // `<!-->` opens and ends at once: the arrow may share the dashes.
        if (nextArrow < at + 2) nextArrow = nextIndex(html, '-->', at + 2)
        state = ESCAPED
      }
    } else if (code === SLASH) {
      if (!isTagAt(html, at + 2, 'script')) continue
      if (state !== DOUBLE_ESCAPED) return at
      state = ESCAPED
    } else if (state === ESCAPED && isTagAt(html, at + 1, 'script')) {
      state = DOUBLE_ESCAPED
    }
  }
  return -1
}

/** The position after the comment whose `<!--` is at `open`, or -1 if it runs to the end of the page. */
export function findCommentEnd(html: string, open: number): number {
  // The dashes of `<!--` may be those of `-->`, so `<!-->` and `<!--->` are whole comments.
  for (let at = html.indexOf('--', open + 2); at !== -1; at = html.indexOf('--', at + 1)) {
    const code = html.charCodeAt(at + 2)
    if (code === GREATER) return at + 3
    if (code === BANG && at >= open + 4 && html.charCodeAt(at + 3) === GREATER) return at + 4
    if (code !== HYPHEN) at++
  }
  return -1
}

function isTagAt(html: string, pos: number, name: string): boolean {
  const after = pos + name.length
  if (after >= html.length || !spanEquals(html, pos, name)) return false
  const code = html.charCodeAt(after)
  return code === GREATER || code === SLASH || isSpace(code)
}

function nextIndex(html: string, text: string, pos: number): number {
  const at = html.indexOf(text, pos)
  return at === -1 ? html.length : at
}
