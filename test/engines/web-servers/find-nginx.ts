import { findProgram } from '../find-program.ts'

export async function findNginx(): Promise<string> {
  const nginx = await findProgram('nginx')
  if (nginx === null) throw new Error('Install nginx, for example with apt-get install nginx-light.')
  return nginx
}
