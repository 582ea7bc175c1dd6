// Compares two screenshots pixel by pixel.

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, by rows. */
  data: Uint8ClampedArray
}

export interface PixelDifference extends Pixels {
  /** Share of pixels that differ, 0 to 1. A pixel that exists in only one image counts as different. */
  share: number
}

/** Sum of the differences of red, green and blue up to which pixels count as equal: compression changes a little. */
const TOLERANCE = 48
const DIFFERENT = [220, 38, 38] as const

/** The second screenshot in pale grey, with what differs in red. */
export function comparePixels(before: Pixels, after: Pixels): PixelDifference {
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const data = new Uint8ClampedArray(width * height * 4)
  let different = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [a, b] = [offsetOf(before, x, y), offsetOf(after, x, y)]
      const at = (y * width + x) * 4
      const isSame = a !== -1 && b !== -1 && distance(before.data, a, after.data, b) <= TOLERANCE
      if (!isSame) different += 1
      data.set(isSame ? paleGrey(after.data, b) : DIFFERENT, at)
      data[at + 3] = 255
    }
  }
  return { width, height, data, share: width * height === 0 ? 0 : different / (width * height) }
}

function offsetOf({ width, height }: Pixels, x: number, y: number): number {
  return x < width && y < height ? (y * width + x) * 4 : -1
}

function distance(one: Uint8ClampedArray, a: number, other: Uint8ClampedArray, b: number): number {
  let sum = 0
  for (let i = 0; i < 3; i++) sum += Math.abs((one[a + i] ?? 0) - (other[b + i] ?? 0))
  return sum
}

function paleGrey(data: Uint8ClampedArray, at: number): [number, number, number] {
  const grey = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
  const pale = 170 + grey / 3
  return [pale, pale, pale]
}
