import { useId } from 'react'
import { Input } from '../../../../components/controls/Input.tsx'
import { Skeleton } from '../../../../components/display/Skeleton.tsx'
import { useDebounced } from '../../../../hooks/useDebounced.ts'
import { errorMessage, useApi } from '../../../../server/api.ts'
import { POLICY_FIELD_NAMES, POLICY_FIELDS } from '../../policy-fields.ts'

/** The values that apply to a host, and the policy that each value comes from. A burst comes with its rate. */
export function DecidingPolicies({ host, onHost }: { host: string; onHost: (host: string) => void }) {
  const id = useId()
  const wanted = useDebounced(host.trim(), 250)
  const effective = useApi('explainPolicy', { query: { host: wanted } }, { enabled: wanted !== '' })
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="font-medium">
          What applies to
        </label>
        <Input
          id={id}
          type="search"
          placeholder="www.example.com"
          className="max-w-64"
          value={host}
          onChange={(event) => onHost(event.target.value)}
        />
      </div>
      {wanted === '' ? null : effective.isError ? (
        <p role="alert" className="text-bad">
          {errorMessage(effective.error)}
        </p>
      ) : effective.data === undefined ? (
        <Skeleton className="h-5 w-64" />
      ) : (
        <Result effective={effective.data} />
      )}
    </div>
  )
}

type Effective = NonNullable<ReturnType<typeof useApi<'explainPolicy'>>['data']>

function Result({ effective }: { effective: Effective }) {
  const names = POLICY_FIELD_NAMES.filter((name) => effective[name] !== null)
  if (names.length === 0) {
    return <p className="text-muted">No policy applies to {effective.host}. The settings of each crawl decide.</p>
  }
  return (
    <dl aria-label="What applies" className="grid grid-cols-[10rem_1fr] gap-x-3 gap-y-1">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="text-muted">{POLICY_FIELDS[name].label}</dt>
          <dd className="min-w-0 break-words">
            {effective[name]} {POLICY_FIELDS[name].unit}{' '}
            <span className="text-muted">by {effective.patterns[name] ?? effective.patterns.rate}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
