/** Counts the items and bytes of a stream as they pass through. */
export class StreamCounter {
  items = 0
  bytes = 0

  async *countItems<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const item of items) {
      this.items += 1
      yield item
    }
  }

  async *countBytes(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
    for await (const chunk of chunks) {
      this.bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }
}
