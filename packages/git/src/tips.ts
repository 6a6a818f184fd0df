import { gitText, type Repository } from './repository.ts'

/** Every branch and its tip, by one command whatever their number. */
export async function tips(repository: Repository): Promise<Map<string, string>> {
  const text = await gitText(repository, [
    'for-each-ref',
    '--format=%(objectname) %(refname:lstrip=2)',
    'refs/heads/',
  ])
  return new Map(text === '' ? [] : text.split('\n').map((line) => [line.slice(41), line.slice(0, 40)]))
}
