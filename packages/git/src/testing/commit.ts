import { statSync } from 'node:fs'
import { join } from 'node:path'
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
  const parent = options.orphan ? null : await commitish(git_dir, options.from ?? branch)
  const merged = await Promise.all((options.merge ?? []).map((name) => commitish(git_dir, name)))
  const chunks = [
    `commit ${ref}\nmark :1\ncommitter Test <test@svc.invalid> ${clock} +0000\n`,
    ...data(message),
    // Without a `from` git begins a history of its own.
    parent === null ? '' : `from ${parent}\n`,
    ...merged.map((name) => `merge ${name}\n`),
    ...Object.entries(files).flatMap(([path, file]) => change(path, file)),
    '\nget-mark :1\n',
  ]
  const input = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
  return testGit(['fast-import', '--quiet', '--force', '--date-format=raw'], { git_dir, input })
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

/** The commit in words that `fast-import` reads, null when there is none; git is asked only where no file tells. */
async function commitish(git_dir: string, name: string): Promise<string | null> {
  if (/^[0-9a-f]{40}$/.test(name)) return name
  const loose = join(git_dir, 'refs/heads', name)
  if (statSync(loose, { throwIfNoEntry: false })?.isFile()) return `refs/heads/${name}^0`
  const args = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]
  const { exit_code, stdout } = await testRunner.run(args, { git_dir })
  return exit_code === 0 ? stdout.toString('latin1').trim() : null
}
