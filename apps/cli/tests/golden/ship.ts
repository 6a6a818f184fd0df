import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { otherProjectId, project } from '../support/records.ts'
import type { Route } from '../support/stub-api.ts'

/** Commits that have the same names on every machine. */
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    },
  })

/** Two repositories below a folder, and the routes of the project that they ship to: a bare repository beside them. */
export async function goldenShip(folder: string): Promise<Readonly<Record<string, Route>>> {
  const repositories = [
    ['good', 'svc_version: 2\ndefault_agent: default\nagents:\n  default: {}\n'],
    ['invalid', 'svc_version: 3\n'],
  ] as const
  for (const [name, manifest] of repositories) {
    const root = join(folder, name)
    await mkdir(join(root, '.svc/agentrt/agents'), { recursive: true })
    await writeFile(join(root, 'svc.yaml'), manifest)
    await writeFile(join(root, '.svc/agentrt/agents/default.md'), '---\ndescription: Helps.\n---\nHelp.\n')
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'add', '.')
    git(root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'Begin')
  }
  const origin = join(folder, 'origin.git')
  git(folder, 'init', '-q', '--bare', '-b', 'main', origin)
  const base = `/v1/projects/${otherProjectId}`
  const managed = project({ project_id: otherProjectId, git_origin_url: `file://${origin}` })
  return {
    [`GET ${base}`]: () => ({ status: 200, body: managed }),
    [`GET ${base}/branches`]: () => ({ status: 200, body: { branches: [] } }),
  }
}

/** Each in its own folder: one repository is shipped once. */
export const shipLines = [
  { line: 'ship', cwd: '.' },
  { line: 'ship', cwd: 'invalid' },
  { line: `ship --project ${otherProjectId}`, cwd: 'good' },
] as const
