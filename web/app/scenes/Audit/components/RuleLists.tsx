import { Link } from 'wouter'
import { Badge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { EmptyState } from '../../../components/display/EmptyState.tsx'
import { formatNumber, plural } from '../../../text/format.ts'
import { type AuditRule, groupRules, SEVERITY_STYLES, skipText } from '../audit-text.ts'

/**
 * The findings of each rule, the worst rule first; then rules without findings, and rules that could not be applied.
 */
export function RuleLists({ rules }: { rules: readonly AuditRule[] }) {
  const { found, passed, skipped } = groupRules(rules)
  return (
    <>
      <Card title="Findings" aside={plural(found.length, 'rule')} isFlush>
        {found.length > 0 ? null : passed.length === 0 ? (
          <EmptyState icon="minus" title="Not checked" />
        ) : (
          <EmptyState icon="check" title="Nothing found" />
        )}
        <ul>
          {found.map((rule) => (
            <li key={rule.rule} className="border-b border-line last:border-b-0">
              <Link
                href={`?rule=${rule.rule}`}
                className="flex items-center gap-3 px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="w-16 shrink-0">
                  <Badge tone={SEVERITY_STYLES[rule.severity].tone}>{SEVERITY_STYLES[rule.severity].label}</Badge>
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{rule.title}</span>
                  <span className="block text-xs text-muted">{rule.why}</span>
                </span>
                <span className="shrink-0 font-semibold tabular-nums">{formatNumber(rule.count ?? 0)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      {skipped.length === 0 ? null : (
        <Card title="Not checked" aside={plural(skipped.length, 'rule')} isFlush>
          <ul>
            {skipped.map((rule) => (
              <li key={rule.rule} className="border-b border-line px-3 py-2 last:border-b-0">
                <span className="block font-medium">{rule.title}</span>
                <span className="block text-xs text-muted">{skipText(rule)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {passed.length === 0 ? null : (
        <Card title="Passed" aside={plural(passed.length, 'rule')}>
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
            {passed.map((rule) => (
              <li key={rule.rule}>{rule.title}</li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
