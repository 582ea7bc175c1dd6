// Derives readable colours from the accent colour that an operator chooses: text needs a contrast of 4.5 (WCAG 2.2,
// 1.4.3).

type Rgb = readonly [number, number, number]

const MIN_CONTRAST = 4.6
const STEP = 0.04

/** The colour, mixed with black or white until it is readable on the background. Both as #rrggbb. */
export function readableOn(color: string, background: string): string {
  const target = luminance(parseHex(background)) > 0.18 ? 0 : 255
  for (let share = 0; share <= 1; share += STEP) {
    const mixed = toHex(mix(parseHex(color), target, share))
    if (contrast(mixed, background) >= MIN_CONTRAST) return mixed
  }
  return target === 0 ? '#000000' : '#ffffff'
}

/** Black or white, whichever is more readable on the colour. */
export function textOn(color: string): string {
  return contrast('#000000', color) >= contrast('#ffffff', color) ? '#000000' : '#ffffff'
}

export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(parseHex(one)), luminance(parseHex(other))].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function parseHex(color: string): Rgb {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function toHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function mix([red, green, blue]: Rgb, target: number, share: number): Rgb {
  const toward = (part: number) => part + (target - part) * share
  return [toward(red), toward(green), toward(blue)]
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
