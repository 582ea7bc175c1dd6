// The archived form of a response head. Transfer codings are undone before a body is archived, and a body may be
// truncated, so the received head can state a wrong length. Such headers are renamed, as other archivers do, and the
// correct length is appended. Nothing is lost: toReceivedHead restores every byte.

const PREFIX = 'X-Crawler-'
/** Headers that frame a body. A server that replays an archive may send the renamed ones itself. */
const FRAMING = /^(?:x-crawler-)*(?:transfer-encoding|content-length)[ \t]*:.*$/gim
const RENAMED = /^x-crawler-(?=(?:x-crawler-)*(?:transfer-encoding|content-length)[ \t]*:)/gim

/** Content for which a second compression would only cost time; markup, scripts and SVG do not belong to it. */
const COMPRESSED =
  /^content-encoding:[ \t]*(?!identity)\S|^content-type:[ \t]*(?:image\/(?!svg|bmp|x-ms-bmp)|video\/|audio\/|font\/woff|application\/(?:pdf|zip|gzip|x-gzip|zstd|x-7z|x-rar|vnd\.rar|x-bzip|x-xz|java-archive|epub|vnd\.openxml|vnd\.oasis))/im

/** `head` has one character per byte and no trailing line break; so has the result. */
export function toArchivedHead(head: string, payloadLength: number): string {
  const framing = head.match(FRAMING)
  if (framing === null) return head
  if (framing.length === 1 && isLength(framing[0], payloadLength)) return head
  return `${head.replace(FRAMING, `${PREFIX}$&`)}\r\nContent-Length: ${payloadLength}`
}

export function toReceivedHead(archived: string): string {
  if (archived.search(RENAMED) === -1) return archived
  return archived.slice(0, archived.lastIndexOf('\r\n')).replace(RENAMED, '')
}

export function isCompressed(head: string): boolean {
  return COMPRESSED.test(head)
}

export interface ArchivedHttpHead {
  status: number
  headers: [name: string, value: string][]
}

/** Null if the text does not start like an HTTP response. */
export function parseHttpHead(head: string): ArchivedHttpHead | null {
  const [statusLine = '', ...lines] = head.split(/\r?\n/)
  const status = /^HTTP\/\S+ +(\d{3})(?!\d)/.exec(statusLine)?.[1]
  if (status === undefined) return null
  return { status: Number(status), headers: lines.map(splitHeader) }
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')]
}

function isLength(line: string, length: number): boolean {
  const [name, value] = splitHeader(line)
  return name.toLowerCase() === 'content-length' && value === String(length)
}
