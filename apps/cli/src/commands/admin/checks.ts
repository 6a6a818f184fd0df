import { type CheckName, checkNames } from '@svc/facts'
import { Option } from 'commander'
import { runOnPlatform } from '../doctor/platform-checks.ts'
import { showFindings } from '../doctor/show-findings.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'

interface Flags extends JsonFlag {
  readonly check?: CheckName[]
  readonly project?: string
  readonly repair?: true
}

export const checks: Configure = (group, cli) => {
  jsonFlag(group.command('run'))
    .description('compare rows with what is there, and wait for what is found')
    .addOption(new Option('--check <name...>', 'only these').choices([...checkNames]))
    .option('--project <id>', 'only this project')
    .option('--repair', 'put right what can safely be')
    .action(async ({ check, project, repair, json }: Flags) => {
      const wanted = {
        repair: repair === true,
        ...(check && { checks: check }),
        ...(project && { project_id: project }),
      }
      // A run goes on without the command that asked for it.
      const onBegin = (run_id: string) => cli.out.note(`Run ${run_id}: svc admin checks show ${run_id}`)
      const run = await runOnPlatform(await adminClient(cli), wanted, onBegin)
      showFindings(cli, run.findings, json === true)
    })

  jsonFlag(group.command('show'))
    .description('what a run has found so far')
    .argument('<run-id>')
    .action(async (run_id: string, { json }: JsonFlag) => {
      const run = await (await adminClient(cli)).checks(run_id)
      if (json) return cli.out.json(run)
      cli.out.note(`The run is ${run.state}`)
      showFindings(cli, run.findings, false)
    })
}
