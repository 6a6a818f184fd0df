import type { Configure } from '../groups.ts'
import { accounts } from './accounts.ts'
import { admins } from './admins.ts'
import { audit } from './audit.ts'
import { backups } from './backups.ts'
import { checks } from './checks.ts'
import { credit } from './credit.ts'
import { failures } from './failures.ts'
import { features } from './features.ts'
import { machines } from './machines.ts'
import { maintenance } from './maintenance.ts'
import { overview } from './overview.ts'
import { modelProviders } from './model-providers.ts'
import { plans } from './plans.ts'
import { processes } from './processes.ts'
import { sandboxes } from './sandboxes.ts'
import { sessions } from './sessions.ts'
import { spend } from './spend.ts'
import { work } from './work.ts'

export const admin: Configure = (group, cli) => {
  overview(group.command('overview').description('the state of the whole platform'), cli)
  work(group.command('work').description('work that rows are owed'), cli)
  failures(group.command('failures').description('jobs that failed'), cli)
  processes(group.command('processes').description('the processes of the platform'), cli)
  machines(group.command('machines').description('the machines that sandboxes are on'), cli)
  sandboxes(group.command('sandboxes').description('sandboxes of every account'), cli)
  sessions(group.command('sessions').description('sessions of every account'), cli)
  maintenance(group.command('maintenance').description('whether the platform is closed, and to what'), cli)
  checks(group.command('checks').description('differences between rows and what is there'), cli)
  backups(group.command('backups').description('copies of the whole platform'), cli)
  modelProviders(group.command('providers').description('model providers for every project'), cli)
  accounts(group.command('accounts').description('every account: its plan, limits and features'), cli)
  plans(group.command('plans').description('what accounts may have'), cli)
  credit(group.command('credit').description('what pays for the operator’s models'), cli)
  spend(group.command('spend').description('what the model calls of every account cost'), cli)
  features(group.command('features').description('what projects may have, for the whole platform'), cli)
  admins(group.command('admins').description('the people who run the platform'), cli)
  audit(group.command('audit').description('what platform admins changed'), cli)
}
