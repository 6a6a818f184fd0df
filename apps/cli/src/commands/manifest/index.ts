import type { Configure } from '../groups.ts'
import { migrate } from './migrate.ts'

export const manifest: Configure = (group, cli) => {
  migrate(group.command('migrate').description('svc.toml, version 1, as svc.yaml, version 2'), cli)
}
