import { providers } from '../gateway/providers.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'

/** The operator's model providers. */
export const modelProviders: Configure = (group, cli) => {
  const placeOf = async () => {
    const { gateway } = await adminClient(cli)
    return { ...gateway, settings: () => gateway.settings(), update: gateway.update }
  }
  providers(group, cli, { flags: (command) => command, placeOf }, 'admin providers')
}
