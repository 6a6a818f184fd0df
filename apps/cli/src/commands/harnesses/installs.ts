import { adminClient } from '../admin/admin-client.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printInstalls } from './print-installs.ts'

interface Flags extends JsonFlag {
  readonly version?: string
}

export const install: Configure = (command, cli) => {
  jsonFlag(command.argument('<name>'))
    .option('--version <version>', 'one that may be pinned; else that of new sessions')
    .action(async (name: string, { json, version }: Flags) => {
      const admin = await adminClient(cli)
      const asked = await admin.harnesses.install(name, version === undefined ? {} : { version })
      if (json) return cli.out.json(asked)
      cli.out.line(`Asked for ${asked.harness} ${asked.version}`)
      if (asked.installs.length > 0) printInstalls(cli.out, asked.installs)
      cli.out.note(`svc harnesses show ${asked.harness} says when it is ready.`)
    })
}

export const rm: Configure = (command, cli) => {
  command
    .argument('<name>')
    .requiredOption('--version <version>', 'the one whose files are removed')
    .action(async (name: string, { version }: { readonly version: string }) => {
      await (await adminClient(cli)).harnesses.remove(name, version)
      cli.out.line(`Removed ${name} ${version}`)
    })
}
