import { useApi } from '../../../server/api.ts'
import { plural } from '../../../text/format.ts'

/** How far the index is, while it is not done. */
export function IndexProgress() {
  const index = useApi('getIndex', {}, { refetchInterval: 5000 })
  if (index.data === undefined || !index.data.is_on) return null
  const { documents, waiting } = index.data
  return (
    <span className="ml-auto text-xs text-muted" role="status">
      {plural(documents, 'page')} in the index
      {waiting > 0 ? `, ${plural(waiting, 'page')} waiting` : ''}
    </span>
  )
}
