import { counted } from '@svc/facts'
import { createFile } from '@svc/files'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperationError } from '../../failures.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends ProjectFlag {
  readonly out: string
  readonly force?: true
}

export const pull: Configure = (command, cli) => {
  projectFlag(command)
    .option('--out <file>', 'the file to write', '.env')
    .option('--force', 'replace a file that is there')
    .action(async (flags: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { items, required, optional } = await client.projects.secrets.list(project_id)
      const names = [...new Set([...required, ...optional, ...items.map(({ name }) => name)])].sort()
      const content = names.map((name) => `${name}=\n`).join('')
      const file = resolve(cli.io.cwd, flags.out)
      const made = await (
        flags.force ? writeFile(file, content, { mode: 0o600 }).then(() => true) : createFile(file, content)
      ).catch((cause: unknown) => {
        throw new OperationError(`cannot write ${flags.out}`, undefined, { cause })
      })
      if (!made)
        throw new OperationError(
          `${flags.out} is there already`,
          '--force replaces it; --out names another file',
        )
      cli.out.line(`Wrote ${counted(names.length, 'name')} to ${flags.out}`)
      cli.out.note('Values never leave the platform: fill in your own.')
    })
}
