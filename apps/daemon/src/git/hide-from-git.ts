import { appendFile, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Keeps paths out of the agent's commits, without a word in the repository itself; each is a line as in `.gitignore`. */
export async function hideFromGit(workspace: string, lines: readonly string[]): Promise<void> {
  const info = join(workspace, '.git', 'info')
  const isClone = await stat(join(workspace, '.git')).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isClone) return
  await mkdir(info, { recursive: true })
  const path = join(info, 'exclude')
  const text = await readFile(path, 'utf8').catch(() => '')
  const present = new Set(text.split('\n'))
  const missing = lines.filter((line) => !present.has(line))
  if (missing.length === 0) return
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  await appendFile(path, `${gap}${missing.join('\n')}\n`)
}
