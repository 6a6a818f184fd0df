import { platformNamePattern } from '@svc/facts'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { OperationError } from '../../failures.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { assertSecretName } from '../secrets/assignments.ts'
import { noteDelivery } from '../secrets/note-delivery.ts'

interface Flags extends ProjectFlag {
  readonly from: string
}

export const push: Configure = (command, cli) => {
  projectFlag(command)
    .requiredOption('--from <path>', 'the dotenv file')
    .action(async (flags: Flags) => {
      const text = await readFile(resolve(cli.io.cwd, flags.from), 'utf8').catch((cause: unknown) => {
        throw new OperationError(`cannot read ${flags.from}`, undefined, { cause })
      })
      const values = Object.entries(parseEnv(text))
      // All of them are looked at before any is sent.
      for (const [name] of values) assertPushable(name)
      if (values.length === 0) return cli.out.note(`${flags.from} holds no NAME=VALUE.`)
      const { client, project_id } = await cli.project(flags.project)
      for (const [name, value] of values) {
        if (value === undefined || value === '') {
          cli.out.note(`Left out ${name}: it has no value`)
          continue
        }
        await client.projects.secrets.set(project_id, name, value)
        cli.out.line(`Set ${name}`)
      }
      noteDelivery(cli)
    })
}

function assertPushable(name: string): void {
  assertSecretName(name)
  if (!platformNamePattern.test(name)) return
  throw new OperationError(`${name} is a name of the platform's own`, 'rename it, or take it out of the file')
}
