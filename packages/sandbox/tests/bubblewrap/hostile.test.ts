import { describeIsolation } from '../describe-isolation.ts'
import { describeWithBubblewrap } from './describe-with-bubblewrap.ts'
import { openProvider } from '../process/open-provider.ts'

await describeWithBubblewrap('hostile sandboxes', () => {
  describeIsolation('the platform’s own user', (stub, options) => openProvider(stub, 'bubblewrap', options))
})
