import { ServiceError } from '@svc/errors'
import { isRepository } from './init-bare.ts'
import type { Repository } from '../repository.ts'

/** Words of git that objects are gone which must be there. */
const broken =
  /unable to read|missing (blob|tree|commit|object)|bad tree object|is corrupt|is empty|did not send all/
/** Words that may mean the same, or only that a caller asked for an object that never existed. */
const doubtful = /not a git repository|bad object|Could not read|not a valid object|bad ref/i

/** True when a mirror has lost data, judging by git's message and by a look at its tips. */
export async function isDamaged(mirror: Repository, stderr: string): Promise<boolean> {
  if (broken.test(stderr)) return true
  if (!doubtful.test(stderr)) return false
  if (!(await isRepository(mirror.git_dir))) return true
  const { git_dir, runner } = mirror
  const refs = await runner.run(['for-each-ref', '--format=%(objectname)'], { git_dir })
  if (refs.exit_code !== 0) return true
  const found = await runner.run(['cat-file', '--batch-check'], { git_dir, input: refs.stdout })
  return found.exit_code !== 0 || / missing$/m.test(found.stdout.toString('latin1'))
}

/** The mirror is on its way out; the next request fetches a new one. */
export function damaged(cause: unknown): ServiceError {
  const message = 'The copy of the repository was damaged and is being fetched anew; try again in a moment'
  return new ServiceError('git_mirror_unavailable', message, { retry_after: 1 }, { cause })
}
