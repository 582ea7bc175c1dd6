import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FrameReader } from './frame-reader.ts'
import { FLAG, FRAME, frame, H2_ERROR, MAX_PAYLOAD_BYTES } from './frames.ts'

interface Received {
  frames: { type: number; stream: number; payload: string }[]
  /** Content of DATA frames by stream. */
  data: Record<number, string>
  /** Payload bytes of DATA frames, with padding. */
  dataBytes: number
  code: number | null
}

function readIn(chunks: readonly Buffer[]): Received {
  const received: Received = { frames: [], data: {}, dataBytes: 0, code: null }
  const reader = new FrameReader({
    onFrame({ type, stream }, payload) {
      received.frames.push({ type, stream, payload: payload.toString('hex') })
    },
    onData(stream, buffer, start, end) {
      received.data[stream] = (received.data[stream] ?? '') + buffer.toString('hex', start, end)
    },
    onDataEnd: (_head, payloadBytes) => {
      received.dataBytes += payloadBytes
    },
    onBreach: (code) => {
      received.code = code
    },
  })
  for (const chunk of chunks) {
    // The socket's buffer is reused for the next read.
    const reused = Buffer.from(chunk)
    reader.read(reused, reused.length)
    reused.fill(0xff)
  }
  return received
}

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? 1
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}

const payloads = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
const anyFrame = fc
  .record({
    type: fc.constantFrom(FRAME.data, FRAME.headers, FRAME.settings, FRAME.ping, 0x42),
    stream: fc.integer({ min: 0, max: 0x7fffffff }),
    payload: payloads,
    padding: fc.option(fc.integer({ min: 0, max: 255 }), { nil: null }),
  })
  .map(({ type, stream, payload, padding }) => {
    if (type !== FRAME.data || padding === null) return frame({ type, flags: 0, stream }, payload)
    const padded = Buffer.concat([Buffer.from([padding]), payload, Buffer.alloc(padding)])
    return frame({ type, flags: FLAG.padded, stream }, padded)
  })

describe('frames', () => {
  it('are the same, however the bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.array(anyFrame, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
        (frames, lengths) => {
          const bytes = Buffer.concat(frames)
          assert.deepEqual(readIn(cut(bytes, lengths)), readIn([bytes]))
        },
      ),
    )
  })

  it('of data have content without padding', () => {
    const padded = frame({ type: FRAME.data, flags: FLAG.padded, stream: 1 }, Buffer.from('\x02page\0\0', 'latin1'))
    const received = readIn([padded])
    assert.deepEqual([received.data, received.dataBytes], [{ 1: Buffer.from('page').toString('hex') }, 7])
  })

  it('longer than allowed end the connection', () => {
    const head = Buffer.from('0040010000000000 01'.replace(' ', ''), 'hex')
    head.writeUIntBE(MAX_PAYLOAD_BYTES + 1, 0, 3)
    assert.equal(readIn([head]).code, H2_ERROR.frameSize)
    assert.equal(readIn([Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]).code, H2_ERROR.frameSize)
  })

  it('with more padding than content end the connection', () => {
    const padded = frame({ type: FRAME.data, flags: FLAG.padded, stream: 1 }, Buffer.from([9, 1, 2]))
    assert.equal(readIn([padded]).code, H2_ERROR.protocol)
  })
})
