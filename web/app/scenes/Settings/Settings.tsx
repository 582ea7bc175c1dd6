import { Card } from '../../components/display/Card.tsx'
import { ErrorState } from '../../components/display/EmptyState.tsx'
import { Skeleton } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useApi } from '../../server/api.ts'
import { About } from './components/About.tsx'
import { Appearance } from './components/Appearance.tsx'
import { Logging } from './components/Logging.tsx'
import { Policies } from './components/policies/Policies.tsx'
import { Tokens } from './components/Tokens.tsx'
import { Webhooks } from './components/Webhooks.tsx'

export function Settings() {
  const about = useApi('about', {})
  const isAdmin = about.data?.scope === 'admin'
  return (
    <>
      <SceneHeader title="Settings" />
      <div className="flex max-w-4xl flex-col gap-3 px-4 pb-6 md:px-6">
        <Appearance />
        {about.isPending ? <Skeleton className="h-40 w-full" /> : null}
        {about.isError ? <ErrorState error={about.error} onRetry={() => void about.refetch()} /> : null}
        {about.data === undefined ? null : isAdmin ? (
          <>
            <Tokens needsToken={about.data.needs_token} />
            <Webhooks />
            <Policies />
            <Logging />
          </>
        ) : (
          <Card title="Tokens, webhooks, policies and logging">
            <p className="text-muted">Requires a token with admin scope. Yours has {about.data.scope ?? 'no'} scope.</p>
          </Card>
        )}
        {about.data === undefined ? null : <About about={about.data} />}
      </div>
    </>
  )
}
