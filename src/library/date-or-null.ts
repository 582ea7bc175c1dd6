export function dateOrNull(time: number | string | null): Date | null {
  return time === null ? null : new Date(time)
}
