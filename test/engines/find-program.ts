// Finds a program of the machine.

import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

export async function findProgram(name: string): Promise<string | null> {
  for (const folder of [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']) {
    const file = join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return null
}
