import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { makeFolder } from '../shared/make-folder.ts'
import { step } from '../shared/steps.ts'
import { type BeginParts, remoteRef } from './begin-clone.ts'
import { GitError, gitEnvironment } from '../git/git.ts'
import { newConfiguration, trust } from '../git/git-settings.ts'
import { makeRepository } from './make-repository.ts'
import { readSentHead, type SentHead } from './sent-head.ts'

export type UnpackParts = Pick<BeginParts, 'git' | 'workspace' | 'home' | 'repo_url' | 'branch'>

const maxHeadBytes = 1024 * 1024
const newline = 0x0a

/**
 * Makes a workspace's repository of the platform's bytes: a line that describes them, then a pack. Gives the branches
 * that came.
 */
export async function unpackSent(
  body: AsyncIterable<unknown>,
  parts: UnpackParts,
): Promise<ReadonlySet<string>> {
  const { workspace, branch, repo_url } = parts
  const { line, rest } = await firstLine(body)
  const head = readSentHead(line)
  step('clone')
  makeFolder(workspace)
  makeRepository(workspace, branch, newConfiguration(repo_url))
  await trust(parts)
  step('initialised')
  if (head.refs.size === 0) return new Set()
  await indexPack(rest, parts)
  if (head.shallow.length > 0)
    writeFileSync(join(workspace, '.git', 'shallow'), head.shallow.map((commit) => `${commit}\n`).join(''))
  writeRefs(head, parts)
  step('fetched')
  return new Set(head.refs.keys())
}

async function firstLine(
  body: AsyncIterable<unknown>,
): Promise<{ readonly line: string; readonly rest: AsyncGenerator<Buffer> }> {
  const chunks = buffers(body)
  let head: Buffer = Buffer.alloc(0)
  for (;;) {
    const { value, done } = await chunks.next()
    if (done || head.length > maxHeadBytes) throw new Error('It does not say what it is')
    head = Buffer.concat([head, value])
    const end = head.indexOf(newline)
    if (end < 0) continue
    const begun = head.subarray(end + 1)
    const rest = async function* () {
      if (begun.length > 0) yield begun
      yield* chunks
    }
    return { line: head.toString('utf8', 0, end), rest: rest() }
  }
}

async function* buffers(body: AsyncIterable<unknown>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of body) if (chunk instanceof Uint8Array) yield Buffer.from(chunk)
  return undefined
}

async function indexPack(pack: AsyncGenerator<Buffer>, { workspace, home }: UnpackParts): Promise<void> {
  const child = spawn('git', ['index-pack', '--stdin'], {
    cwd: workspace,
    env: gitEnvironment(home),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const closed: Promise<unknown[]> = once(child, 'close')
  closed.catch(() => undefined)
  const [said, poured] = await Promise.all([
    text(child.stderr),
    pipeline(Readable.from(pack, { objectMode: false }), child.stdin).then(
      () => null,
      (error: unknown) => {
        child.kill('SIGKILL')
        return error
      },
    ),
  ])
  const [code] = await closed
  if (code !== 0) throw new GitError('Reading the pack', said === '' ? String(poured ?? code) : said)
}

/** Packed, as after a clone. */
function writeRefs({ refs }: SentHead, { workspace }: UnpackParts): void {
  const all = [...refs].map(([name, sha]) => [remoteRef(name), sha] as const)
  const sorted = all.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const lines = [
    '# pack-refs with: peeled fully-peeled sorted ',
    ...sorted.map(([ref, sha]) => `${sha} ${ref}`),
  ]
  writeFileSync(join(workspace, '.git', 'packed-refs'), lines.map((line) => `${line}\n`).join(''))
}
