import { testGit, testRunner } from './test-git.ts'

/** A file's text or bytes, one with a mode of its own, a link, a pinned submodule, or null for its removal. */
export type FileSpec =
  | string
  | Uint8Array
  | null
  | { readonly executable: string }
  | { readonly symlink: string }
  | { readonly submodule: string }

export type Files = Readonly<Record<string, FileSpec>>

export interface CommitOptions {
  /** Branch or SHA to build on; the branch itself when absent, nothing for a first commit. */
  readonly from?: string
  /** Further parents. */
  readonly merge?: readonly string[]
  /** Starts a history of its own. */
  readonly orphan?: boolean
}

let clock = 1_700_000_000

/** Commits files to a branch of any bare repository, in one process, and returns the new tip. */
export async function commit(
  { git_dir }: { readonly git_dir: string },
  branch: string,
  files: Files,
  message = 'Change',
  options: CommitOptions = {},
): Promise<string> {
  const ref = `refs/heads/${branch}`
  clock += 1
  const parent = options.orphan ? null : await revision(git_dir, options.from ?? branch)
  const merged = await Promise.all((options.merge ?? []).map((name) => revision(git_dir, name)))
  const chunks = [
    `commit ${ref}\ncommitter Test <test@svc.invalid> ${clock} +0000\n`,
    ...data(message),
    parent === null ? '' : `from ${parent}\n`,
    ...merged.map((sha) => `merge ${sha}\n`),
    ...Object.entries(files).flatMap(([path, file]) => change(path, file)),
    '\n',
  ]
  // Without a `from` git builds on the branch, so a history of its own begins by dropping it.
  const reset = parent === null && (await revision(git_dir, branch)) !== null ? [`reset ${ref}\n\n`] : []
  const input = Buffer.concat([...reset, ...chunks].map((chunk) => Buffer.from(chunk)))
  await testGit(['fast-import', '--quiet', '--force', '--date-format=raw'], { git_dir, input })
  return testGit(['rev-parse', ref], { git_dir })
}

function change(path: string, file: FileSpec): (string | Uint8Array)[] {
  const name = quoted(path)
  if (file === null) return [`D ${name}\n`]
  if (typeof file === 'string' || file instanceof Uint8Array)
    return [`M 100644 inline ${name}\n`, ...data(file)]
  if ('executable' in file) return [`M 100755 inline ${name}\n`, ...data(file.executable)]
  if ('symlink' in file) return [`M 120000 inline ${name}\n`, ...data(file.symlink)]
  return [`M 160000 ${file.submodule} ${name}\n`]
}

function data(content: string | Uint8Array): (string | Uint8Array)[] {
  const bytes = Buffer.from(content)
  return [`data ${bytes.length}\n`, bytes, '\n']
}

function quoted(path: string): string {
  const escaped = [...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `"${escaped.join('')}"`
}

async function revision(git_dir: string, name: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]
  const { exit_code, stdout } = await testRunner.run(args, { git_dir })
  return exit_code === 0 ? stdout.toString('latin1').trim() : null
}
