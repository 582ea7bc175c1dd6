// The breadcrumbs of a group: its host and folders. A trailing slash means the URLs that end at the folder.

import { decodeText } from '../text/format.ts'

export interface Breadcrumb {
  name: string
  under: string
}

export function toBreadcrumbs(under: string): Breadcrumb[] {
  const [host = '', ...folders] = under.split('/')
  const steps: Breadcrumb[] = [{ name: host, under: host }]
  let path = host
  for (const folder of folders) {
    path += `/${folder}`
    steps.push({ name: folder === '' ? '/' : decodeText(folder), under: path })
  }
  return steps
}
