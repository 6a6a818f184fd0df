import { bundle, bundledTips, connectivityProblem, GitError, type Repositories, tipsDigest } from '@svc/git'
import type { ManagedProject } from '@svc/db'
import { bundleFile, type Manifest } from '../format/manifest.ts'
import type { PartWriter } from '../format/part-writer.ts'
import type { Earlier } from './earlier.ts'

type Written = Manifest['repositories'][number]

/**
 * A bundle of each managed repository; one whose references are those of the earlier backup is linked. One that lost objects is
 * left out and named: the others are not to go without a backup for its sake.
 */
export async function writeRepositories(
  writer: PartWriter,
  repositories: Pick<Repositories, 'open'>,
  projects: readonly ManagedProject[],
  earlier: Earlier | null,
): Promise<{ readonly written: Written[]; readonly missing: string[] }> {
  const written: Written[] = []
  const missing: string[] = []
  for (const { project_id } of projects) {
    const repository = await repositories.open({ kind: 'managed', project_id }).catch(() => null)
    if (repository === null) missing.push(project_id)
    const tips = repository === null ? [] : await bundledTips(repository)
    if (repository === null || tips.length === 0) {
      written.push({ project_id, bundle: null, tips_sha256: null })
      continue
    }
    const path = bundleFile(project_id)
    const before = earlier?.repositories.get(project_id)
    const part = earlier?.parts.get(path)
    const tips_sha256 = tipsDigest(tips)
    if (earlier && part && before?.tips_sha256 === tips_sha256 && (await writer.take(earlier.name, part))) {
      written.push({ project_id, bundle: path, tips_sha256 })
      continue
    }
    const made = bundle(repository)
    let broken = false
    const content = onError(made.content, (error) => (broken = error instanceof GitError))
    try {
      await writer.write(path, content)
      written.push({ project_id, bundle: path, tips_sha256: tipsDigest(made.tips()) })
    } catch (error) {
      // A git that was ended, or had no memory, says nothing of the repository: the backup is tried again whole.
      if (!broken || (await connectivityProblem(repository)) === null) throw error
      missing.push(project_id)
      written.push({ project_id, bundle: null, tips_sha256: null })
    }
  }
  return { written, missing }
}

/** Reports an error of the content itself: the store may make another one of it. */
async function* onError(
  content: AsyncIterable<Uint8Array>,
  report: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    report(error)
    throw error
  }
}
