import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { git } from '../support/clients/git.ts'
import { platform, project } from './world.ts'

/** Adds lines to `svc.yaml` of the default branch, and files beside it. */
export async function declare(lines: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  const { token, place } = platform
  const cwd = join(place.root, `declared-${Date.now()}`)
  await git(['clone', '--quiet', project.repo_url, cwd], { token })
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true })
    await writeFile(join(cwd, path), content)
  }
  await appendFile(join(cwd, 'svc.yaml'), lines)
  await git(['add', '--all'], { cwd })
  await git(['commit', '--quiet', '--message', 'Declare more'], { cwd })
  await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd, token })
}
