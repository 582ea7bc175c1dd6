// Encodes text in chunks of about 64 KB: few enough writes to be fast, small enough to keep memory flat.

const CHUNK_CHARS = 65_536

export interface ChunkFrame {
  head: string
  tail: string
}

export async function* encodeInChunks<T>(
  items: AsyncIterable<T>,
  encode: (item: T) => string,
  chunkFrame: ChunkFrame,
): AsyncGenerator<string, void, undefined> {
  let text = chunkFrame.head
  for await (const item of items) {
    text += encode(item)
    if (text.length < CHUNK_CHARS) continue
    yield text
    text = ''
  }
  text += chunkFrame.tail
  if (text !== '') yield text
}
