import type { Configure } from '../groups.ts'
import { keyCommands } from './keys.ts'
import { models } from './models.ts'
import { projectOrAccount } from './place.ts'
import { prices } from './prices.ts'
import { providers } from './providers.ts'
import { settings } from './settings.ts'
import { budgets } from './budgets.ts'
import { logs } from './logs.ts'
import { spend } from './spend.ts'

export const gateway: Configure = (group, cli) => {
  keyCommands(group, cli)
  const place = projectOrAccount(cli)
  models(group.command('models').description('the models that a project may ask, and their prices'), cli)
  const ofProviders = group.command('providers').description('where models are asked, and with which keys')
  providers(ofProviders, cli, place, 'gateway providers')
  prices(group.command('prices').description('what models cost'), cli, place)
  settings(group.command('settings').description('which models calls may have, and what is kept'), cli, place)
  budgets(group.command('budgets').description('what model calls may cost'), cli)
  logs(group.command('logs').description('model calls, the newest first'), cli)
  spend(group.command('spend').description('what model calls cost'), cli)
}
