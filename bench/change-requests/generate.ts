import { git } from './git.ts'

export interface Shape {
  readonly files: number
  readonly commits: number
}

/** Branches of one commit each, cut before main moved on, so that every merge is a three-way one. */
export interface Branches {
  readonly open: readonly string[]
  readonly merged: readonly string[]
  readonly created: readonly string[]
  /** Each changes two hundred files. */
  readonly wide: readonly string[]
  readonly fetched: readonly string[]
}

export type Counts = Readonly<Record<keyof Branches, number>>

const path = (index: number): string => `d${index % 200}/e${Math.floor(index / 200) % 25}/f${index}.txt`
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

/** Fills a bare repository in one pass. */
export async function generate(git_dir: string, shape: Shape, counts: Counts): Promise<Branches> {
  const branches = {
    open: names('open', counts.open),
    merged: names('merged', counts.merged),
    created: names('created', counts.created),
    wide: names('wide', counts.wide),
    fetched: names('fetched', counts.fetched),
  }
  await git(git_dir, ['fast-import', '--quiet', '--date-format=raw'], stream(shape, branches))
  return branches
}

function* stream({ files, commits }: Shape, branches: Branches): Generator<string> {
  let clock = 1_700_000_000
  const commit = (branch: string, message: string, from?: string) =>
    `commit refs/heads/${branch}\ncommitter Bench <bench@svc.invalid> ${(clock += 1)} +0000\n` +
    `data ${message.length}\n${message}\n${from === undefined ? '' : `from ${from}\n`}`
  const file = (index: number, note: string) => {
    const text = Array.from({ length: 12 }, (_, line) => `line ${line} of file ${index}\n`).join('') + note
    return `M 100644 inline ${path(index)}\ndata ${text.length}\n${text}\n`
  }
  yield commit('main', 'First')
  for (let index = 0; index < files; index += 1) yield file(index, '')
  for (let index = 1; index < commits - 1; index += 1) {
    yield commit('main', `Change ${index}`) + file((index * 7919) % files, `change ${index}\n`)
  }
  const { wide, ...narrow } = branches
  for (const [index, branch] of Object.values(narrow).flat().entries()) {
    yield commit(branch, `Work on ${branch}`, 'refs/heads/main') + file((index * 31) % files, `${branch}\n`)
  }
  for (const branch of wide) {
    yield commit(branch, 'Work on many files', 'refs/heads/main')
    for (let index = 0; index < Math.min(200, files); index += 1)
      yield file(Math.floor((index * files) / 200), `${branch}\n`)
  }
  // A file of its own, which no branch touches.
  yield `${commit('main', 'Main moves on')}M 100644 inline moved.txt\ndata 6\nmoved\n\n`
}
