// Finds Apache with its modules, as distributions have it.

import { access } from 'node:fs/promises'

const PLACES = [
  { program: '/usr/sbin/apache2', modules: '/usr/lib/apache2/modules' },
  { program: '/usr/sbin/httpd', modules: '/usr/lib64/httpd/modules' },
]

/** Returns the paths of its program and its modules, separated by a colon. */
export async function findApache(): Promise<string> {
  for (const { program, modules } of PLACES) {
    const files = [program, `${modules}/mod_auth_digest.so`]
    const areThere = await Promise.all(files.map((file) => access(file))).then(
      () => true,
      () => false,
    )
    if (areThere) return `${program}:${modules}`
  }
  throw new Error('Install Apache with mod_auth_digest, for example with apt-get install apache2.')
}
