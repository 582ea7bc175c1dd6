// The way down into a group: over its host and its folders. A label that ends in a slash stands for what ends there.

export interface Step {
  name: string
  under: string
}

export function trailOf(under: string): Step[] {
  const [host = '', ...folders] = under.split('/')
  const steps: Step[] = [{ name: host, under: host }]
  let path = host
  for (const folder of folders) {
    path += `/${folder}`
    steps.push({ name: folder === '' ? 'here' : folder, under: path })
  }
  return steps
}
