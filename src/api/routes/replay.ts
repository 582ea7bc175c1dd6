// Hands out the paths under which browsers can show archived pages.

import { notArchivedError } from '../../engine/pages/read-archived-page.ts'
import { replayPath } from '../../engine/replay/replay-links.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { REPLAY_ROOT } from '../replay/mount-replay.ts'
import { findPage } from '../requests/find-crawl.ts'
import { pageJson } from '../views/row-json.ts'

export function replayHandlers({
  pages,
  replayTokens,
}: Pick<ApiDependencies, 'pages' | 'replayTokens'>): HandlersFor<'getPageReplay'> {
  return {
    async getPageReplay({ params }, { tokenId }) {
      const version = await findPage(pages, params.page_id)
      if (!version.isArchived) throw notArchivedError(version)
      const { token, expiresAt } = await replayTokens.create(version.crawlId, tokenId)
      return {
        url: version.url,
        page: pageJson(version),
        path: `${REPLAY_ROOT}/${token}/${replayPath('page', version.url, version.visitedAt)}`,
        expires_at: new Date(expiresAt).toISOString(),
      }
    },
  }
}
