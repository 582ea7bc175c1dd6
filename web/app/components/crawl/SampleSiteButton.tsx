import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, useApi } from '../../server/api.ts'
import { Button } from '../controls/Button.tsx'

/** Whether there is a sample site that the caller may crawl, and the button that does; without one there is no button. */
export function useHasSampleSite(): boolean {
  const mayStart = useHasScope('admin')
  return useApi('about', {}).data?.has_demo === true && mayStart
}

export function SampleSiteButton({ label = 'Crawl the sample site', isQuiet = false }) {
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
      {...(isQuiet ? { look: 'quiet' as const } : { icon: 'play' as const })}
      disabled={demo.isPending}
      onClick={() => demo.mutate()}
    >
      {label}
    </Button>
  )
}
