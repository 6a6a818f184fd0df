import { agentFileJsonSchema, manifestJsonSchema } from '@svc/manifest'
import type { Configure } from '../groups.ts'

export const schema: Configure = (command, cli) => {
  command
    .option('--agent', "of the frontmatter of agents' files instead")
    .action((flags: { agent?: true }) =>
      cli.out.json(flags.agent ? agentFileJsonSchema() : manifestJsonSchema()),
    )
}
