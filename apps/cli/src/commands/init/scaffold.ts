import { access, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFile } from '@svc/files'
import { starterFiles } from '@svc/manifest'
import type { Cli } from '../../cli.ts'
import { OperationError } from '../../failures.ts'
import { gitMaybe, gitText } from '../../git.ts'

export interface Scaffold {
  /** The folder of the project; made where it does not exist. */
  readonly folder: string
  readonly name: string
}

/** Puts a valid manifest, an agent and a README into a folder, and makes it a git repository. Files that exist stay. */
export async function scaffold(cli: Cli, { folder, name }: Scaffold): Promise<void> {
  for (const manifest of ['svc.yaml', 'svc.toml']) {
    if (!(await exists(join(folder, manifest)))) continue
    throw new OperationError(`${manifest} is here already`, '`svc validate` judges it')
  }
  const { api_url } = await cli.target()
  const files = starterFiles({ name, schema_url: `${api_url}/schemas/svc.v2.json` })
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    if (await writeNew(join(folder, path), content)) cli.out.line(`Created ${path}`)
    else cli.out.line(`Kept ${path}`)
  }
  if ((await gitMaybe(folder, ['rev-parse', '--show-toplevel'])) !== null) return
  await gitText(folder, ['init', '--quiet'])
  await gitText(folder, ['symbolic-ref', 'HEAD', 'refs/heads/main'])
  cli.out.line('Created a git repository with the branch main')
}

async function writeNew(path: string, content: string): Promise<boolean> {
  return createFile(path, content, { mode: 0o666 }).catch((cause: unknown) => {
    throw new OperationError(`cannot write ${path}`, undefined, { cause })
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
