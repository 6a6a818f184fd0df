import { parseLine, parseLinkLine } from '../store/seal.ts'
import { linkAt, type TreeLink } from '../store/tree.ts'

/** The entries that an archive has to bring, by the lines of its seal. */
export interface Expected {
  readonly files: Map<string, { readonly mode: number; readonly size: number }>
  readonly links: readonly TreeLink[]
}

export function expectedOf(lines: readonly string[]): Expected {
  const files: Expected['files'] = new Map()
  const links: TreeLink[] = []
  for (const line of lines) {
    const file = parseLine(line)
    const link = parseLinkLine(line)
    if (link !== null) links.push(linkAt(inside(link.path), link.target))
    else if (file !== null) files.set(inside(file.path), { mode: file.mode, size: file.size })
    else throw new Error(`This line is of no file and of no link: ${line.slice(0, 200)}`)
  }
  return { files, links }
}

/** A path that stays below its root, written in one way only. */
function inside(path: string): string {
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new Error(`${path} leads out of the install.`)
  return path
}
