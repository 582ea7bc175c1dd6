// Escapes text so that Markdown readers show it as it is. Only what could mean something is escaped: source text with
// underscores and brackets stays readable.

/** Punctuation that can begin something anywhere in a line. An underscore inside a word cannot. */
const INLINE = /[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=#?\w+;)|~(?=~)/giu
/** Characters that start a heading, list, quote, rule or table at the start of a line. */
const LINE_START = /^(\s*)(?:([#>|]|[-+](?=\s|$)|(?:[-=_*]\s*){3,}$|~~~)|(\d{1,9})([.)])(?=\s|$))/

export function escapeText(text: string): string {
  return text.replace(INLINE, '\\$&')
}

/** Escapes the first line of a block. */
export function escapeLineStart(line: string): string {
  return line.replace(LINE_START, (all, space: string, mark: string | undefined, number: string, dot: string) =>
    mark === undefined ? `${space}${number}\\${dot}` : `${space}\\${all.slice(space.length)}`,
  )
}

/** Code with a fence of backticks that the code does not contain. */
export function inlineCode(text: string): string {
  const code = text.replace(/\s+/g, ' ')
  if (code.trim() === '') return ''
  const fence = '`'.repeat(longestRun(code) + 1)
  const isPadded = code.startsWith('`') || code.endsWith('`')
  return isPadded ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`
}

export function codeBlock(text: string, language: string): string[] {
  const lines = text.trimEnd().replace(/\r\n?/g, '\n').replace(/^\n+/, '').split('\n')
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return [`${fence}${language}`, ...lines.map((line) => line.trimEnd()), fence]
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** Null if the target is not a web address: scripts and embedded data are left out. */
export function linkTarget(href: string, baseUrl: string): string | null {
  if (href.length > MAX_TARGET_LENGTH) return null
  const url = URL.parse(href.trim(), baseUrl)
  if (url === null || !TARGET_SCHEMES.has(url.protocol)) return null
  return /[()<>]/.test(url.href) ? `<${url.href.replaceAll('<', '%3C').replaceAll('>', '%3E')}>` : url.href
}

const MAX_TARGET_LENGTH = 4096
const TARGET_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'ftp:'])
