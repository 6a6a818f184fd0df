import type { Configure } from '../groups.ts'
import { keyCommands } from './keys.ts'
import { models } from './models.ts'
import { projectOrAccount } from './place.ts'
import { prices } from './prices.ts'
import { providers } from './providers.ts'
import { settings } from './settings.ts'

export const gateway: Configure = (group, cli) => {
  keyCommands(group, cli)
  const place = projectOrAccount(cli)
  models(group.command('models').description('the models that a project may ask, and their prices'), cli)
  const ofProviders = group.command('providers').description('where models are asked, and with which keys')
  providers(ofProviders, cli, place, 'gateway providers')
  prices(group.command('prices').description('what models cost'), cli, place)
  settings(group.command('settings').description('which models calls may have, and what is kept'), cli, place)
}
