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
      for (const line of strangeLines(text, values))
        cli.out.note(`Left out line ${line}: it is no NAME=VALUE`)
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

/** The numbers of lines that the parser passed over; none where a value has lines of its own, which may look like anything. */
function strangeLines(text: string, values: readonly (readonly [string, string | undefined])[]): number[] {
  if (values.some(([, value]) => value?.includes('\n'))) return []
  const isStrange = (line: string) => line !== '' && !line.startsWith('#') && !line.includes('=')
  return text.split('\n').flatMap((line, index) => (isStrange(line.trim()) ? [index + 1] : []))
}

function assertPushable(name: string): void {
  assertSecretName(name)
  if (!platformNamePattern.test(name)) return
  throw new OperationError(`${name} is a name of the platform's own`, 'rename it, or take it out of the file')
}
