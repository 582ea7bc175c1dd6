// Search engines refuse to run as root.

const NOBODY = 65_534

/** Options of a child process: another user if this one is root. */
export function engineUser(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}
