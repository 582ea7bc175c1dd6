/** Counts what passes by, for a word about it afterwards. */
export class StreamCounter {
  items = 0
  bytes = 0

  async *countItems<T>(things: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const thing of things) {
      this.items += 1
      yield thing
    }
  }

  async *countBytes(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
    for await (const chunk of chunks) {
      this.bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }
}
