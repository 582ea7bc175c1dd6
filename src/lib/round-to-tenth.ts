/** Rounds to one decimal. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
