import { useMutation } from '@tanstack/react-query'
import type { RouteAnswer } from '../../../../../src/api/contract/routes.ts'
import { client, messageOf, queryClient, useApi } from '../../../api.ts'
import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Card.tsx'
import { formatBytes, formatNumber } from '../../../format.ts'
import { showToast } from '../../../toasts.ts'

export function About({ about }: { about: RouteAnswer<'about'> }) {
  const index = useApi('getIndex', {})
  const leave = useMutation({
    mutationFn: () => client.closeSession({}),
    onSuccess: () => void queryClient.invalidateQueries(),
    onError: (error) => showToast(messageOf(error), 'bad'),
  })
  const facts = [
    ['Version', about.version],
    ['Store', about.store === 'sqlite' ? 'SQLite, on this machine' : 'Postgres'],
    ['Access', about.needs_token ? `by token, yours has the scope ${about.scope ?? 'none'}` : 'open on this machine'],
    [
      'Index',
      index.data?.is_on === true
        ? `${formatNumber(index.data.documents)} pages, ${formatBytes(index.data.bytes)}`
        : 'off',
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
          OpenAPI document
        </a>
        {about.needs_token && about.scope !== null ? (
          <Button disabled={leave.isPending} onClick={() => leave.mutate()}>
            Sign out
          </Button>
        ) : null}
      </div>
    </Card>
  )
}
