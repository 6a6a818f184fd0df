import { orAborted } from '@svc/timing'
import { type StoredObject, takeReply } from '../parse/batch-reply.ts'
import { type Repository, tryGit } from '../repository.ts'
import { GitError } from '../runner/git-error.ts'
import { type ObjectQuestion, ReaderEnded } from './object-reader.ts'

/**
 * The object that the repository holds under each name, null where it holds none. Names hold no NUL; one with a line
 * feed comes last. Contents asked for here are at most `maxSharedBytes` long.
 */
export async function askObjects(
  repository: Repository,
  questions: readonly ObjectQuestion[],
): Promise<(StoredObject | null)[]> {
  repository.signal?.throwIfAborted()
  // The answer to a name that means nothing repeats the name, and would be two lines.
  const plain = questions.every(({ name }) => !name.includes('\n'))
  const shared = plain ? await askReader(repository, questions) : null
  return shared ?? askAlone(repository, questions)
}

/** Asks the process that the repository's readers share; null when it cannot say. */
export async function askReader(
  repository: Repository,
  questions: readonly ObjectQuestion[],
): Promise<(StoredObject | null)[] | null> {
  try {
    const reader = await repository.objects.of(repository.git_dir)
    return reader === null ? null : await orAborted(reader.ask(questions), repository.signal)
  } catch (error) {
    if (error instanceof ReaderEnded) return null
    throw error
  }
}

/** Asks by a process of their own. */
export async function askAlone(
  repository: Repository,
  questions: readonly ObjectQuestion[],
): Promise<(StoredObject | null)[]> {
  const input = questions.map(({ command, name }) => `${command} ${name}\0`).join('')
  const result = await tryGit(repository, ['cat-file', '--batch-command', '-z'], { input })
  if (result.exit_code !== 0) throw new GitError('cat-file', result.exit_code, result.stderr)
  let rest = result.stdout
  return questions.map(({ command }) => {
    const reply = takeReply(rest, command === 'contents')
    rest = reply?.rest ?? rest
    return reply?.object ?? null
  })
}
