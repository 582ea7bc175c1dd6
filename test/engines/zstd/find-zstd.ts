// Finds the program zstd, which distributions have as a package.

import { findProgram } from '../find-program.ts'

export async function findZstd(): Promise<string> {
  const file = await findProgram('zstd')
  if (file === null) throw new Error('Install zstd, for example with apt-get.')
  return file
}
