import type { Command } from 'commander'
import type { GatewaySettings, UpdateGatewayInput } from '@svc/sdk'
import type { AdminClient } from '@svc/sdk/admin'
import type { Cli } from '../../cli.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'

/** A place that decides about models, without its id. */
export interface ModelPlace extends Pick<AdminClient['gateway'], 'providers' | 'prices'> {
  settings(): Promise<GatewaySettings>
  update(input: UpdateGatewayInput): Promise<GatewaySettings>
}

export interface PlaceFlags extends ProjectFlag {
  readonly account?: string
}

export type PlaceOf = (flags: PlaceFlags) => Promise<ModelPlace>

/** The way in which commands are told which place they are about. */
export interface Placing {
  readonly flags: (command: Command) => Command
  readonly placeOf: PlaceOf
}

/** A project, or with `--account` an account for all of its projects. */
export function projectOrAccount(cli: Cli): Placing {
  return {
    flags: (command) =>
      projectFlag(command).option('--account <id>', 'of this account instead, for all of its projects'),
    placeOf: async ({ project, account }) => {
      if (account !== undefined) {
        const { gateway } = (await cli.connect()).client.accounts
        const settings = () => gateway.settings(account)
        return bound(gateway, account, { settings, update: (input) => gateway.update(account, input) })
      }
      const { client, project_id } = await cli.project(project)
      const { gateway } = client.projects
      const settings = () => gateway.get(project_id)
      return bound(gateway, project_id, { settings, update: (input) => gateway.update(project_id, input) })
    },
  }
}

type ById = Awaited<ReturnType<Cli['connect']>>['client']['accounts']['gateway']

function bound(
  { providers, prices }: Pick<ById, 'providers' | 'prices'>,
  id: string,
  settings: Pick<ModelPlace, 'settings' | 'update'>,
): ModelPlace {
  return {
    ...settings,
    providers: {
      list: (...rest) => providers.list(id, ...rest),
      create: (...rest) => providers.create(id, ...rest),
      update: (...rest) => providers.update(id, ...rest),
      delete: (...rest) => providers.delete(id, ...rest),
      test: (...rest) => providers.test(id, ...rest),
      addKey: (...rest) => providers.addKey(id, ...rest),
      removeKey: (...rest) => providers.removeKey(id, ...rest),
    },
    prices: {
      list: (...rest) => prices.list(id, ...rest),
      set: (...rest) => prices.set(id, ...rest),
      remove: (...rest) => prices.remove(id, ...rest),
    },
  }
}
