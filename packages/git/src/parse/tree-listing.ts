export interface TreeEntry {
  /** The path from the root of the repository. */
  readonly path: string
  readonly name: string
  readonly type: 'file' | 'directory' | 'symlink' | 'submodule'
  readonly mode: string
  readonly sha: string
  /** Bytes of a file or link; null for the others. */
  readonly size: number | null
}

/** `git ls-tree -z -l`: `mode type sha size TAB path` NUL. */
export function parseTreeListing(output: Buffer, folder: string): TreeEntry[] {
  const lines = output.toString('utf8').split('\0')
  lines.pop()
  return lines.map((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', , sha = '', size = '-'] = line.slice(0, tab).split(/ +/)
    const inside = line.slice(tab + 1)
    return {
      path: folder === '' ? inside : `${folder}/${inside}`,
      name: inside.slice(inside.lastIndexOf('/') + 1),
      type: typeOf(mode),
      mode,
      sha,
      size: size === '-' ? null : Number(size),
    }
  })
}

function typeOf(mode: string): TreeEntry['type'] {
  switch (mode) {
    case '040000':
      return 'directory'
    case '120000':
      return 'symlink'
    case '160000':
      return 'submodule'
    default:
      return 'file'
  }
}
