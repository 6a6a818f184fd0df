import { describe } from 'vitest'
import { hasRedis } from '../support/platform/redis.ts'
import { drill } from '../support/restore/drill.ts'
import { embeddedForm, separateForm } from '../support/restore/forms.ts'

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')
if (!hasRedis) console.warn('Skipped: redis-server is not installed')

/** That of the stack in containers: compose-drill.stack-test.ts. */
describe.skipIf(!hasRedis).each([
  ['npm start', embeddedForm],
  ['separate services', separateForm],
])('a deployment of %s that is lost in the middle of its work', { retry: 0 }, (_, open) => {
  drill(open)
})
