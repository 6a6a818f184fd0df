import { Check, File, Folder } from 'lucide-react'
import { type KeyboardEvent, useMemo } from 'react'
import { treeOf, type TreeNode } from './file-tree.ts'

interface Props {
  readonly paths: readonly string[]
  readonly chosen: string | null
  readonly viewed: ReadonlySet<string>
  readonly onChoose: (path: string) => void
}

/** The changed files as a tree; the arrows walk through it. */
export function ChangedFiles({ paths, chosen, viewed, onChoose }: Props) {
  const tree = useMemo(() => treeOf(paths), [paths])
  const walk = (event: KeyboardEvent<HTMLUListElement>) => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem][data-path]')]
    const at = items.findIndex((item) => item === document.activeElement)
    const last = items.length - 1
    const places: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(last, at + 1),
      ArrowUp: Math.max(0, at - 1),
      Home: 0,
      End: last,
    }
    const place = places[event.key]
    if (place === undefined) return
    event.preventDefault()
    items[place]?.focus()
  }
  return (
    <ul role="tree" aria-label="Changed files" className="grid" onKeyDown={walk}>
      <Branches nodes={tree} level={1} first={paths[0] ?? ''} {...{ chosen, viewed, onChoose }} />
    </ul>
  )
}

interface BranchProps extends Omit<Props, 'paths'> {
  readonly nodes: readonly TreeNode[]
  readonly level: number
  readonly first: string
}

const indents = ['pl-2', 'pl-5', 'pl-8', 'pl-11', 'pl-14']

function Branches({ nodes, level, ...props }: BranchProps) {
  const indent = indents[Math.min(level, indents.length) - 1] ?? ''
  return nodes.map((node) => {
    const { path } = node
    if (path === null)
      return (
        <li key={node.name} role="treeitem" aria-level={level} aria-expanded aria-selected={false}>
          <span className={`flex items-center gap-2 py-1 text-12 text-n11 ${indent}`} dir="auto">
            <Folder aria-hidden className="glyph" />
            {node.name}
          </span>
          <ul role="group">
            <Branches nodes={node.children} level={level + 1} {...props} />
          </ul>
        </li>
      )
    return (
      <li
        key={path}
        role="treeitem"
        aria-level={level}
        aria-selected={path === props.chosen}
        aria-label={props.viewed.has(path) ? `${node.name}, viewed` : node.name}
        data-path={path}
        tabIndex={path === (props.chosen ?? props.first) ? 0 : -1}
        className={`flex cursor-pointer items-center gap-2 rounded-m py-1 pr-2 text-13 hover:bg-n3 aria-selected:bg-n4 ${indent}`}
        onClick={() => props.onChoose(path)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') props.onChoose(path)
        }}
      >
        <File aria-hidden className="glyph text-n10" />
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {node.name}
        </span>
        {props.viewed.has(path) && <Check aria-hidden className="glyph tone-ok" />}
      </li>
    )
  })
}
