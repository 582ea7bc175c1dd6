/** Index pages of real sites have tens of thousands of links. Each costs about 1 kB on its way to the store (2026-11). */
export const DEFAULT_MAX_LINKS = 20_000
