import { createHash } from 'node:crypto'
import { GitError } from '../runner/git-error.ts'
import { git, gitText, type Repository } from '../repository.ts'

/** A reference and its commit, `<object> <name>`, of each, in the order of their names. */
export async function bundledTips(repository: Repository): Promise<string[]> {
  const text = await gitText(repository, ['for-each-ref', '--format=%(objectname) %(refname)'])
  return ordered(text.split('\n').filter((line) => line !== ''))
}

export const tipsDigest = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex')

export interface Bundle {
  /** One file with every reference, and all that they reach. It throws at its end when git did not finish it. */
  readonly content: AsyncIterable<Uint8Array>
  /** The references that it holds; known when its content was read. */
  tips(): string[]
}

/** The whole repository at one moment: what moves meanwhile is in it as it was or as it is. It has to have a reference. */
export function bundle(repository: Repository): Bundle {
  let head = Buffer.alloc(0)
  let heads: string[] | null = null
  async function* content(): AsyncGenerator<Uint8Array> {
    const { runner, git_dir, signal } = repository
    const { child } = runner.spawn(['bundle', 'create', '--quiet', '-', '--all'], { git_dir, signal })
    child.stdin.end()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('utf8')).slice(-4_000)))
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    try {
      for await (const chunk of child.stdout) {
        const bytes: Buffer = chunk
        if (heads === null) {
          head = Buffer.concat([head, bytes])
          heads = headsOf(head)
        }
        yield bytes
      }
      const code = await ended
      if (code !== 0) throw new GitError('bundle', code, stderr)
    } finally {
      if (child.exitCode === null) child.kill('SIGTERM')
    }
  }
  return {
    content: content(),
    tips() {
      if (heads === null) throw new Error('The bundle has not been read')
      return heads
    },
  }
}

/** The references that the head of a bundle names; null while it is not read to its end, which an empty line is. */
function headsOf(bytes: Buffer): string[] | null {
  const end = bytes.indexOf('\n\n')
  if (end < 0) return null
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(1)
  return ordered(lines.filter((line) => /^[0-9a-f]{40,64} refs\//.test(line)))
}

/** Puts what a bundle holds into an empty repository, its objects checked. Returns the references. */
export async function unbundle(repository: Repository, file: string): Promise<string[]> {
  await git(repository, ['bundle', 'unbundle', file], { unlimited: true })
  const heads = await gitText(repository, ['bundle', 'list-heads', file])
  const lines = heads.split('\n').filter((line) => / refs\//.test(line))
  const commands = lines.map((line) => {
    const [object = '', name = ''] = line.split(' ', 2)
    return `update ${name}\0${object}\0\0`
  })
  await git(repository, ['update-ref', '--no-deref', '--stdin', '-z'], { input: commands.join('') })
  return ordered(lines)
}

/** The order of code points: a person's language decides nothing. */
const ordered = (lines: readonly string[]): string[] =>
  lines.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
const nameOf = (line: string): string => line.slice(line.indexOf(' ') + 1)
