import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateChangelog } from '../../scripts/package/changelog.ts'

const DATE = new Date('2026-12-01T10:00:00Z')

describe('dateChangelog', () => {
  it('moves what is unreleased under its version and date', () => {
    const text = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.2.0 - 2026-11-17\n\n- Old.\n'
    assert.equal(
      dateChangelog(text, '0.3.0', DATE),
      '# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-12-01\n\n- New.\n\n## 0.2.0 - 2026-11-17\n\n- Old.\n',
    )
  })

  it('refuses a changelog without changes, and a version it already has', () => {
    assert.throws(() => dateChangelog('## Unreleased\n\n## 0.2.0 - x\n', '0.3.0', DATE), /nothing below/)
    assert.throws(() => dateChangelog('## 0.2.0 - x\n', '0.3.0', DATE), /no heading/)
    assert.throws(() => dateChangelog('## Unreleased\n\n- New.\n\n## 0.2.0 - x\n', '0.2.0', DATE), /already has/)
  })
})
