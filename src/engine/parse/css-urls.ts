// Finds the URLs of a style sheet: url(...) and @import "...". One pass; whatever cannot be read is skipped as the CSS
// syntax says (unterminated strings end at their line, comments at the end of the text).

export type CssUrlKind = 'import' | 'resource'

const INTERESTING = /["'\\/@uU;{}]/g
const URL_START = /url\([ \t\r\n\f]*/iy
const IMPORT = /@import(?![\w-])/iy
/** Characters that may end a URL without quotes or a string, and backslashes, which escape them. */
const ENDS = { ')': /[)\\]/g, '"': /["\\\n]/g, "'": /['\\\n]/g } as const
const SPACE_AND_END = /[ \t\r\n\f]*\)?/y
const NAME_CHARACTER = /[\w\-\\]|[^\0-\x7f]/

/** Replaces every URL by what `replace` returns, which must be free of quotes, backslashes and line breaks. */
export function rewriteCssUrls(css: string, replace: (url: string, kind: CssUrlKind) => string): string {
  let rewritten = ''
  let copied = 0
  let isImport = false
  const put = (start: number, end: number, text: string) => {
    rewritten += css.slice(copied, start) + text
    copied = end
  }
  for (let at = nextAt(css, 0); at < css.length; ) {
    const character = css.charAt(at)
    let end = at + 1
    if (character === '\\') end = at + 2
    else if (character === ';' || character === '{' || character === '}') isImport = false
    else if (character === '/' && css.charAt(at + 1) === '*') end = endOf(css, '*/', at + 2)
    else if (character === '@') {
      const word = match(IMPORT, css, at)
      isImport = word !== ''
      end = at + Math.max(1, word.length)
    } else if (character === '"' || character === "'") {
      const text = readUntil(css, at + 1, character)
      end = at + 1 + text.length + 1
      if (isImport) put(at, end, `"${replace(unescapeCss(text), 'import')}"`)
      isImport = false
    } else if (character === 'u' || character === 'U') {
      const start = match(URL_START, css, at)
      if (start !== '' && !(at > 0 && NAME_CHARACTER.test(css.charAt(at - 1)))) {
        const { text, end: after } = readUrl(css, at + start.length)
        end = after
        put(at, end, `url("${replace(unescapeCss(text), isImport ? 'import' : 'resource')}")`)
        isImport = false
      }
    }
    at = nextAt(css, end)
  }
  return rewritten + css.slice(copied)
}

/** The URLs of a style sheet, as written. */
export function findCssUrls(css: string): string[] {
  const urls: string[] = []
  rewriteCssUrls(css, (url) => {
    urls.push(url)
    return ''
  })
  return urls
}

function nextAt(css: string, from: number): number {
  INTERESTING.lastIndex = from
  return INTERESTING.exec(css)?.index ?? css.length
}

function endOf(css: string, mark: string, from: number): number {
  const at = css.indexOf(mark, from)
  return at === -1 ? css.length : at + mark.length
}

function match(pattern: RegExp, css: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(css)?.[0] ?? ''
}

/** A loop, since a pattern needs stack for every character of a long data URL. */
function readUntil(css: string, start: number, mark: keyof typeof ENDS): string {
  const pattern = ENDS[mark]
  pattern.lastIndex = start
  for (let found = pattern.exec(css); found !== null; found = pattern.exec(css)) {
    if (found[0] !== '\\') return css.slice(start, found.index)
    pattern.lastIndex = found.index + 2
  }
  return css.slice(start)
}

function readUrl(css: string, at: number): { text: string; end: number } {
  const quote = css.charAt(at)
  if (quote === '"' || quote === "'") {
    const text = readUntil(css, at + 1, quote)
    const after = at + 1 + text.length + 1
    return { text, end: after + match(SPACE_AND_END, css, after).length }
  }
  const text = readUntil(css, at, ')')
  return { text: text.trim(), end: at + text.length + 1 }
}

/** https://drafts.csswg.org/css-syntax/#consume-escaped-code-point */
function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([\s\S]))/gi,
    (_, hex: string | undefined, character: string) => {
      if (hex === undefined) return character === '\n' ? '' : character
      const code = Number.parseInt(hex, 16)
      return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}
