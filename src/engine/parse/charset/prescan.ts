import { equalsIgnoringCase, isLetter, isSpace, lowerAscii } from '../characters.ts'

const PRESCAN_BYTES = 1024

type FindEncoding = (label: string) => string | null

/**
 * The encoding that a page declares in its first bytes, or null.
 * https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
export function prescanEncoding(bytes: Buffer, findEncoding: FindEncoding): string | null {
  const head = bytes.toString('latin1', 0, Math.min(bytes.length, PRESCAN_BYTES))
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le'
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be'
  return metaEncoding(head, findEncoding) ?? xmlEncoding(head, findEncoding)
}

/** The encoding named by the content of a meta http-equiv=content-type, or null. */
function extractEncoding(content: string, findEncoding: FindEncoding): string | null {
  const lower = lowerAscii(content)
  for (let at = lower.indexOf('charset'); at !== -1; at = lower.indexOf('charset', at + 1)) {
    let pos = skipSpaces(content, at + 7)
    if (content[pos] !== '=') continue
    pos = skipSpaces(content, pos + 1)
    const quote = content[pos]
    if (quote === '"' || quote === "'") {
      const close = content.indexOf(quote, pos + 1)
      return close === -1 ? null : findEncoding(content.slice(pos + 1, close))
    }
    let end = pos
    while (end < content.length && content[end] !== ';' && !isSpace(content.charCodeAt(end))) end++
    return findEncoding(content.slice(pos, end))
  }
  return null
}

function metaEncoding(head: string, findEncoding: FindEncoding): string | null {
  let pos = head.indexOf('<')
  while (pos !== -1) {
    if (head.startsWith('<!--', pos)) {
      // The two dashes of the end may be the same as those of the start.
      pos = after(head, '-->', pos + 2)
    } else if (isMeta(head, pos)) {
      const meta = readMeta(head, pos + 5, findEncoding)
      if (meta.encoding !== null) return meta.encoding
      pos = meta.end
    } else if (isTag(head, pos)) {
      pos = skipAttributes(head, pos)
    } else if (/[!/?]/.test(head[pos + 1] ?? '')) {
      pos = after(head, '>', pos + 1)
    } else {
      pos++
    }
    if (pos !== -1) pos = head.indexOf('<', pos)
  }
  return null
}

function isMeta(head: string, pos: number): boolean {
  const next = head.charCodeAt(pos + 5)
  return equalsIgnoringCase(head.slice(pos + 1, pos + 5), 'meta') && (isSpace(next) || head[pos + 5] === '/')
}

function isTag(head: string, pos: number): boolean {
  return isLetter(head.charCodeAt(pos + 1)) || (head[pos + 1] === '/' && isLetter(head.charCodeAt(pos + 2)))
}

function readMeta(head: string, start: number, findEncoding: FindEncoding): { encoding: string | null; end: number } {
  const seen = new Set<string>()
  let isPragma = false
  let needsPragma: boolean | null = null
  // undefined: nothing declared yet; null: something that is not an encoding.
  let encoding: string | null | undefined
  let pos = start
  for (;;) {
    const attribute = readAttribute(head, pos)
    if (attribute === null) return { encoding: null, end: -1 }
    pos = attribute.end
    if (attribute.name === '') break
    if (seen.has(attribute.name)) continue
    seen.add(attribute.name)
    if (attribute.name === 'http-equiv') {
      isPragma = attribute.value === 'content-type'
    } else if (attribute.name === 'content' && encoding === undefined) {
      const found = extractEncoding(attribute.value, findEncoding)
      if (found === null) continue
      encoding = found
      needsPragma = true
    } else if (attribute.name === 'charset') {
      encoding = findEncoding(attribute.value)
      needsPragma = false
    }
  }
  const counts = needsPragma === false || (needsPragma === true && isPragma)
  return { encoding: counts ? metaOverride(encoding ?? null) : null, end: pos }
}

// The declaration was readable as ASCII, so it cannot be in utf-16.
function metaOverride(encoding: string | null): string | null {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

function skipAttributes(head: string, start: number): number {
  let pos = start
  while (pos < head.length && head[pos] !== '>' && !isSpace(head.charCodeAt(pos))) pos++
  for (;;) {
    const attribute = readAttribute(head, pos)
    if (attribute === null) return -1
    pos = attribute.end
    if (attribute.name === '') return pos
  }
}

interface Attribute {
  /** '' at the end of the tag. */
  name: string
  value: string
  end: number
}

/** Null if the bytes end. https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing */
function readAttribute(head: string, start: number): Attribute | null {
  let pos = start
  while (isSpace(head.charCodeAt(pos)) || head[pos] === '/') pos++
  if (head[pos] === '>') return { name: '', value: '', end: pos }
  const nameStart = pos
  while (pos < head.length && !(head[pos] === '=' && pos > nameStart) && !endsName(head, pos)) pos++
  const name = lowerAscii(head.slice(nameStart, pos))
  const equals = skipSpaces(head, pos)
  if (equals >= head.length) return null
  if (head[equals] !== '=') return { name, value: '', end: equals }
  pos = skipSpaces(head, equals + 1)
  if (pos >= head.length) return null
  const quote = head[pos]
  if (quote === '"' || quote === "'") {
    const close = head.indexOf(quote, pos + 1)
    return close === -1 ? null : { name, value: lowerAscii(head.slice(pos + 1, close)), end: close + 1 }
  }
  const valueStart = pos
  while (pos < head.length && head[pos] !== '>' && !isSpace(head.charCodeAt(pos))) pos++
  return pos >= head.length ? null : { name, value: lowerAscii(head.slice(valueStart, pos)), end: pos }
}

function endsName(head: string, pos: number): boolean {
  return head[pos] === '/' || head[pos] === '>' || isSpace(head.charCodeAt(pos))
}

// https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing
function xmlEncoding(head: string, findEncoding: FindEncoding): string | null {
  if (!head.startsWith('<?xml')) return null
  const end = head.indexOf('>')
  const declaration = end === -1 ? '' : head.slice(0, end)
  const label = /encoding[\0- ]*=[\0- ]*(?:"([^"\0- ]*)"|'([^'\0- ]*)')/.exec(declaration)
  return label === null ? null : metaOverride(findEncoding(label[1] ?? label[2] ?? ''))
}

function skipSpaces(text: string, pos: number): number {
  while (pos < text.length && isSpace(text.charCodeAt(pos))) pos++
  return pos
}

function after(text: string, wanted: string, pos: number): number {
  const at = text.indexOf(wanted, pos)
  return at === -1 ? -1 : at + wanted.length
}
