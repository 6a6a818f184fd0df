import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { callArgument, callId } from '../connectors/call-argument.ts'
import { printApproval } from './print-approval.ts'

export const show: Configure = (command, cli) => {
  projectFlag(jsonFlag(callArgument(command))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const call_id = callId(given)
      const { client, project_id } = await cli.project(flags.project)
      const approval = await client.projects.approvals.get(project_id, call_id)
      if (flags.json) return cli.out.json(approval)
      printApproval(cli.out, approval)
      if (approval.status === 'pending')
        cli.out.note(`\nsvc approvals approve ${call_id}, or svc approvals deny ${call_id}`)
    },
  )
}
