import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { generate, type Shape } from './generate.ts'
import type { Case } from './cases.ts'
import { compare, round } from '../measure.ts'

export interface Origins {
  readonly ours: string
  readonly token: string
  readonly peer: string
  readonly git_dir: string
  /** For clones; of the bench's own. */
  readonly folder: string
}

/** The same repository by both servers to the same client, turn by turn. */
export async function measureOrigin(
  { ours, token, peer, git_dir, folder }: Origins,
  shape: Shape,
  runs: { readonly clones: number; readonly fetches: number },
): Promise<Case[]> {
  const none = { open: 0, merged: 0, created: 0, wide: 0 }
  const { fetched } = await generate(git_dir, shape, { ...none, fetched: runs.fetches + 1 })
  // The platform keeps its repositories to itself; the peer reads this one as another user.
  execFileSync('chmod', ['-R', 'a+rX', dirname(git_dir)])
  const into = (who: string, index: number | string) => join(folder, `${who}-${index}.git`)
  const clone = (url: string, target: string, branch = 'main') =>
    client(['clone', '--quiet', '--bare', '--single-branch', '--branch', branch, url, target], token)
  const firsts = await compare(
    runs.clones,
    (index) => clone(ours, into('ours', `first-${index}`), fetched[index]),
    (index) => clone(peer, into('peer', `first-${index}`), fetched[index]),
  )
  await clone(ours, into('ours', 'warm'))
  const cloned = await compare(
    runs.clones,
    (index) => clone(ours, into('ours', index)),
    (index) => clone(peer, into('peer', index)),
  )
  const fetch = (url: string, who: string, branch: string) =>
    client([`--git-dir=${into(who, 0)}`, 'fetch', '--quiet', url, branch], token)
  await fetch(ours, 'ours', fetched[runs.fetches] ?? '')
  await fetch(peer, 'peer', fetched[runs.fetches] ?? '')
  const fetches = await compare(
    runs.fetches,
    (index) => fetch(ours, 'ours', fetched[index] ?? ''),
    (index) => fetch(peer, 'peer', fetched[index] ?? ''),
  )
  const speed = (ratio: number) => `${round(1 / ratio)}x the peer's speed; promised`
  return [
    {
      name: 'clone',
      peer: 'Apache, git http-backend',
      result: cloned,
      promise: `${speed(cloned.ratio)} >= 1.0x`,
      held: cloned.ratio <= 1,
    },
    {
      name: 'first clone of a commit',
      peer: 'Apache, git http-backend',
      result: firsts,
      promise: null,
      held: true,
    },
    {
      name: 'fetch of one commit',
      peer: 'Apache, git http-backend',
      result: fetches,
      promise: null,
      held: true,
    },
  ]
}

/** Both servers get the same request; the peer looks at no token. */
async function client(args: readonly string[], token: string): Promise<void> {
  const child = spawn('git', args, {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_VALUE_0: `Authorization: Bearer ${token}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}`)
}
