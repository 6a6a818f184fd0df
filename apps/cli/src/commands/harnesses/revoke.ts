import { adminClient } from '../admin/admin-client.ts'
import type { Configure } from '../groups.ts'

export const revoke: Configure = (command, cli) => {
  command.argument('<name>').action(async (name: string) => {
    await (await adminClient(cli)).harnesses.revoke(name)
    cli.out.line(`Revoked the licence of ${name}`)
    cli.out.note(
      `Sessions that run go on, and no more start; \`svc harnesses accept ${name}\` accepts it again.`,
    )
  })
}
