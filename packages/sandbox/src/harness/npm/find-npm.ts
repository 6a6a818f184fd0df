import { access, constants, realpath } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { InstallError } from '../install-error.ts'

export interface NpmProgram {
  readonly file: string
  readonly args: readonly string[]
}

/** The npm beside the node in use, else the one in PATH. Where it is a script of node, that node runs it. */
export async function findNpm(node: string, path: string | undefined): Promise<NpmProgram> {
  const folder = dirname(node)
  const folders = [folder, ...(path ?? '').split(delimiter).filter(isAbsolute)]
  const places = [
    join(folder, 'npm'),
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...folders.map((entry) => join(entry, 'npm')),
  ]
  for (const place of places) {
    const found = await realpath(place).catch(() => null)
    if (found !== null && (await isRunnable(found))) return npmAt(node, found)
  }
  throw new InstallError(
    'other',
    `There is no npm beside ${node}, and none in PATH: install npm on this machine.`,
  )
}

/** An npm that the operator names. */
export async function npmNamed(node: string, npm: string): Promise<NpmProgram> {
  return npmAt(node, await realpath(npm))
}

function npmAt(node: string, file: string): NpmProgram {
  return /\.[cm]?js$/.test(file) ? { file: node, args: [file] } : { file, args: [] }
}

async function isRunnable(file: string): Promise<boolean> {
  const needs = file.endsWith('.js') ? constants.R_OK : constants.X_OK
  return access(file, needs).then(
    () => true,
    () => false,
  )
}
