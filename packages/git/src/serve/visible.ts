import { LRUCache } from 'lru-cache'
import { checkpointFolder, hiddenRefs } from '../storage/checkpoints.ts'
import { askObjects } from '../objects/ask-objects.ts'
import { git, type Repository, tryGit } from '../repository.ts'

/** The session whose checkpoints the caller sees, beside the refs that every caller sees. */
type Caller = { readonly checkpoints_of?: string | undefined }

/** Objects that were found on a ref that is not hidden, by repository and by the callers that may see it. */
export type VisibleObjects = LRUCache<string, true>

/** An object that was visible stays known for as long as the answer to a clone is kept. */
export const createVisibleObjects = (): VisibleObjects => new LRUCache({ max: 50_000, ttl: 60 * 60_000 })

/**
 * The first of the wanted objects that no ref of the caller's reaches; null when all are. git itself gives every object
 * to a client that knows its id in protocol version 2, those of hidden refs and of none included. Tips are told by
 * their list; what is below them, as a partial clone asks for it, by walks of which the cheap one comes first.
 */
export async function firstHidden(
  repository: Repository,
  caller: Caller,
  wants: readonly string[],
): Promise<string | null> {
  const { visible, git_dir } = repository
  const name = (id: string) => `${git_dir}\0${caller.checkpoints_of ?? ''}\0${id}`
  let doubtful = new Set(wants.filter((id) => !visible.has(name(id))))
  const pass = async (look: Look) => {
    if (doubtful.size === 0) return
    const left = await look(repository, caller, doubtful)
    for (const id of doubtful) if (!left.has(id)) visible.set(name(id), true)
    doubtful = left
  }
  await pass(notTips)
  const missing = await firstMissing(repository, [...doubtful])
  if (missing !== null) return missing
  await pass(notBelowTips)
  await pass(notReached)
  const [first = null] = doubtful
  return first
}

type Look = (repository: Repository, caller: Caller, doubtful: ReadonlySet<string>) => Promise<Set<string>>

const notTips: Look = async (repository, { checkpoints_of }, doubtful) => {
  const { stdout } = await git(repository, ['for-each-ref', '--format=%(objectname) %(refname)'])
  const own = checkpoints_of === undefined ? null : `${checkpointFolder(checkpoints_of)}/`
  const left = new Set(doubtful)
  for (const line of stdout.toString('latin1').split('\n')) {
    const [id = '', ref = ''] = line.split(' ')
    if (!ref.startsWith(`${hiddenRefs}/`) || (own !== null && ref.startsWith(own))) left.delete(id)
  }
  return left
}

/** Nothing is walked for an id that a client made up. */
async function firstMissing(repository: Repository, ids: readonly string[]): Promise<string | null> {
  if (ids.length === 0) return null
  const found = await askObjects(
    repository,
    ids.map((name) => ({ command: 'info', name })),
  )
  return ids.find((_, index) => found[index] === null) ?? null
}

/** Knows the files of the tips and every commit; of older files it is sure only where a bitmap is. */
const notBelowTips: Look = async (repository, caller, doubtful) => {
  const args = ['--objects-edge-aggressive', '--no-object-names', '--use-bitmap-index', '--stdin', '--not']
  const input = [...doubtful, ''].join('\n')
  const walk = await tryGit(repository, ['rev-list', ...args, ...refsOf(caller)], { input })
  if (walk.exit_code !== 0 || walk.cut) return new Set(doubtful)
  return new Set(
    walk.stdout
      .toString('latin1')
      .split('\n')
      .filter((id) => doubtful.has(id)),
  )
}

/** Every object of every ref until the last of the doubtful is found. */
const notReached: Look = async ({ runner, git_dir, signal }, caller, doubtful) => {
  const args = ['rev-list', '--objects', '--no-object-names', '--use-bitmap-index', ...refsOf(caller)]
  const { child, guard } = runner.spawn(args, { git_dir, signal })
  child.stdin.end()
  child.stderr.resume()
  const left = new Set(doubtful)
  let rest = ''
  for await (const chunk of child.stdout) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const id of lines) left.delete(id)
    if (left.size === 0) break
  }
  guard.stop(new Error('everything was found'))
  signal?.throwIfAborted()
  return left
}

function refsOf({ checkpoints_of }: Caller): readonly string[] {
  const own = checkpoints_of === undefined ? [] : [`--glob=${checkpointFolder(checkpoints_of)}/*`]
  return [`--exclude=${hiddenRefs}/*`, '--all', ...own]
}
