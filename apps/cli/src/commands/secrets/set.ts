import { text } from 'node:stream/consumers'
import { UsageError } from '../../failures.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { parseAssignments } from './assignments.ts'
import { of, type PersonalFlag, personalFlag } from './personal.ts'
import { noteDelivery } from './note-delivery.ts'

type Flags = ProjectFlag & PersonalFlag

export const set: Configure = (command, cli) => {
  personalFlag(projectFlag(command.argument('<NAME=VALUE...>'))).action(
    async (words: string[], flags: Flags) => {
      const assignments = parseAssignments(words)
      const fromStdin = assignments.some(({ value }) => value === null) ? await readValue() : ''
      const { client, project_id } = await cli.project(flags.project)
      for (const { name, value } of assignments) {
        await of(client, flags).set(project_id, name, value ?? fromStdin)
        cli.out.line(`Set ${name}`)
      }
      noteDelivery(cli)
    },
  )

  async function readValue(): Promise<string> {
    // Files and echo end with a newline that is not part of the value.
    const value = (await text(cli.io.stdin)).replace(/\r?\n$/, '')
    if (value === '') throw new UsageError('stdin was empty', 'printf %s "$VALUE" | svc secrets set NAME=-')
    return value
  }
}
