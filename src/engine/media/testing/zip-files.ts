// Builds zip files with their entries in the given order.

import { crc32, deflateRawSync } from 'node:zlib'

export function makeZip(files: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    // EPUB and OpenDocument require this file to be stored.
    const isStored = name === 'mimetype'
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(isStored ? 0 : 8, 4)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(bytes.length, 18)
    about.writeUInt16LE(Buffer.byteLength(name), 22)
    parts.push(Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), about, entry, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end])
}

const CONTAINER =
  '<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'

/** `folder` ends with a slash. */
export function makeEpub(chapters: readonly (string | Buffer)[], metadata = '', folder = ''): Buffer {
  const items = chapters.map(
    (_, n) => `<item id="c${n}" href="text/c%20${n}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const order = chapters.map((_, n) => `<itemref idref="c${n}"/>`)
  const book = `<?xml version="1.0"?><package xmlns:dc="x"><metadata>${metadata}</metadata><manifest>${items.join('')}</manifest><spine>${order.join('')}</spine></package>`
  return makeZip({
    [`${folder}mimetype`]: 'application/epub+zip',
    [`${folder}META-INF/container.xml`]: CONTAINER,
    [`${folder}OPS/book.opf`]: book,
    ...Object.fromEntries(chapters.map((chapter, n) => [`${folder}OPS/text/c ${n}.xhtml`, chapter])),
  })
}

export function makeDocx(body: string, more: Record<string, string> = {}): Buffer {
  return makeZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    ...more,
  })
}

export function makeOdt(text: string, more: Record<string, string> = {}): Buffer {
  return makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:automatic-styles>no</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    ...more,
  })
}
