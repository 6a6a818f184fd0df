import { OperationError } from '../../failures.ts'
import type { Configure } from '../groups.ts'

/** With any words after it, the answer is why it does nothing yet. */
export const channels: Configure = (command) => {
  command.argument('[words...]').allowUnknownOption()
  command.action(() => {
    throw new OperationError(
      'this release connects no chat or mail channels',
      'a webhook trigger lets another program start sessions: svc help triggers add',
    )
  })
}
