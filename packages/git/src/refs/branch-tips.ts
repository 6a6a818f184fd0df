import { parseTips } from '../parse/tips.ts'
import { readLooseRef } from './ref-files.ts'
import { branchRef } from './ref-name.ts'
import { gitText, type Repository } from '../repository.ts'

/**
 * The tips of these branches, as far as they exist. The cost depends on how many are asked for and not on how many
 * there are: loose refs are read as files, one listing serves all the others.
 */
export async function branchTips(
  repository: Repository,
  branches: Iterable<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const others: string[] = []
  const look = async (branch: string) => {
    const ref = branchRef(branch)
    const sha = ref === null ? null : await readLooseRef(repository, ref)
    if (sha !== null) found.set(branch, sha)
    else if (ref !== null) others.push(ref)
  }
  await Promise.all([...new Set(branches)].map(look))
  if (others.length === 0) return found
  const listed = parseTips(await gitText(repository, [...listTips, ...others]))
  return new Map([...listed, ...found])
}

const listTips = ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)']
