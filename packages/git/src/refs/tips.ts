import { parseTips } from '../parse/tips.ts'
import { gitText, type Repository } from '../repository.ts'

/** Every branch and its tip, by one command whatever their number. */
export async function tips(repository: Repository): Promise<Map<string, string>> {
  const text = await gitText(repository, [
    'for-each-ref',
    '--format=%(objectname) %(refname:lstrip=2)',
    'refs/heads/',
  ])
  return parseTips(text)
}
