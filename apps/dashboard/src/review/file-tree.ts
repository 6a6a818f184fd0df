import { visibleText } from '@svc/facts'

/** A folder or a file of a tree; a chain of folders with nothing beside them is one line. */
export interface TreeNode {
  readonly name: string
  /** Of a file its path, of a folder null. */
  readonly path: string | null
  readonly children: readonly TreeNode[]
}

/** The tree of these paths: folders first, each by name. */
export function treeOf(paths: readonly string[]): readonly TreeNode[] {
  return childrenOf(paths.map((path) => ({ path, rest: path.split('/') })))
}

interface Entry {
  readonly path: string
  readonly rest: readonly string[]
}

function childrenOf(entries: readonly Entry[]): readonly TreeNode[] {
  const folders = new Map<string, Entry[]>()
  const files: TreeNode[] = []
  for (const { path, rest } of entries) {
    const [name = '', ...below] = rest
    if (below.length === 0) files.push({ name: visibleText(name), path, children: [] })
    else folders.set(name, [...(folders.get(name) ?? []), { path, rest: below }])
  }
  const made = [...folders].map(([name, below]) =>
    joined({ name: visibleText(name), path: null, children: childrenOf(below) }),
  )
  const byName = (a: TreeNode, b: TreeNode) => (a.name < b.name ? -1 : 1)
  return [...made.sort(byName), ...files.sort(byName)]
}

function joined(folder: TreeNode): TreeNode {
  const [only, ...more] = folder.children
  if (only === undefined || more.length > 0 || only.path !== null) return folder
  return { ...only, name: `${folder.name}/${only.name}` }
}
