// The way down into a group: over its host and its folders. A label that ends in a slash stands for what ends there.

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
    steps.push({ name: folder === '' ? 'here' : folder, under: path })
  }
  return steps
}
