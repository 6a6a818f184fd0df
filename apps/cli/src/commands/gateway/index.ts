import type { Configure } from '../groups.ts'
import { keyCommands } from './keys.ts'

export const gateway: Configure = (group, cli) => {
  keyCommands(group, cli)
}
