import { capabilities, defaultAgentGrant } from '@svc/facts'
import { canonical, humanOnly } from './capabilities.ts'
import { projectRoles, roleHolds } from './roles.ts'

/** The capabilities of each role, as rows of cells; the first row is the heading. */
export function capabilityTable(): string[][] {
  const heading = ['Capability', ...projectRoles, 'agent without `svc_cli`', 'people only']
  const rows = capabilities.map((capability) => {
    const wanted = canonical(capability)
    const marks = projectRoles.map((role) => roleHolds(role, wanted))
    return [
      wanted === capability ? `\`${capability}\`` : `\`${capability}\` = \`${wanted}\``,
      ...[...marks, defaultAgentGrant.map(canonical).includes(wanted), humanOnly.has(wanted)].map((held) =>
        held ? 'yes' : '',
      ),
    ]
  })
  return [heading, ...rows]
}
