// Parses the shared files of AWS tools: sections in brackets with `name = value` lines.

export function parseProfiles(text: string): Map<string, Record<string, string>> {
  const profiles = new Map<string, Record<string, string>>()
  let current: Record<string, string> | null = null
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]
    if (section !== undefined) {
      const name = section.trim().replace(/\s+/g, ' ')
      current = profiles.get(name) ?? {}
      profiles.set(name, current)
      continue
    }
    // An indented line belongs to a nested setting, which we do not need.
    const entry = /^([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (current !== null && entry !== null) current[(entry[1] ?? '').toLowerCase()] = entry[2] ?? ''
  }
  return profiles
}
