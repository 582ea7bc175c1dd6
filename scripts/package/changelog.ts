const UNRELEASED = '## Unreleased\n'

/** Gives what is unreleased a version and a date, below an empty heading for what comes next. */
export function dateChangelog(text: string, version: string, date: Date): string {
  const [before, after] = text.split(UNRELEASED)
  if (before === undefined || after === undefined) throw new Error('CHANGELOG.md has no heading "## Unreleased".')
  if (/^\s*(## |$)/.test(after)) throw new Error('CHANGELOG.md has nothing below "## Unreleased".')
  if (text.includes(`## ${version} `)) throw new Error(`CHANGELOG.md already has the version ${version}.`)
  return `${before}${UNRELEASED}\n## ${version} - ${date.toISOString().slice(0, 10)}\n${after}`
}
