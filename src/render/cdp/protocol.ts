// The commands and events of the Chrome DevTools Protocol that we use, with the fields that we use.
// https://chromedevtools.github.io/devtools-protocol/tot/

import type { ResourceType } from '../../ports/renderer.ts'

export interface HeaderEntry {
  name: string
  value: string
}

export interface TargetInfo {
  targetId: string
  type: string
  url: string
  browserContextId?: string
}

interface Frame {
  id: string
  parentId?: string
  url: string
  urlFragment?: string
}

export interface RequestPaused {
  requestId: string
  request: {
    url: string
    method: string
    headers: Record<string, string>
    postDataEntries?: { bytes?: string }[]
    hasPostData?: boolean
  }
  frameId: string
  resourceType: ResourceType
  /** Set only for the response stage, which we do not ask for, and for authentication. */
  responseStatusCode?: number
  networkId?: string
}

type Empty = Record<string, never>

/** Parameters and results by method. */
export interface Commands {
  'Browser.getVersion': [Empty, { product: string; userAgent: string }]
  'Browser.setDownloadBehavior': [{ behavior: 'deny'; browserContextId: string }, Empty]
  'Browser.grantPermissions': [{ permissions: string[]; browserContextId: string }, Empty]
  'Target.createBrowserContext': [{ disposeOnDetach: boolean }, { browserContextId: string }]
  'Target.disposeBrowserContext': [{ browserContextId: string }, Empty]
  'Target.createTarget': [
    { url: string; browserContextId: string; width?: number; height?: number },
    { targetId: string },
  ]
  'Target.closeTarget': [{ targetId: string }, { success: boolean }]
  'Target.setAutoAttach': [{ autoAttach: boolean; waitForDebuggerOnStart: boolean; flatten: true }, Empty]
  'Runtime.runIfWaitingForDebugger': [Empty, Empty]
  'Runtime.evaluate': [
    { expression: string; contextId?: number; returnByValue?: boolean; timeout?: number },
    { result: { value?: unknown }; exceptionDetails?: { text: string } },
  ]
  'Fetch.enable': [{ patterns: { urlPattern: string; requestStage: 'Request' }[] }, Empty]
  'Fetch.fulfillRequest': [
    { requestId: string; responseCode: number; responseHeaders: HeaderEntry[]; body: string },
    Empty,
  ]
  'Fetch.failRequest': [
    { requestId: string; errorReason: 'Aborted' | 'BlockedByClient' | 'Failed' | 'ConnectionFailed' },
    Empty,
  ]
  'Page.enable': [Empty, Empty]
  'Page.navigate': [{ url: string }, { frameId: string; loaderId?: string; errorText?: string }]
  'Page.resetNavigationHistory': [Empty, Empty]
  'Page.addScriptToEvaluateOnNewDocument': [{ source: string; worldName: string }, { identifier: string }]
  'Page.handleJavaScriptDialog': [{ accept: boolean }, Empty]
  'Page.createIsolatedWorld': [{ frameId: string; worldName: string }, { executionContextId: number }]
  'Page.captureScreenshot': [
    { format: 'webp'; quality: number; captureBeyondViewport: boolean; clip?: Clip },
    { data: string },
  ]
  'Page.getLayoutMetrics': [Empty, { cssContentSize: { width: number; height: number } }]
  'DOM.getDocument': [{ depth: number }, { root: { nodeId: number } }]
  'DOM.getOuterHTML': [{ nodeId: number; includeShadowDOM: boolean }, { outerHTML: string }]
  'DOM.querySelector': [{ nodeId: number; selector: string }, { nodeId: number }]
  'Performance.enable': [Empty, Empty]
  'Performance.getMetrics': [Empty, { metrics: { name: string; value: number }[] }]
  'Emulation.setUserAgentOverride': [{ userAgent: string }, Empty]
  'Network.clearBrowserCookies': [Empty, Empty]
  'Network.setBypassServiceWorker': [{ bypass: boolean }, Empty]
  'Storage.clearDataForOrigin': [{ origin: string; storageTypes: 'all' }, Empty]
  'Storage.overrideQuotaForOrigin': [{ origin: string; quotaSize: number }, Empty]
  'Storage.getUsageAndQuota': [{ origin: string }, { usage: number; quota: number }]
}

export type Method = keyof Commands

export interface Events {
  'Target.attachedToTarget': { sessionId: string; targetInfo: TargetInfo; waitingForDebugger: boolean }
  'Target.detachedFromTarget': { sessionId: string }
  'Inspector.targetCrashed': Empty
  'Fetch.requestPaused': RequestPaused
  'Page.frameNavigated': { frame: Frame }
  'Page.frameAttached': { frameId: string }
  'Page.navigatedWithinDocument': { frameId: string; url: string }
  'Page.javascriptDialogOpening': { type: string; message: string }
  'Page.windowOpen': { url: string }
  'Page.frameStoppedLoading': { frameId: string }
}

export type EventName = keyof Events

interface Clip {
  x: number
  y: number
  width: number
  height: number
  scale: number
}
