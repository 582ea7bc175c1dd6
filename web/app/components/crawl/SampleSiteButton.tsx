import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, useApi } from '../../server/api.ts'
import { Button } from '../controls/Button.tsx'

/** Whether the server has a sample site that the token allows to crawl. */
export function useHasSampleSite(): boolean {
  const isAdmin = useHasScope('admin')
  return useApi('about', {}).data?.has_demo === true && isAdmin
}

/** Starts a crawl of the sample site; renders nothing if there is none. */
export function SampleSiteButton({ isQuiet = false }) {
  const [, navigate] = useLocation()
  const hasSampleSite = useHasSampleSite()
  const demo = useMutation({
    mutationFn: () => client.startDemo(),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
    onError: (error) => showToast(errorMessage(error), 'bad'),
  })
  if (!hasSampleSite) return null
  return (
    <Button
      {...(isQuiet ? { variant: 'quiet' as const } : { icon: 'play' as const })}
      disabled={demo.isPending}
      onClick={() => demo.mutate()}
    >
      Crawl sample site
    </Button>
  )
}
