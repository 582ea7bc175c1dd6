import { beginsWith } from '../media/binary-signatures.ts'
import { isSpace, lowerAscii } from '../parse/characters.ts'

/** Limit of the search for the root element: it may follow licences in comments and document types. */
const MAX_PROLOG_BYTES = 4096
const NAME_END = /[\s/>]/

/** The name of the first element of an XML file, in lower case, or '' if it is not found early enough. */
export function readRootName(body: Buffer): string {
  const text = prologOf(body)
  let at = 0
  while (at < text.length) {
    while (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === 0xfeff) at++
    if (text[at] !== '<') return ''
    const end = endOfProlog(text, at)
    if (end === at) return nameAt(text, at + 1)
    if (end === -1) return ''
    at = end
  }
  return ''
}

/** Whether the body can only be XML, whatever its label. */
export function declaresXml(body: Buffer): boolean {
  let at = beginsWith(body, '\xef\xbb\xbf') ? 3 : 0
  while (isSpace(body[at] ?? -1)) at++
  return beginsWith(body.subarray(at, at + 5), '<?xml')
}

function prologOf(body: Buffer): string {
  const head = body.subarray(0, MAX_PROLOG_BYTES)
  if (beginsWith(head, '\xff\xfe')) return head.toString('utf16le')
  if (beginsWith(head, '\xfe\xff'))
    return Buffer.from(head.subarray(0, head.length & ~1))
      .swap16()
      .toString('utf16le')
  return head.toString('utf8')
}

/**
 * The end of the comment, instruction or document type at `at`; `at` itself if there is none, -1 if it is truncated.
 */
function endOfProlog(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2)
  if (!text.startsWith('<!', at)) return at
  const close = text.indexOf('>', at)
  const subset = text.indexOf('[', at)
  return subset !== -1 && subset < close ? after(text, ']>', subset) : after(text, '>', at)
}

function after(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from)
  return at === -1 ? -1 : at + delimiter.length
}

function nameAt(text: string, start: number): string {
  const name = text.slice(start, start + 64)
  const end = name.search(NAME_END)
  return end === -1 ? '' : lowerAscii(name.slice(0, end))
}
