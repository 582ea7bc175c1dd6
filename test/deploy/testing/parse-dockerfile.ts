// Parses a Dockerfile into stages and instructions, and applies its ignore file.

import { matchesGlob } from 'node:path'

export interface DockerInstruction {
  word: string
  rest: string
}

export interface BuildStage {
  base: string
  name: string | null
  instructions: DockerInstruction[]
}

export function parseDockerfile(text: string): BuildStage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
  const stages: BuildStage[] = []
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (word === '') throw new Error(`not an instruction: ${line}`)
    if (word === 'FROM') {
      const [base = '', , name = null] = rest.split(/\s+/)
      stages.push({ base, name, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (stage === undefined) throw new Error(`before any stage: ${line}`)
      stage.instructions.push({ word, rest })
    }
  }
  return stages
}

/** The arguments of the last instruction of this kind. */
export function lastInstruction(stage: BuildStage | undefined, word: string): string {
  const rest = stage?.instructions.findLast((dockerInstruction) => dockerInstruction.word === word)?.rest
  if (rest === undefined) throw new Error(`the stage has no ${word}`)
  return rest
}

/** Whether a path is in the build context; the last line of the ignore file that matches it or a parent decides. */
export function isInBuildContext(path: string, ignoreFile: string): boolean {
  let isOut = false
  for (const line of ignoreFile.split('\n').filter((each) => each !== '')) {
    const pattern = line.replace(/^!/, '')
    const isBelow = path.startsWith(`${pattern}/`) || matchesGlob(path, `${pattern}/**`)
    if (matchesGlob(path, pattern) || isBelow || (pattern === '*' && path !== '')) {
      isOut = !line.startsWith('!')
    }
  }
  return !isOut
}
