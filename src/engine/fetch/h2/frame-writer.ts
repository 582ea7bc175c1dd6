// Writes frames together, after all received data was read, so that the server is not woken for each of them.

import type { Socket } from 'node:net'

export class FrameWriter {
  readonly #socket: Socket
  #frames: Buffer[] = []
  #willFlush = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** What the server has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  send(...frames: Buffer[]): void {
    this.#frames.push(...frames)
    if (this.#willFlush) return
    this.#willFlush = true
    setImmediate(() => {
      this.#willFlush = false
      this.flush()
    })
  }

  flush(): void {
    if (this.#frames.length > 0 && !this.#socket.destroyed) this.#socket.write(Buffer.concat(this.#frames))
    this.#frames = []
  }
}
