/** Counts what passes by, for a word about it afterwards. */
export class Tally {
  things = 0
  bytes = 0

  async *ofThings<T>(things: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const thing of things) {
      this.things += 1
      yield thing
    }
  }

  async *ofBytes(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
    for await (const chunk of chunks) {
      this.bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }
}
