import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { output, run } from '../platform/run.ts'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
/** Built once for a commit and the packages beside it: neither changes. */
const kept = join(root, '.turbo/releases')
const sources = ['apps', 'packages', 'package.json', 'tsconfig.json', 'tsup.base.ts']
const services = [
  ...['api', 'app-proxy', 'app-worker', 'channel-worker', 'executor', 'gateway'],
  ...['merge-worker', 'sandbox-worker', 'scheduler'],
]
const programs = [...services, 'appd', 'cli', 'daemon']

/** The built programs of one release, each `apps/<name>/dist/main.js` below its folder. */
export interface Release {
  readonly name: string
  readonly folder: string
}

export interface TwoReleases {
  readonly older: Release
  readonly newer: Release
  /** Whether the older one is a build of earlier sources, or this one beside a release that is made up. */
  readonly real: boolean
}

/**
 * This tree and the release before it: the last tag, else the commit of `infra/upgrade-test/from.json`. A clone that has
 * no such history takes itself for the older one, and for the newer one itself with a migration more.
 */
export async function twoReleases(): Promise<TwoReleases> {
  const here: Release = { name: 'this tree', folder: root }
  const commit = process.env.UPGRADE_FROM === 'itself' ? null : await earlierCommit()
  if (commit === null) return { older: here, newer: await madeUp(), real: false }
  return { older: await builtOf(commit), newer: here, real: true }
}

async function earlierCommit(): Promise<string | null> {
  const git = (...args: string[]) => run('git', args, { cwd: root })
  const tags = await git('tag', '--list', 'v*', '--sort=-v:refname', '--merged', 'HEAD~1')
  const [tag] = tags.stdout.split('\n')
  const named: unknown = JSON.parse(await readFile(join(root, 'infra/upgrade-test/from.json'), 'utf8'))
  const commit = tag || Object(named).commit
  const found = await git('cat-file', '-e', `${commit}^{commit}`)
  if (found.code === 0) return String(commit)
  console.info(`This clone has no commit ${commit}: the newer release is this tree with a migration more`)
  return null
}

async function builtOf(commit: string): Promise<Release> {
  const lock = await readFile(join(root, 'pnpm-lock.yaml'), 'utf8')
  const key = createHash('sha256').update(`${commit}\0${lock}`).digest('hex').slice(0, 16)
  const folder = join(kept, key)
  if (!existsSync(folder)) {
    const work = await emptyFolder()
    await unpack(`git archive ${commit} ${sources.join(' ')}`, work)
    await build(work)
    await rename(work, folder)
  }
  return { name: commit.slice(0, 8), folder }
}

/** A migration of each sort that a release may add while the one before it runs. */
const nextMigration = `import type { MigrationFile } from '../schema/migration.ts'

export const next: MigrationFile = { statements: [
  'create table next_notes (note_id uuid primary key, session_id uuid references project_sessions, text text)',
  'alter table project_sessions add column next_label text, add column next_count integer not null default 0',
  "alter table change_requests add column next_label text not null default 'none'",
  'alter table session_prompts add constraint next_rule check (char_length(text) >= 0) not valid',
] }
`

async function madeUp(): Promise<Release> {
  const folder = await emptyFolder()
  await unpack(
    `git ls-files -z --cached --others --exclude-standard ${sources.join(' ')} | tar --create --null --files-from=-`,
    folder,
  )
  const db = join(folder, 'packages/db/src')
  await writeFile(join(db, 'migrations/99991231T0000-next.ts'), nextMigration)
  const list = join(db, 'schema/migrations.ts')
  const text = await readFile(list, 'utf8')
  const more = "numbered({ ...files, '99991231T0000-next': next })"
  const added = text.replace('numbered(files)', more)
  if (added === text) throw new Error(`No list of migrations was found in ${list}`)
  await writeFile(list, `import { next } from '../migrations/99991231T0000-next.ts'\n${added}`)
  await build(folder)
  return { name: 'next', folder }
}

async function emptyFolder(): Promise<string> {
  await mkdir(kept, { recursive: true })
  return mkdtemp(join(kept, 'work-'))
}

async function unpack(archive: string, folder: string): Promise<void> {
  const script = `set -o pipefail; ${archive} | tar --extract --directory "$0"`
  await output('bash', ['-c', script, folder], { cwd: root })
}

/** With the packages of this tree: what they are is the business of each release's own tests. */
async function build(folder: string): Promise<void> {
  await output('ln', ['-s', join(root, 'node_modules'), join(folder, 'node_modules')])
  for (const group of ['apps', 'packages']) {
    for (const name of await readdir(join(folder, group))) {
      const links = join(root, group, name, 'node_modules')
      if (existsSync(links)) await output('cp', ['-a', links, join(folder, group, name, 'node_modules')])
    }
    // A library that another package of this tree asks for by now is still there for the one that did.
    await output('ln', [
      '-s',
      join(root, 'node_modules/.pnpm/node_modules'),
      join(folder, group, 'node_modules'),
    ])
  }
  await cp(join(root, 'apps/dashboard/dist'), join(folder, 'apps/dashboard/dist'), { recursive: true })
  const tsup = join(root, 'node_modules/tsup/dist/cli-default.js')
  const left = programs.filter((app) => existsSync(join(folder, 'apps', app)))
  const one = async () => {
    for (let app = left.pop(); app !== undefined; app = left.pop())
      await output(process.execPath, [tsup, '--silent'], { cwd: join(folder, 'apps', app) })
  }
  // The folder goes once nobody builds in it.
  const built = await Promise.allSettled([one(), one()])
  const failed = built.find((result) => result.status === 'rejected')
  if (failed === undefined) return
  await rm(folder, { recursive: true, force: true })
  throw new Error('The release could not be built; does infra/upgrade-test/from.json name one too old?', {
    cause: failed.reason,
  })
}

/** Removes a release that was made up; the build of a commit stays for the next run. */
export async function forget({ newer, real }: TwoReleases): Promise<void> {
  if (!real) await rm(newer.folder, { recursive: true, force: true })
}
