import type { BuiltPlatform } from '../../scripts/screenshots/platform.ts'
import { push } from '../../scripts/screenshots/repository.ts'

export interface Change {
  readonly page: string
  /** In the order of the diff. */
  readonly paths: readonly string[]
  /** The patch, as git writes it. */
  readonly patch: string
}

const line = (file: number, at: number) => `export const value${at} = ${file} * ${at} // a line like others\n`
const text = (file: number, first: number) =>
  Array.from({ length: 40 }, (_, at) => line(file, at < 12 ? at * first : at)).join('')

/** A change request of so many files, each with a dozen lines that changed. */
export async function manyFiles({ client, token }: BuiltPlatform, count: number): Promise<Change> {
  const project = await client.projects.provision({ name: 'Many files' })
  const paths = Array.from({ length: count }, (_, n) => `src/part-${String(n).padStart(3, '0')}.ts`)
  const files = (first: number) => Object.fromEntries(paths.map((path, n) => [path, text(n, first)]))
  await push(project.repo_url, token, [
    { message: 'Begin', files: files(1) },
    { message: 'Change each', files: files(3), branch: 'many' },
  ])
  const { project_id } = project
  const { changeRequests } = client.projects
  const { number, cr_id } = await changeRequests.create(project_id, { title: 'Many files', head_ref: 'many' })
  const { patch } = await changeRequests.diff(project_id, cr_id)
  return { page: `/dashboard/projects/${project_id}/change-requests/${number}?tab=files`, paths, patch }
}
