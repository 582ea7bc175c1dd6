// The head of an answer as it is kept. Transfer codings are undone before a body is archived, and a body may have been
// cut, so the head as received can tell a wrong length. Such headers are renamed, as other archivers do, and the true
// length comes last. Nothing is lost: receivedHead gives back every byte of what keptHead was given.

const PREFIX = 'X-Crawler-'
/** What frames a body. A server that replays an archive may send the renamed ones itself. */
const FRAMING = /^(?:x-crawler-)*(?:transfer-encoding|content-length)[ \t]*:.*$/gim
const RENAMED = /^x-crawler-(?=(?:x-crawler-)*(?:transfer-encoding|content-length)[ \t]*:)/gim

/** Bytes that a second compression would only cost time for; markup, scripts and SVG are none of these. */
const PACKED =
  /^content-encoding:[ \t]*(?!identity)\S|^content-type:[ \t]*(?:image\/(?!svg|bmp|x-ms-bmp)|video\/|audio\/|font\/woff|application\/(?:pdf|zip|gzip|x-gzip|zstd|x-7z|x-rar|vnd\.rar|x-bzip|x-xz|java-archive|epub|vnd\.openxml|vnd\.oasis))/im

/** `head` has one character per byte, and no line break at its end; so has the answer. */
export function toArchivedHead(head: string, payloadLength: number): string {
  const framing = head.match(FRAMING)
  if (framing === null) return head
  if (framing.length === 1 && isLength(framing[0], payloadLength)) return head
  return `${head.replace(FRAMING, `${PREFIX}$&`)}\r\nContent-Length: ${payloadLength}`
}

export function toReceivedHead(kept: string): string {
  if (kept.search(RENAMED) === -1) return kept
  return kept.slice(0, kept.lastIndexOf('\r\n')).replace(RENAMED, '')
}

export function isCompressed(head: string): boolean {
  return PACKED.test(head)
}

export interface ArchivedHttpHead {
  status: number
  headers: [name: string, value: string][]
}

/** Null when it does not begin as an HTTP answer does. */
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
