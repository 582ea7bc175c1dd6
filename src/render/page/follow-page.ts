// Follows what a page does besides requests: dialogs, windows, frames, workers, its history and its end.

import type { BrowserPage, ChildTarget } from '../browser/browser-page.ts'
import { answerRequests } from './answer-requests.ts'
import type { PageRun } from './page-run.ts'

export function followPage(run: PageRun): void {
  const { session, targetId } = run.page
  const { limits } = run.request.settings
  answerRequests(run, session)
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    // Only the question whether to leave the page is answered with yes: leaving is impossible anyway.
    session.post('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' })
    run.count('dialogs', limits.dialogs, 'render_dialogs')
  })
  session.on('Page.windowOpen', ({ url }) => {
    run.navigations.add(url)
    run.count('windows', limits.windows, 'render_windows')
  })
  session.on('Page.frameAttached', () => run.count('frames', limits.frames, 'render_frames'))
  session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId !== targetId) return
    if (url !== run.finalUrl && url !== run.request.url) run.routes.add(url)
    run.finalUrl = url
    run.count('history entries', limits.navigations, 'render_navigations')
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined || frame.id !== targetId) return
    const url = frame.url + (frame.urlFragment ?? '')
    if (isSamePage(url, run.request.url)) return
    run.hasLeft = true
    run.end('render_navigations', `left for ${url}`)
  })
  // There is no load event if the page starts to leave before it.
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId === targetId && run.hasDocument) run.isLoaded = true
    run.activity += 1
  })
  run.page.onTarget = (target) => followTarget(run, run.page, target)
  run.page.onCrash = () => run.end('render_crashed', 'the process of the page died')
}

/** Requests of frames and workers are intercepted before they start. Windows and service workers never start. */
function followTarget(run: PageRun, page: BrowserPage, { info, session }: ChildTarget): void {
  const { limits } = run.request.settings
  switch (info.type) {
    case 'iframe':
    case 'worker':
      if (info.type === 'worker') run.count('workers', limits.workers, 'render_workers')
      page.followTargets(session)
      answerRequests(run, session)
      session.post('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
      session.post('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] })
      session.post('Runtime.runIfWaitingForDebugger')
      return
    case 'page':
      run.count('windows', limits.windows, 'render_windows')
      page.closeTarget(info.targetId)
      return
    default:
      run.count('workers', limits.workers, 'render_workers')
      page.closeTarget(info.targetId)
  }
}

function isSamePage(url: string, expected: string): boolean {
  const withoutHash = (one: string) => new URL(one).href.replace(/#.*$/, '')
  return URL.canParse(url) && withoutHash(url) === withoutHash(expected)
}
