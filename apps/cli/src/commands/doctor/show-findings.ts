import type { Cli } from '../../cli.ts'
import { ReportedFailure } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { isLeft, type ShownFinding } from './finding.ts'

/** Prints them; a command that leaves some fails. */
export function showFindings(cli: Cli, findings: readonly ShownFinding[], json: boolean): void {
  if (json) cli.out.json({ findings })
  else if (findings.length === 0) cli.out.note('Nothing is wrong.')
  else
    cli.out.table(
      [
        { header: 'CHECK' },
        { header: 'SUBJECT' },
        { header: 'STATE' },
        { header: 'MESSAGE', flexible: true },
      ],
      findings.map((one) => [one.check, one.subject, stateOf(one), oneLine(one.message)]),
    )
  if (findings.some(isLeft)) throw new ReportedFailure()
}

function stateOf({ repaired, repairable, severity }: ShownFinding): string {
  if (repaired) return 'repaired'
  return repairable ? `${severity}, repairable` : severity
}
