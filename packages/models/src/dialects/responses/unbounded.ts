import { type Body, notBounded } from '../kit/body.ts'
import { listOf, objectOf } from '../kit/json.ts'

/** Tools that the client runs, or that group such tools. The provider runs all others. */
const clientTools = ['function', 'custom', 'local_shell', 'apply_patch', 'namespace', 'tool_search']
const listedTiers = [undefined, null, 'auto', 'default', 'flex']

/** Refuses what has no meaning where nothing is stored, whichever budget there is. */
export function refuseStored({ value }: Body): void {
  for (const field of ['previous_response_id', 'conversation'])
    if ((value[field] ?? null) !== null) throw notBounded(field)
  if (value['background'] === true) throw notBounded('background')
}

/** Fields of a response request whose cost no limit of it bounds. */
export function unboundedFields({ value }: Body): string[] {
  const tools = listOf(value['tools']).flatMap((tool, at) =>
    isClientTool(objectOf(tool)) ? [] : [`tools.${at}`],
  )
  const compacts = listOf(value['context_management']).length > 0
  return [
    ...tools,
    ...((value['prompt'] ?? null) === null ? [] : ['prompt']),
    ...(compacts ? ['context_management'] : []),
    ...(listedTiers.some((listed) => listed === value['service_tier']) ? [] : ['service_tier']),
  ]
}

function isClientTool(tool: Readonly<Record<string, unknown>>): boolean {
  const type = String(tool['type'])
  if (type === 'namespace') return listOf(tool['tools']).every((inner) => isClientTool(objectOf(inner)))
  if (type === 'shell') return objectOf(tool['environment'])['type'] === 'local'
  return clientTools.includes(type) || type.startsWith('computer')
}
