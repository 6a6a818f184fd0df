import type { Configure } from '../groups.ts'
import { subscriptions } from './subscriptions/index.ts'
import { tail } from './tail.ts'
import { types } from './types.ts'

export const events: Configure = (group, cli) => {
  tail(group.command('tail').description('what happens, a line each, until Ctrl-C'), cli)
  types(group.command('types').description('every type of event, and what it says'), cli)
  subscriptions(group.command('subscriptions').description('addresses that are told of events'), cli)
}
