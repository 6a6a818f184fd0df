import { OperationError } from '../../failures.ts'
import type { Configure } from '../groups.ts'

export const channels: Configure = (command) => {
  command.action(() => {
    throw new OperationError(
      'this release connects no chat or mail channels',
      'a webhook trigger lets another program start sessions: svc help triggers add',
    )
  })
}
