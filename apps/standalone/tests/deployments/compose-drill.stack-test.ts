import { describe } from 'vitest'
import { composeForm } from '../support/restore/compose-form.ts'
import { drill } from '../support/restore/drill.ts'

/** `npm run test:compose`; the other forms: restore-drill.test.ts. */
describe('a deployment of containers that is lost in the middle of its work', () => {
  drill(composeForm)
})
