import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, SandboxError } from '../../sandbox-error.ts'
import { entrypointScript, missingScript, nodeScript } from './tool-scripts.ts'

/** The command in place of the daemon's in a sandbox of a program, and its file in `lib`. */
export const appdCommand = 'svc-appd'
export const appdFile = 'svc-appd.mjs'

/** A command of sandboxes: one binary, or a built folder with main.js. */
export type ToolProgram = { readonly binary: string } | { readonly folder: string }

/** The programs that a sandbox runs. Null means: this platform was started without it. */
export interface ToolSources {
  /** The Node binary. */
  readonly node: string
  /** The daemon, an ES module; what it loads lies beside it in `svc-agent-*.js`, with the code cache of each. */
  readonly agent_bundle: string
  /** The parent of programs, one ES module; without it, no sandbox of a program is made. */
  readonly appd_bundle?: string | null
  /** The built command-line client: a folder with main.js. */
  readonly cli_folder: string | null
  /** The agent runtimes, each by the name of its command; one that is null says so when it is called. */
  readonly runtimes: Readonly<Record<string, ToolProgram | null>>
  /** ripgrep, which agent runtimes search with; without it, the one of the machine or the image is found. */
  readonly ripgrep_binary?: string | null
  /** A script instead of the usual entrypoint. */
  readonly entrypoint?: string
}

/**
 * Assembles `bin` and `lib` once per content, under a folder that every sandbox's user may read even when the sources
 * lie in another user's private one. Returns the folder.
 */
export async function assembleTools(folder: string, sources: ToolSources): Promise<string> {
  const target = join(folder, await fingerprint(sources))
  if (await exists(target)) return target
  const draft = join(folder, `.draft-${randomBytes(6).toString('hex')}`)
  try {
    await fill(draft, sources)
    await rename(draft, target)
  } catch (error) {
    if (!(await exists(target))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return target
}

/** Ends the create of a sandbox of a program where there is nothing to be its parent. */
export function requireAppd({ appd_bundle }: Pick<ToolSources, 'appd_bundle'>): void {
  if (!appd_bundle)
    throw new SandboxError(
      'image',
      'This platform was started without svc-appd; build it with npm run setup.',
    )
}

async function fill(draft: string, sources: ToolSources): Promise<void> {
  const bin = join(draft, 'bin')
  const lib = join(draft, 'lib')
  for (const folder of [draft, bin, lib]) {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o755)
  }
  await placeBinary(sources.node, join(bin, 'node'))
  await placeFile(sources.agent_bundle, join(lib, 'svc-agent.mjs'))
  const beside = dirname(sources.agent_bundle)
  for (const name of await chunksOf(beside)) await placeFile(join(beside, name), join(lib, name))
  await placeText('{ "type": "module" }\n', join(lib, 'package.json'), 0o644)
  await placeText(nodeScript('svc-agent.mjs'), join(bin, 'svc-agent'), 0o755)
  if (sources.appd_bundle) {
    await placeFile(sources.appd_bundle, join(lib, appdFile))
    await placeText(nodeScript(appdFile), join(bin, appdCommand), 0o755)
  }
  if (sources.cli_folder === null) await placeText(missingScript('svc'), join(bin, 'svc'), 0o755)
  else await placeProgram('svc', sources.cli_folder, bin, lib)
  for (const [name, program] of Object.entries(sources.runtimes)) {
    if (program === null) await placeText(missingScript(name), join(bin, name), 0o755)
    else if ('folder' in program) await placeProgram(name, program.folder, bin, lib)
    else await placeBinary(program.binary, join(bin, name))
  }
  if (sources.ripgrep_binary) await placeBinary(sources.ripgrep_binary, join(bin, 'rg'))
  const entrypoint =
    sources.entrypoint === undefined ? entrypointScript : await readFile(sources.entrypoint, 'utf8')
  await placeText(entrypoint, join(bin, 'svc-entrypoint'), 0o755)
}

async function placeProgram(name: string, source: string, bin: string, lib: string): Promise<void> {
  const folder = join(lib, name)
  await mkdir(folder)
  await chmod(folder, 0o755)
  for (const file of await programFiles(source)) {
    await placeFile(join(source, file), join(folder, file))
  }
  await placeText(nodeScript(`${name}/main.js`), join(bin, name), 0o755)
}

/** The programs of a folder and their code caches, without the source maps beside them. */
async function programFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /\.(js|json|js\.cache)$/.test(name)).toSorted()
}

/** The chunks that the daemon loads. */
async function chunksOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^svc-agent-\w+\.js(\.cache)?$/.test(name)).toSorted()
}

async function placeFile(source: string, path: string): Promise<void> {
  await writeFile(path, await readFile(source))
  await chmod(path, 0o644)
}

async function placeText(text: string, path: string, mode: number): Promise<void> {
  await writeFile(path, text)
  await chmod(path, mode)
}

/** Binaries are large, so a link is tried first; its mode is the source's and must not be changed. */
async function placeBinary(source: string, path: string): Promise<void> {
  const { mode } = await stat(source)
  if ((mode & 0o555) === 0o555 && (await tryLink(source, path))) return
  await copyFile(source, path, constants.COPYFILE_FICLONE)
  await chmod(path, 0o755)
}

async function tryLink(source: string, path: string): Promise<boolean> {
  return link(source, path).then(
    () => true,
    () => false,
  )
}

/** Bundles count by content, binaries of a hundred megabytes by size and time. */
async function fingerprint({ runtimes, ...sources }: ToolSources): Promise<string> {
  const hash = createHash('sha256').update(entrypointScript).update(nodeScript('')).update(missingScript(''))
  for (const [role, path] of Object.entries(sources)) {
    hash.update(`\0${role}\0`)
    if (typeof path === 'string') hash.update(await partOf(role, path))
  }
  for (const [name, program] of Object.entries(runtimes)) {
    hash.update(`\0runtime ${name}\0`)
    if (program !== null) hash.update(await runtimePart(name, program))
  }
  return hash.digest('hex').slice(0, 20)
}

function partOf(role: string, path: string): Promise<string | Buffer> {
  return orMissing(roleNames[role] ?? role, path, async () => {
    if (role === 'cli_folder') return contentOfProgram(path)
    if (role === 'agent_bundle') {
      const folder = dirname(path)
      return contentOf([path, ...(await chunksOf(folder)).map((name) => join(folder, name))])
    }
    return binaries.has(role) ? stampOf(path) : readFile(path)
  })
}

function runtimePart(name: string, program: ToolProgram): Promise<string | Buffer> {
  const what = `The program of the runtime ${name}`
  return 'folder' in program
    ? orMissing(what, program.folder, () => contentOfProgram(program.folder))
    : orMissing(what, program.binary, () => stampOf(program.binary))
}

async function orMissing<T>(what: string, path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new SandboxError('image', `${what} is not at ${path}: is everything installed and built?`, {
      cause: error,
    })
  }
}

async function contentOfProgram(folder: string): Promise<Buffer> {
  await stat(join(folder, 'main.js'))
  return contentOf((await programFiles(folder)).map((name) => join(folder, name)))
}

async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  return `${path}\0${size}\0${mtimeMs}`
}

async function contentOf(files: readonly string[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
}

const binaries: ReadonlySet<string> = new Set(['node', 'ripgrep_binary'])

const roleNames: Readonly<Record<string, string>> = {
  node: 'The Node binary',
  agent_bundle: 'The sandbox daemon',
  appd_bundle: 'The parent of programs, svc-appd,',
  cli_folder: 'The command-line client',
  ripgrep_binary: 'The binary of ripgrep',
  entrypoint: 'The sandbox entrypoint',
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
