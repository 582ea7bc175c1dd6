import { useMutation } from '@tanstack/react-query'
import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { Button } from '../../../components/controls/Button.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, refetchQueries, useApi } from '../../../server/api.ts'
import { formatBytes, plural } from '../../../text/format.ts'

export function About({ about }: { about: RouteResponse<'about'> }) {
  const index = useApi('getIndex', {})
  const signOut = useMutation({
    mutationFn: () => client.closeSession({}),
    onSuccess: () => void refetchQueries(),
    onError: (error) => showToast(errorMessage(error), 'bad'),
  })
  const facts = [
    ['Version', about.version],
    ['Store', about.store === 'sqlite' ? 'SQLite' : 'Postgres'],
    ['Access', about.needs_token ? `By token (yours has ${about.scope ?? 'no'} scope)` : 'This machine only, no token'],
    [
      'Index',
      index.data?.is_on === true ? `${plural(index.data.documents, 'page')}, ${formatBytes(index.data.bytes)}` : 'Off',
    ],
  ] as const
  return (
    <Card title="About">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <a href="/api/v1/openapi.json" className="text-accent underline">
          OpenAPI specification
        </a>
        {about.needs_token && about.scope !== null ? (
          <Button disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        ) : null}
      </div>
    </Card>
  )
}
