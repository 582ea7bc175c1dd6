// Frames of HTTP/2 (RFC 9113, sections 4 and 6).

export const HEAD_BYTES = 9
/** The default of SETTINGS_MAX_FRAME_SIZE. */
export const MAX_PAYLOAD_BYTES = 16_384

export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const

export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxHeaderListSize: 6,
} as const

/** Section 7. */
export const H2_ERROR = {
  none: 0x0,
  protocol: 0x1,
  internal: 0x2,
  flowControl: 0x3,
  settingsTimeout: 0x4,
  frameSize: 0x6,
  refusedStream: 0x7,
  cancel: 0x8,
  compression: 0x9,
  calmDown: 0xb,
  http11Required: 0xd,
} as const

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

export interface FrameHead {
  type: number
  flags: number
  /** 0 for the connection. */
  stream: number
}

export function frame({ type, flags, stream }: FrameHead, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length)
  bytes.writeUIntBE(payload.length, 0, 3)
  bytes[3] = type
  bytes[4] = flags
  bytes.writeUInt32BE(stream, 5)
  payload.copy(bytes, HEAD_BYTES)
  return bytes
}

export function settingsFrame(settings: readonly (readonly [setting: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6)
  for (const [i, [setting, value]] of settings.entries()) {
    payload.writeUInt16BE(setting, i * 6)
    payload.writeUInt32BE(value, i * 6 + 2)
  }
  return frame({ type: FRAME.settings, flags: 0, stream: 0 }, payload)
}

/** Payloads that are one number: RST_STREAM has a code, WINDOW_UPDATE a number of bytes. */
export function numberFrame(
  type: typeof FRAME.reset | typeof FRAME.windowUpdate,
  stream: number,
  value: number,
): Buffer {
  return frame({ type, flags: 0, stream }, numbers(value))
}

export function goAwayFrame(code: number): Buffer {
  // We open all streams ourselves, so the last stream of the peer is 0.
  return frame({ type: FRAME.goAway, flags: 0, stream: 0 }, numbers(0, code))
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4)
  return bytes
}

/** A block longer than a frame continues in others. */
export function headersFrames(stream: number, block: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < block.length; at += MAX_PAYLOAD_BYTES) {
    const isFirst = at === 0
    const isLast = at + MAX_PAYLOAD_BYTES >= block.length
    const type = isFirst ? FRAME.headers : FRAME.continuation
    const flags = (isFirst ? FLAG.endStream : 0) | (isLast ? FLAG.endHeaders : 0)
    frames.push(frame({ type, flags, stream }, block.subarray(at, at + MAX_PAYLOAD_BYTES)))
  }
  return frames
}
