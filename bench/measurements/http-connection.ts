// An HTTP connection with one request at a time and as little overhead as possible: CPU time spent by the clients of
// bench/api.ts is missing from the crawl on the same machine.

import { connect, type Socket } from 'node:net'

type Done = (status: number) => void

const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)

export class HttpConnection {
  readonly #socket: Socket
  readonly #host: string
  #done: Done | null = null
  #head: Buffer = NOTHING
  #status = 0
  /** Bytes of the body that are still to come; null while reading the head. */
  #bytesLeft: number | null = null

  constructor(address: string) {
    const { hostname, port, host } = new URL(address)
    this.#host = host
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk) => this.#readChunk(chunk))
    this.#socket.on('error', () => this.#finish(0))
    this.#socket.on('close', () => this.#finish(0))
  }

  get isFree(): boolean {
    return this.#done === null && !this.#socket.destroyed
  }

  /** Calls back with status 0 if there was no response. */
  get(path: string, done: Done): void {
    this.#done = done
    this.#socket.write(`GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n\r\n`, 'latin1')
  }

  #readChunk(chunk: Buffer): void {
    if (this.#bytesLeft !== null) this.#bytesLeft -= chunk.length
    else {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      const at = this.#head.indexOf(HEAD_END)
      if (at < 0) return
      const head = this.#head.toString('latin1', 0, at)
      this.#status = Number(head.slice(9, 12))
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      this.#bytesLeft = length - (this.#head.length - at - HEAD_END.length)
      if (Number.isNaN(length)) return void this.#socket.destroy()
    }
    if (this.#bytesLeft > 0) return
    this.#bytesLeft = null
    this.#head = NOTHING
    this.#finish(this.#status)
  }

  #finish(status: number): void {
    const done = this.#done
    this.#done = null
    done?.(status)
  }
}
