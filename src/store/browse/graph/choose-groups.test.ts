import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FolderNames } from '../paths/folder-names.ts'
import { PathTree } from '../paths/path-tree.ts'
import { chooseGroups, openGroups, REST } from './choose-groups.ts'

/** A tree with one URL per path of a host. */
function makeTree(paths: [host: number, folder: string][]): PathTree {
  const names = new FolderNames()
  const count = paths.length
  const urls = {
    ids: Float64Array.from(paths, (_, i) => i + 1),
    keyLow: new Uint32Array(count),
    keyHigh: new Uint32Array(count),
    folders: Uint32Array.from(paths, ([host, folder]) => names.get(host, folder)),
    states: new Uint8Array(count),
    depths: new Uint16Array(count),
    parents: new Int32Array(count).fill(-1),
    bytes: new Float64Array(count),
    fetchMs: new Float32Array(count),
  }
  const hosts = new Map(paths.map(([host]) => [host, `h${host}.test`]))
  return new PathTree(urls, names.toFolders(hosts), true)
}

describe('the groups of a graph', () => {
  it('of more hosts than fit, none is tried to be split', () => {
    const tree = makeTree(Array.from({ length: 3000 }, (_, i) => [i % 1500, `/${i}`]))
    let reads = 0
    const children = tree.children.bind(tree)
    tree.children = (folder) => {
      reads += 1
      return children(folder)
    }
    assert.equal(chooseGroups(tree, { under: null, limit: 1000, isByHost: false }).length, 1500)
    assert.equal(reads, 0)
  })

  it('opening the rest of a very large folder shows a bounded number of parts', () => {
    const tree = makeTree(Array.from({ length: 20_000 }, (_, i) => [0, `/${i}`]))
    const groups = chooseGroups(tree, { under: null, limit: 1000, isByHost: false })
    const opened = openGroups(tree, new Uint32Array(20_000), groups, [`h0.test/${REST}`])
    assert.ok(opened.length > 2900 && opened.length < 3200, String(opened.length))
    assert.equal(
      opened.reduce((sum, { urls }) => sum + urls, 0),
      20_000,
    )
  })
})
